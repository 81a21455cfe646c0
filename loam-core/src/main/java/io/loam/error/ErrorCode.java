package io.loam.error;

/**
 * Every kind of error that Loam reports, with its SQLSTATE, a vendor code that never changes, and
 * what the caller can do about it.
 */
public enum ErrorCode {
  // Input: the statement or a value in it has to change.
  SYNTAX_ERROR(1001, "42601", Remedy.FIX_INPUT),
  UNKNOWN_COLLECTION(1002, "42P01", Remedy.FIX_INPUT),
  DUPLICATE_COLLECTION(1003, "42P07", Remedy.FIX_INPUT),
  UNKNOWN_COLUMN(1004, "42703", Remedy.FIX_INPUT),
  DUPLICATE_COLUMN(1005, "42701", Remedy.FIX_INPUT),
  UNKNOWN_FUNCTION(1006, "42883", Remedy.FIX_INPUT),
  INVALID_SCHEMA(1007, "42P16", Remedy.FIX_INPUT),
  INVALID_ARGUMENT(1008, "22023", Remedy.FIX_INPUT),
  TYPE_MISMATCH(1009, "42804", Remedy.FIX_INPUT),
  INVALID_TEXT(1010, "22P02", Remedy.FIX_INPUT),
  OUT_OF_RANGE(1011, "22003", Remedy.FIX_INPUT),
  VALUE_TOO_LONG(1012, "22001", Remedy.FIX_INPUT),
  NULL_NOT_ALLOWED(1013, "23502", Remedy.FIX_INPUT),
  DUPLICATE_KEY(1014, "23505", Remedy.FIX_INPUT),
  LIMIT_EXCEEDED(1015, "54000", Remedy.FIX_INPUT),
  UNKNOWN_VERSION(1016, "22023", Remedy.FIX_INPUT),
  UNSUPPORTED(1017, "0A000", Remedy.FIX_INPUT),
  INVALID_CONNECTION_PROPERTY(1018, "08001", Remedy.FIX_INPUT),
  DIVISION_BY_ZERO(1019, "22012", Remedy.FIX_INPUT),
  CARDINALITY(1020, "21000", Remedy.FIX_INPUT),
  DUPLICATE_TAG(1021, "42710", Remedy.FIX_INPUT),
  TRANSACTION_ACTIVE(1022, "25001", Remedy.FIX_INPUT),
  NO_TRANSACTION(1023, "25P01", Remedy.FIX_INPUT),
  READ_ONLY(1024, "25006", Remedy.FIX_INPUT),
  UNKNOWN_INDEX(1025, "42704", Remedy.FIX_INPUT),
  DUPLICATE_INDEX(1026, "42710", Remedy.FIX_INPUT),

  // Concurrency: the same statement may succeed when run again.
  CONFLICT(2001, "40001", Remedy.RETRY),
  CANCELLED(2002, "57014", Remedy.RETRY),
  BUILD_FAILED(2004, "58000", Remedy.RETRY),
  COMMIT_UNKNOWN(2003, "40003", Remedy.CHECK_THEN_RETRY),

  // Storage.
  STORE_UNAVAILABLE(3001, "58030", Remedy.RETRY),
  OUTCOME_UNKNOWN(3002, "58030", Remedy.CHECK_THEN_RETRY),
  MISSING_OBJECT(3003, "58P01", Remedy.RESTORE),
  CORRUPT_OBJECT(3004, "XX001", Remedy.RESTORE),

  // Use of the API, and faults of Loam itself.
  CLOSED(4001, "08003", Remedy.REOPEN),
  INTERNAL(9001, "XX000", Remedy.REPORT);

  /** What the caller can do. */
  public enum Remedy {
    /** Change the statement or the value. */
    FIX_INPUT,
    /** Run the same again. */
    RETRY,
    /** Look whether the change is there, then run the same again if it is not. */
    CHECK_THEN_RETRY,
    /** Open again what was closed. */
    REOPEN,
    /** Bring the named object back from a copy. */
    RESTORE,
    /** Report a fault of Loam. */
    REPORT
  }

  private final int vendorCode;
  private final String sqlState;
  private final Remedy remedy;

  ErrorCode(int vendorCode, String sqlState, Remedy remedy) {
    this.vendorCode = vendorCode;
    this.sqlState = sqlState;
    this.remedy = remedy;
  }

  /** The number that JDBC's {@code getErrorCode} gives; it never changes. */
  public int vendorCode() {
    return vendorCode;
  }

  /** Five characters of the SQL standard, or PostgreSQL's where the standard has none. */
  public String sqlState() {
    return sqlState;
  }

  /** What the caller can do. */
  public Remedy remedy() {
    return remedy;
  }
}
