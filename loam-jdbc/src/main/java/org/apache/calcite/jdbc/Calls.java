package org.apache.calcite.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Calls of procedures: prepared statements in the dress of {@link CallableStatement}, whose own
 * methods are for parameters that procedures here do not have.
 */
final class Calls {
  private static final Pattern ESCAPE = Pattern.compile("(?is)\\s*\\{\\s*call\\s+(.*)}\\s*");

  private Calls() {}

  /** The statement, in SQL's form where it is in that of JDBC, {@code {call p(?)}}. */
  static String sql(String sql) {
    Matcher escape = ESCAPE.matcher(sql);
    return escape.matches() ? "CALL " + escape.group(1).strip() : sql;
  }

  static CallableStatement of(PreparedStatement statement) {
    return (CallableStatement)
        Proxy.newProxyInstance(
            Calls.class.getClassLoader(),
            new Class<?>[] {CallableStatement.class},
            (proxy, method, arguments) -> call(proxy, statement, method, arguments));
  }

  private static @Nullable Object call(
      Object proxy,
      PreparedStatement statement,
      Method method,
      @Nullable Object @Nullable [] arguments)
      throws Throwable {
    if (method.getDeclaringClass() == CallableStatement.class) {
      throw refused(method);
    }
    if (method.getName().equals("equals")) {
      return arguments != null && proxy == arguments[0];
    }
    try {
      return method.invoke(statement, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static SQLException refused(Method method) {
    return method.getName().startsWith("set")
        ? Refusals.unsupported(
            method.getName() + " by name", "set parameters by position, from 1 on")
        : Refusals.unsupported(
            method.getName() + " of a call", "read what the procedure gives as a result set");
  }
}
