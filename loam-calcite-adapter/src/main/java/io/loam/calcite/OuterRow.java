package io.loam.calcite;

import org.apache.calcite.DataContext;
import org.apache.calcite.adapter.java.JavaTypeFactory;
import org.apache.calcite.linq4j.QueryProvider;
import org.apache.calcite.schema.SchemaPlus;
import org.jspecify.annotations.Nullable;

/** A statement's values and one of a row, which may change. Used by one thread. */
final class OuterRow implements DataContext {
  private final DataContext statement;
  private final String name;
  @Nullable Object value;

  OuterRow(DataContext statement, String name, @Nullable Object value) {
    this.statement = statement;
    this.name = name;
    this.value = value;
  }

  /** Whether a value of a row is NULL. */
  boolean hasNull() {
    return value == null || (statement instanceof OuterRow outer && outer.hasNull());
  }

  @Override
  public @Nullable Object get(String wanted) {
    return wanted.equals(name) ? value : statement.get(wanted);
  }

  @Override
  public @Nullable SchemaPlus getRootSchema() {
    return statement.getRootSchema();
  }

  @Override
  public JavaTypeFactory getTypeFactory() {
    return statement.getTypeFactory();
  }

  @Override
  public QueryProvider getQueryProvider() {
    return statement.getQueryProvider();
  }
}
