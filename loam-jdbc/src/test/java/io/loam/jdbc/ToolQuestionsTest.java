package io.loam.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loam.error.ErrorCode;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLClientInfoException;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.sql.Types;
import java.sql.Wrapper;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What tools ask of JDBC's objects before and beside their statements. */
class ToolQuestionsTest {
  private Connection connection;
  private DatabaseMetaData metaData;

  @BeforeEach
  void open() throws SQLException {
    connection = FakeDriver.connect(FakeWarehouse.withEveryKind());
    metaData = connection.getMetaData();
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  private static void assertFails(ErrorCode code, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            SQLException.class,
            e -> {
              assertThat(e.getErrorCode()).isEqualTo(code.vendorCode());
              assertThat(e.getSQLState()).isEqualTo(code.sqlState());
              assertThat(e.getMessage()).contains(";");
            });
  }

  @Test
  void literalsAndParametersHaveTypesThatColumnsCanHave() throws SQLException {
    try (PreparedStatement query =
        connection.prepareStatement("VALUES ('abc', CAST(? AS CHAR(2)))")) {
      assertThat(query.getMetaData().getColumnTypeName(1)).isEqualTo("VARCHAR");
      assertThat(query.getMetaData().getColumnType(1)).isEqualTo(Types.VARCHAR);
      assertThat(query.getMetaData().getPrecision(1)).isEqualTo(3);
      assertThat(query.getParameterMetaData().getParameterTypeName(1)).isEqualTo("VARCHAR");
      assertThat(query.getParameterMetaData().getParameterType(1)).isEqualTo(Types.VARCHAR);
    }
  }

  @Test
  void networkTimeoutsAreKeptUnlessTheyAreNegative() throws SQLException {
    assertFails(ErrorCode.INVALID_ARGUMENT, () -> connection.setNetworkTimeout(Runnable::run, -1));
    assertThat(connection.getNetworkTimeout()).isZero();
    connection.setNetworkTimeout(Runnable::run, 5_000);
    assertThat(connection.getNetworkTimeout()).isEqualTo(5_000);
  }

  @Test
  void everyQuestionAboutTheDatabaseHasAnAnswer() throws IllegalAccessException {
    List<String> failed = new ArrayList<>();
    int asked = 0;
    for (Method method : DatabaseMetaData.class.getMethods()) {
      boolean plain =
          method.getParameterCount() == 0 || method.getReturnType().equals(boolean.class);
      if (!plain || method.getDeclaringClass().equals(Wrapper.class)) {
        continue;
      }
      Object[] arguments = new Object[method.getParameterCount()];
      Arrays.fill(arguments, ResultSet.TYPE_FORWARD_ONLY);
      asked++;
      try {
        method.invoke(metaData, arguments);
      } catch (InvocationTargetException e) {
        if (!(e.getCause() instanceof SQLFeatureNotSupportedException)) {
          failed.add(method.getName() + ": " + e.getCause());
        }
      }
    }
    assertThat(failed).isEmpty();
    assertThat(asked).isGreaterThan(130);
  }

  @Test
  void whatResultsSeeAndWhatStatementsCanDo() throws SQLException {
    assertThat(metaData.ownUpdatesAreVisible(ResultSet.TYPE_FORWARD_ONLY)).isFalse();
    assertThat(metaData.othersInsertsAreVisible(ResultSet.TYPE_FORWARD_ONLY)).isFalse();
    assertThat(metaData.deletesAreDetected(ResultSet.TYPE_FORWARD_ONLY)).isFalse();
    assertThat(metaData.supportsResultSetHoldability(connection.getHoldability())).isTrue();
    assertThat(metaData.supportsResultSetHoldability(ResultSet.CLOSE_CURSORS_AT_COMMIT)).isFalse();
    assertThat(metaData.supportsAlterTableWithAddColumn()).isTrue();
    assertThat(metaData.supportsAlterTableWithDropColumn()).isTrue();
    assertThat(metaData.supportsSubqueriesInQuantifieds()).isTrue();
  }

  @Test
  @SuppressWarnings("NullAway")
  void nothingInPlaceOfSqlIsRefused() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      assertFails(ErrorCode.INVALID_ARGUMENT, () -> statement.execute(null));
      assertFails(ErrorCode.INVALID_ARGUMENT, () -> statement.executeQuery(null));
      assertFails(ErrorCode.INVALID_ARGUMENT, () -> statement.executeUpdate(null));
      assertFails(ErrorCode.INVALID_ARGUMENT, () -> statement.addBatch(null));
      assertFails(ErrorCode.INVALID_ARGUMENT, () -> connection.prepareStatement(null));
    }
  }

  @Test
  @SuppressWarnings("NullAway")
  void whatIsBehindAnObject() throws SQLException {
    try (Statement statement = connection.createStatement();
        PreparedStatement query = connection.prepareStatement("SELECT 1");
        ResultSet rows = query.executeQuery()) {
      for (Wrapper wrapper :
          List.of(connection, metaData, statement, query, rows, rows.getMetaData())) {
        assertFails(ErrorCode.INVALID_ARGUMENT, () -> wrapper.isWrapperFor(null));
        assertFails(ErrorCode.INVALID_ARGUMENT, () -> wrapper.unwrap(null));
        assertFails(ErrorCode.INVALID_ARGUMENT, () -> wrapper.unwrap(String.class));
        assertThat(wrapper.isWrapperFor(String.class)).isFalse();
        assertThat(wrapper.isWrapperFor(Wrapper.class)).isTrue();
        assertThat(wrapper.unwrap(Wrapper.class)).isSameAs(wrapper);
      }
    }
  }

  @Test
  void hintsThatCannotBe() throws SQLException {
    try (Statement statement = connection.createStatement();
        PreparedStatement query = connection.prepareStatement("SELECT 1");
        ResultSet rows = query.executeQuery()) {
      for (Statement either : List.of(statement, query)) {
        assertFails(ErrorCode.INVALID_ARGUMENT, () -> either.setFetchSize(-1));
        assertFails(ErrorCode.INVALID_ARGUMENT, () -> either.setMaxFieldSize(-1));
        assertFails(ErrorCode.UNSUPPORTED, () -> either.setMaxFieldSize(10));
        either.setFetchSize(10);
        either.setMaxFieldSize(0);
        assertThat(either.getFetchSize()).isEqualTo(10);
      }
      assertFails(ErrorCode.INVALID_ARGUMENT, () -> rows.setFetchSize(-1));
    }
  }

  @Test
  void clientInfoIsIgnoredWithAWarning() throws SQLException {
    connection.setClientInfo("ApplicationName", "a");
    Properties more = new Properties();
    more.setProperty("ClientUser", "b");
    connection.setClientInfo(more);
    SQLWarning first = connection.getWarnings();
    assertThat(first.getMessage()).contains("ApplicationName");
    assertThat(first.getSQLState()).isEqualTo("0A000");
    assertThat(first.getNextWarning().getMessage()).contains("ClientUser");
    assertThat(connection.getClientInfo()).isEmpty();
    connection.clearWarnings();
    assertThat((Throwable) connection.getWarnings()).isNull();
    connection.close();
    assertThatThrownBy(() -> connection.setClientInfo("ApplicationName", "a"))
        .isInstanceOfSatisfying(
            SQLClientInfoException.class, e -> assertThat(e.getSQLState()).isEqualTo("08003"));
  }
}
