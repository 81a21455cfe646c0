package io.loam.calcite;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.SqlWithItem;
import org.apache.calcite.sql.validate.SqlValidatorCatalogReader;
import org.apache.calcite.sql.validate.SqlValidatorTable;
import org.apache.calcite.sql.validate.SqlValidatorUtil;

/** The names of what star gives of a part of FROM, as far as they are known before validation. */
final class StarNames {
  private final SqlValidatorCatalogReader reader;
  private final RelDataTypeFactory types;

  /** Those of the queries of WITH, by name in lower case; nothing where they are not known. */
  private final Map<String, Optional<List<String>>> queries = new HashMap<>();

  StarNames(SqlValidatorCatalogReader reader, RelDataTypeFactory types) {
    this.reader = reader;
    this.types = types;
  }

  /** Remembers the queries of a WITH. */
  void note(SqlWith with) {
    for (SqlNode node : with.withList) {
      SqlWithItem item = (SqlWithItem) node;
      queries.put(
          item.name.getSimple().toLowerCase(Locale.ROOT),
          item.columnList == null ? ofQuery(item.query) : Optional.of(names(item.columnList)));
    }
  }

  /** The names, or nothing where they are known only later. */
  Optional<List<String>> of(SqlNode item) {
    if (item.getKind() != SqlKind.AS) {
      return ofPart(item);
    }
    List<SqlNode> operands = ((SqlBasicCall) item).getOperandList();
    return operands.size() > 2
        ? Optional.of(names(operands.subList(2, operands.size())))
        : ofPart(operands.get(0));
  }

  private static List<String> names(List<SqlNode> identifiers) {
    return identifiers.stream().map(name -> ((SqlIdentifier) name).getSimple()).toList();
  }

  /** Whether a part has columns that star does not give. */
  boolean isTable(SqlNode item) {
    SqlNode part = item.getKind() == SqlKind.AS ? ((SqlBasicCall) item).operand(0) : item;
    return switch (part.getKind()) {
      case IDENTIFIER, TABLE_REF -> rowType(part).isPresent();
      case COLLECTION_TABLE -> true;
      default -> false;
    };
  }

  private Optional<List<String>> ofPart(SqlNode part) {
    if (part instanceof SqlIdentifier id && id.isSimple()) {
      Optional<List<String>> query = queries.get(id.getSimple().toLowerCase(Locale.ROOT));
      if (query != null) {
        return query;
      }
    }
    return part.getKind().belongsTo(SqlKind.QUERY)
        ? ofQuery(part)
        : rowType(part)
            .map(
                row ->
                    row.getFieldNames().stream().filter(name -> !SystemColumns.has(name)).toList());
  }

  private Optional<List<String>> ofQuery(SqlNode query) {
    if (!(query instanceof SqlSelect select)) {
      return Optional.empty();
    }
    List<String> names = new ArrayList<>();
    for (SqlNode item : select.getSelectList()) {
      boolean star = item instanceof SqlIdentifier id && id.isStar();
      String name = star ? null : SqlValidatorUtil.alias(item);
      Optional<List<String>> more = star ? ofAll(select) : Optional.ofNullable(name).map(List::of);
      if (more.isEmpty()) {
        return Optional.empty();
      }
      names.addAll(more.get());
    }
    return Optional.of(names);
  }

  private Optional<List<String>> ofAll(SqlSelect select) {
    SqlNode from = select.getFrom();
    return from == null || from instanceof SqlJoin ? Optional.empty() : of(from);
  }

  private Optional<RelDataType> rowType(SqlNode part) {
    if (part.getKind() == SqlKind.IDENTIFIER || part.getKind() == SqlKind.TABLE_REF) {
      List<String> names = LoamValidator.targetNames(part);
      boolean query =
          names.size() == 1 && queries.containsKey(names.get(0).toLowerCase(Locale.ROOT));
      return query
          ? Optional.empty()
          : Optional.ofNullable(reader.getTable(names)).map(SqlValidatorTable::getRowType);
    }
    return part.getKind() == SqlKind.COLLECTION_TABLE
            && ((SqlBasicCall) part).operand(0) instanceof SqlBasicCall call
            && call.getOperator() instanceof SearchOperator search
        ? Optional.ofNullable(reader.getTable(search.tableName(call)))
            .map(table -> table.unwrap(LoamTable.class))
            .map(table -> table.searchRowType(types, search.spec().resultColumns(search.legs())))
        : Optional.empty();
  }
}
