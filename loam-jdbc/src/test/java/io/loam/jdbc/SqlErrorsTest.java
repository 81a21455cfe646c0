package io.loam.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLSyntaxErrorException;
import java.sql.SQLTransactionRollbackException;
import java.sql.SQLTransientException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SqlErrorsTest {
  private static SQLException of(ErrorCode code) {
    return SqlErrors.toSqlException(new LoamException(code, "problem: a=1; mend it"));
  }

  @ParameterizedTest
  @EnumSource(ErrorCode.class)
  void everyCodeKeepsStateNumberAndMessage(ErrorCode code) {
    SQLException e = of(code);
    assertThat(e.getSQLState()).isEqualTo(code.sqlState());
    assertThat(e.getErrorCode()).isEqualTo(code.vendorCode());
    assertThat(e.getMessage()).isEqualTo("problem: a=1; mend it");
  }

  @Test
  void classesFollowTheState() {
    assertThat((Throwable) of(ErrorCode.DUPLICATE_KEY))
        .isInstanceOf(SQLIntegrityConstraintViolationException.class);
    assertThat((Throwable) of(ErrorCode.SYNTAX_ERROR)).isInstanceOf(SQLSyntaxErrorException.class);
    assertThat((Throwable) of(ErrorCode.UNKNOWN_COLLECTION))
        .isInstanceOf(SQLSyntaxErrorException.class);
    assertThat((Throwable) of(ErrorCode.OUT_OF_RANGE)).isInstanceOf(SQLDataException.class);
    assertThat((Throwable) of(ErrorCode.UNSUPPORTED))
        .isInstanceOf(SQLFeatureNotSupportedException.class);
    assertThat((Throwable) of(ErrorCode.CONFLICT))
        .isInstanceOf(SQLTransactionRollbackException.class);
    assertThat((Throwable) of(ErrorCode.CLOSED))
        .isInstanceOf(SQLNonTransientConnectionException.class);
    assertThat((Throwable) of(ErrorCode.STORE_UNAVAILABLE))
        .isInstanceOf(SQLTransientException.class);
  }

  @Test
  void unknownOutcomeIsNoRollback() {
    assertThat((Throwable) of(ErrorCode.COMMIT_UNKNOWN)).isExactlyInstanceOf(SQLException.class);
  }

  @Test
  void wrappersAreTakenOff() {
    LoamException cause =
        new LoamException(ErrorCode.DUPLICATE_KEY, "key exists: key=1; delete it");
    SQLException e =
        SqlErrors.toSqlException(
            new SQLException("Error while executing SQL", new RuntimeException(cause)));
    assertThat(e.getMessage()).isEqualTo("key exists: key=1; delete it");
    assertThat(e.getSQLState()).isEqualTo("23505");
  }

  @Test
  void ownExceptionsStay() {
    SQLException e = of(ErrorCode.CONFLICT);
    assertThat((Throwable) SqlErrors.toSqlException(e)).isSameAs(e);
  }

  @Test
  void otherFailuresAreInternal() {
    assertThat(SqlErrors.toSqlException(new IllegalStateException("x")).getSQLState())
        .isEqualTo("XX000");
  }

  @Test
  void anInterruptIsNoFaultOfFiles() {
    Throwable corrupt =
        new LoamException(ErrorCode.CORRUPT_OBJECT, "x; y", new ClosedByInterruptException());
    assertThat(SqlErrors.toSqlException(corrupt).getSQLState()).isEqualTo("57014");
    assertThat(
            SqlErrors.toSqlException(new UncheckedIOException(new ClosedByInterruptException()))
                .getSQLState())
        .isEqualTo("57014");
    Throwable unknown =
        new LoamException(ErrorCode.COMMIT_UNKNOWN, "x; y", new ClosedByInterruptException());
    assertThat(SqlErrors.toSqlException(unknown).getSQLState()).isEqualTo("40003");
  }
}
