package io.loam.calcite;

import java.math.BigDecimal;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.calcite.DataContext;
import org.apache.calcite.avatica.AvaticaParameter;
import org.apache.calcite.jdbc.CalcitePrepare.CalciteSignature;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlUnknownLiteral;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.DateString;
import org.apache.calcite.util.TimestampString;
import org.jspecify.annotations.Nullable;

/**
 * INSERT or UPSERT of many rows of VALUES, as the same statement of one row of parameters that runs
 * for each of them. Calcite's planning of a row costs many times what writing it does.
 */
final class LongInsert {
  private static final int FEWEST_ROWS = 50;
  private static final int FEWEST_CHARS = 250;
  private static final Pattern DATE = Pattern.compile("\\d{4}-\\d\\d-\\d\\d");
  private static final Pattern TIMESTAMP =
      Pattern.compile("\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d(\\.\\d{1,9})?");

  private final SqlInsert insert;
  private final List<List<SqlNode>> rows;

  private LongInsert(SqlInsert insert, List<List<SqlNode>> rows) {
    this.insert = insert;
    this.rows = rows;
  }

  /** The statement as such, if it has many rows. */
  static Optional<LongInsert> of(String sql, SqlNode statement) {
    if (sql.length() < FEWEST_CHARS
        || !(statement instanceof SqlInsert insert)
        || !(insert.getTargetTable() instanceof SqlIdentifier)
        || !(insert.getSource() instanceof SqlCall values)
        || values.getKind() != SqlKind.VALUES
        || values.operandCount() < FEWEST_ROWS) {
      return Optional.empty();
    }
    List<List<SqlNode>> rows = new ArrayList<>(values.operandCount());
    for (SqlNode row : values.getOperandList()) {
      List<SqlNode> items = ((SqlCall) row).getOperandList();
      if (!rows.isEmpty() && items.size() != rows.get(0).size()) {
        return Optional.empty(); // Which Calcite explains.
      }
      rows.add(items);
    }
    return Optional.of(new LongInsert(insert, rows));
  }

  /** The statement of one row, which has parameters only. */
  String rowStatement() {
    StringBuilder sql = new StringBuilder(insert.isUpsert() ? "UPSERT INTO " : "INSERT INTO ");
    append(sql, (SqlIdentifier) insert.getTargetTable());
    SqlNodeList columns = insert.getTargetColumnList();
    if (columns != null) {
      String separator = " (";
      for (SqlNode column : columns) {
        append(sql.append(separator), (SqlIdentifier) column);
        separator = ", ";
      }
      sql.append(')');
    }
    return sql.append(" VALUES (?")
        .append(", ?".repeat(rows.get(0).size() - 1))
        .append(')')
        .toString();
  }

  private static void append(StringBuilder sql, SqlIdentifier name) {
    String separator = "";
    for (String part : name.names) {
      sql.append(separator).append('"').append(part.replace("\"", "\"\"")).append('"');
      separator = ".";
    }
  }

  /**
   * The statement as it runs, unless it holds an expression, or a literal that has to be cast.
   *
   * @param one the prepared {@link #rowStatement}
   */
  <T> Optional<CalciteSignature<T>> signature(String sql, LoamSignature<T> one) {
    AvaticaParameter[] parameters = new AvaticaParameter[parameters()];
    for (List<SqlNode> row : rows) {
      for (int i = 0; i < row.size(); i++) {
        AvaticaParameter column = one.parameters.get(i);
        if (row.get(i) instanceof SqlDynamicParam parameter) {
          parameters[parameter.getIndex()] = column;
        } else if (!fits(row.get(i), column)) {
          return Optional.empty();
        }
      }
    }
    List<@Nullable Object[]> values = rows.stream().map(LongInsert::values).toList();
    return Optional.of(
        new CalciteSignature<>(
            sql,
            List.of(parameters),
            one.internalParameters,
            one.rowType,
            one.columns,
            one.cursorFactory,
            one.rootSchema,
            List.of(),
            -1,
            context -> LoamBulk.rowCount(one, context, bound(values, context)),
            one.statementType));
  }

  private int parameters() {
    return (int)
        rows.stream().flatMap(List::stream).filter(SqlDynamicParam.class::isInstance).count();
  }

  private static List<@Nullable Object[]> bound(
      List<@Nullable Object[]> values, DataContext context) {
    List<@Nullable Object[]> bound = new ArrayList<>(values.size());
    for (@Nullable Object[] row : values) {
      @Nullable Object[] copy = row.clone();
      for (int i = 0; i < copy.length; i++) {
        if (copy[i] instanceof SqlDynamicParam parameter) {
          copy[i] = context.get("?" + parameter.getIndex());
        }
      }
      bound.add(copy);
    }
    return bound;
  }

  private static @Nullable Object[] values(List<SqlNode> row) {
    return row.stream().map(LongInsert::value).toArray();
  }

  /** Whether the column takes the literal as it is, so that Calcite would not cast it. */
  private static boolean fits(SqlNode node, AvaticaParameter column) {
    SqlNode value = unsigned(node);
    if (value.getKind() == SqlKind.ARRAY_VALUE_CONSTRUCTOR) {
      return column.parameterType == Types.ARRAY
          && ((SqlCall) value).getOperandList().stream().allMatch(i -> fitsItem(i, column));
    }
    if (!(value instanceof SqlLiteral literal)) {
      return false;
    }
    return literal.getValue() == null
        || switch (column.parameterType) {
          case Types.BIGINT, Types.INTEGER -> isExact(literal) && isWhole(literal);
          case Types.DECIMAL -> isExact(literal);
          case Types.REAL, Types.DOUBLE -> isNumber(literal);
          case Types.BOOLEAN -> literal.getTypeName() == SqlTypeName.BOOLEAN;
          case Types.DATE -> isText(literal, DATE) || isOfTime(literal, SqlTypeName.DATE);
          case Types.TIMESTAMP ->
              isText(literal, TIMESTAMP) || isOfTime(literal, SqlTypeName.TIMESTAMP);
          default -> literal.getTypeName() == SqlTypeName.CHAR;
        };
  }

  private static boolean fitsItem(SqlNode node, AvaticaParameter column) {
    return unsigned(node) instanceof SqlLiteral item
        && item.getValue() != null
        && (column.typeName.startsWith("VECTOR")
            ? isNumber(item)
            : item.getTypeName() == SqlTypeName.CHAR);
  }

  private static SqlNode unsigned(SqlNode node) {
    boolean signed =
        node.getKind() == SqlKind.MINUS_PREFIX || node.getKind() == SqlKind.PLUS_PREFIX;
    return signed && isNumber(((SqlCall) node).operand(0)) ? ((SqlCall) node).operand(0) : node;
  }

  private static boolean isNumber(SqlNode node) {
    return node instanceof SqlLiteral literal && literal.getValue() instanceof BigDecimal;
  }

  private static boolean isExact(SqlLiteral literal) {
    return isNumber(literal) && literal.getTypeName() == SqlTypeName.DECIMAL;
  }

  private static boolean isWhole(SqlLiteral number) {
    return number.bigDecimalValue().scale() <= 0;
  }

  private static boolean isText(SqlLiteral literal, Pattern form) {
    return literal.getTypeName() == SqlTypeName.CHAR
        && form.matcher(literal.getValueAs(String.class)).matches();
  }

  private static boolean isOfTime(SqlLiteral literal, SqlTypeName type) {
    return literal.getTypeName() == type
        || (literal instanceof SqlUnknownLiteral unknown && unknown.tag.equals(type.getName()));
  }

  /** What {@link FieldValues} takes; parameters as they are. */
  private static @Nullable Object value(SqlNode node) {
    if (node instanceof SqlBasicCall array && array.getKind() == SqlKind.ARRAY_VALUE_CONSTRUCTOR) {
      return array.getOperandList().stream().map(LongInsert::value).toList();
    }
    if (node.getKind() == SqlKind.MINUS_PREFIX) {
      return ((SqlLiteral) unsigned(node)).bigDecimalValue().negate();
    }
    return unsigned(node) instanceof SqlLiteral literal ? value(literal) : node;
  }

  private static @Nullable Object value(SqlLiteral given) {
    if (given.getValue() == null) {
      return null;
    }
    SqlLiteral literal =
        given instanceof SqlUnknownLiteral unknown
            ? unknown.resolve(SqlTypeName.valueOf(unknown.tag))
            : given;
    return switch (literal.getTypeName()) {
      case CHAR -> literal.getValueAs(String.class);
      case DATE -> LocalDate.parse(literal.getValueAs(DateString.class).toString());
      case TIMESTAMP ->
          LocalDateTime.parse(
              literal.getValueAs(TimestampString.class).toString().replace(' ', 'T'));
      default -> literal.getValue();
    };
  }
}
