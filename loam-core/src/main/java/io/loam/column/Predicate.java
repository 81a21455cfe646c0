package io.loam.column;

import io.loam.doc.DocSet;
import java.util.List;

/**
 * A condition on typed fields, with SQL's three-valued logic: a comparison with a missing value is
 * unknown, and only rows for which the whole is true pass. Values have the Java class that {@link
 * io.loam.schema.TypeKind} gives for the field, and are not null.
 */
public sealed interface Predicate {

  /** How a field compares with a value. */
  enum Op {
    EQ,
    NE,
    LT,
    LE,
    GT,
    GE
  }

  record Compare(int fieldNumber, Op op, Object value) implements Predicate {}

  /** The field equals one of the values. */
  record In(int fieldNumber, List<Object> values) implements Predicate {
    public In {
      values = List.copyOf(values);
    }
  }

  record IsNull(int fieldNumber) implements Predicate {}

  /**
   * SQL LIKE on a {@code VARCHAR} field with {@code %}, {@code _} and an escape character (0 for
   * none).
   */
  record Like(int fieldNumber, String pattern, char escape) implements Predicate {}

  /** The {@code VARCHAR ARRAY} field has this item; unknown where the array is missing. */
  record ArrayContains(int fieldNumber, String item) implements Predicate {}

  record And(List<Predicate> all) implements Predicate {
    public And {
      all = List.copyOf(all);
    }
  }

  record Or(List<Predicate> any) implements Predicate {
    public Or {
      any = List.copyOf(any);
    }
  }

  record Not(Predicate of) implements Predicate {}

  /** A condition that is more than a test of one typed field; true or false, never unknown. */
  non-sealed interface OnDocuments extends Predicate {
    /**
     * The documents of a leaf that it is true for.
     *
     * @param candidates the documents that matter; of others it may say anything
     */
    DocSet documents(ColumnSource leaf, DocSet candidates);
  }

  /** True for every row, or for none. */
  record Constant(boolean value) implements Predicate {}
}
