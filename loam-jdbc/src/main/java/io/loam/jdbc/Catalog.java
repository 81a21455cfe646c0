package io.loam.jdbc;

import io.loam.Collection;
import io.loam.CollectionName;
import io.loam.Warehouse;
import io.loam.calcite.Procedures;
import io.loam.manifest.VectorIndexRef;
import io.loam.query.VersionSpec;
import io.loam.schema.CollectionSchema;
import io.loam.schema.Field;
import java.sql.DatabaseMetaData;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a warehouse holds, as rows of {@link CatalogTable}s in the order that JDBC asks for. Names
 * and patterns match in any letter case; null matches all; there are no catalogs.
 */
public final class Catalog {
  private static final String TABLE = "TABLE";

  private final Warehouse warehouse;

  public Catalog(Warehouse warehouse) {
    this.warehouse = warehouse;
  }

  public List<Object[]> tableTypes() {
    return List.<Object[]>of(CatalogTable.TABLE_TYPES.row(TABLE));
  }

  public List<Object[]> schemas(@Nullable String catalog, @Nullable String schemaPattern) {
    return schemaNames(catalog, schemaPattern).stream()
        .map(s -> CatalogTable.SCHEMAS.row(s, null))
        .toList();
  }

  /**
   * Tables of the types.
   *
   * @param types null for all
   */
  public List<Object[]> tables(
      @Nullable String catalog,
      @Nullable String schemaPattern,
      @Nullable String tablePattern,
      @Nullable List<String> types) {
    if (types != null && types.stream().noneMatch(TABLE::equalsIgnoreCase)) {
      return List.of();
    }
    return collections(catalog, schemaPattern, tablePattern).stream()
        .map(
            c ->
                CatalogTable.TABLES.row(
                    null,
                    c.name().schema(),
                    c.name().name(),
                    TABLE,
                    c.schema().comment(),
                    null,
                    null,
                    null,
                    null,
                    null))
        .toList();
  }

  public List<Object[]> columns(
      @Nullable String catalog,
      @Nullable String schemaPattern,
      @Nullable String tablePattern,
      @Nullable String columnPattern) {
    Predicate<String> matches = matcher(columnPattern);
    List<Object[]> rows = new ArrayList<>();
    for (Collection collection : collections(catalog, schemaPattern, tablePattern)) {
      CollectionSchema schema = collection.schema();
      for (int i = 0; i < schema.fields().size(); i++) {
        if (matches.test(schema.fields().get(i).name())) {
          rows.add(column(collection.name(), schema, i));
        }
      }
    }
    return rows;
  }

  /** The type that a column of a table is declared with; none where there is no such column now. */
  public Optional<SqlType> declaredType(String schema, String table, String column) {
    return warehouse
        .find(new CollectionName(schema, table))
        .map(Collection::schema)
        .flatMap(fields -> fields.find(column).map(field -> type(fields, field)));
  }

  private static SqlType type(CollectionSchema schema, Field field) {
    return SqlType.of(field.type(), field.number() == schema.keyField());
  }

  private static Object[] column(CollectionName table, CollectionSchema schema, int position) {
    Field field = schema.fields().get(position);
    boolean key = field.number() == schema.keyField();
    boolean nullable = field.nullable() && !key;
    SqlType type = type(schema, field);
    return CatalogTable.COLUMNS.row(
        null,
        table.schema(),
        table.name(),
        field.name(),
        type.jdbcType(),
        type.name(),
        type.size(),
        null,
        type.scale(),
        type.isNumber() ? 10 : null,
        nullable ? DatabaseMetaData.columnNullable : DatabaseMetaData.columnNoNulls,
        remarks(schema, field),
        null,
        null,
        null,
        type.isText() ? type.size() : null,
        position + 1,
        nullable ? "YES" : "NO",
        null,
        null,
        null,
        null,
        "NO",
        "NO");
  }

  private static String remarks(CollectionSchema schema, Field field) {
    String comment = schema.comment(field);
    if (!comment.isEmpty()) {
      return comment;
    }
    if (!field.analyzer().isEmpty()) {
      return "analyzer " + field.analyzer();
    }
    return field.metric().isEmpty() ? "" : "metric " + field.metric();
  }

  /** No row where the key is hidden. */
  public List<Object[]> primaryKeys(
      @Nullable String catalog, @Nullable String schema, @Nullable String table) {
    return keyFields(catalog, schema, table).stream()
        .map(
            k ->
                CatalogTable.PRIMARY_KEYS.row(
                    null,
                    k.table().schema(),
                    k.table().name(),
                    k.field().name(),
                    (short) 1,
                    k.table().name() + "_pkey"))
        .toList();
  }

  /**
   * The index of the primary key, then those of vectors.
   *
   * @param unique whether to leave out those of vectors
   */
  public List<Object[]> indexes(
      @Nullable String catalog, @Nullable String schema, @Nullable String table, boolean unique) {
    List<Object[]> rows = new ArrayList<>();
    for (Collection collection : collections(catalog, literal(schema), literal(table))) {
      CollectionName name = collection.name();
      CollectionSchema fields = collection.schema();
      if (!fields.hasHiddenKey()) {
        rows.add(index(name, name.name() + "_pkey", fields.field(fields.keyField()), true));
      }
      if (!unique) {
        collection.manifest(new VersionSpec.Latest()).indexes().stream()
            .sorted(Comparator.comparing(VectorIndexRef::name))
            .forEach(i -> rows.add(index(name, i.name(), fields.field(i.fieldNumber()), false)));
      }
    }
    return rows;
  }

  private static Object[] index(CollectionName table, String name, Field field, boolean isKey) {
    return CatalogTable.INDEXES.row(
        null,
        table.schema(),
        table.name(),
        !isKey,
        null,
        name,
        DatabaseMetaData.tableIndexOther,
        (short) 1,
        field.name(),
        isKey ? "A" : null,
        null,
        null,
        null);
  }

  /** The primary key, which names a row for as long as the row exists. */
  public List<Object[]> bestRowIdentifiers(
      @Nullable String catalog, @Nullable String schema, @Nullable String table) {
    List<Object[]> rows = new ArrayList<>();
    for (KeyField key : keyFields(catalog, schema, table)) {
      SqlType type = SqlType.of(key.field().type(), true);
      rows.add(
          CatalogTable.BEST_ROW_IDENTIFIERS.row(
              (short) DatabaseMetaData.bestRowSession,
              key.field().name(),
              type.jdbcType(),
              type.name(),
              type.size(),
              null,
              null,
              (short) DatabaseMetaData.bestRowNotPseudo));
    }
    return rows;
  }

  private record KeyField(CollectionName table, Field field) {}

  private List<KeyField> keyFields(
      @Nullable String catalog, @Nullable String schema, @Nullable String table) {
    return collections(catalog, literal(schema), literal(table)).stream()
        .filter(c -> !c.schema().hasHiddenKey())
        .map(c -> new KeyField(c.name(), c.schema().field(c.schema().keyField())))
        .toList();
  }

  /** The types of Loam, in order of their JDBC type. */
  public List<Object[]> types() {
    return SqlType.all()
        .sorted(Comparator.comparingInt(SqlType::jdbcType))
        .map(Catalog::type)
        .toList();
  }

  private static Object[] type(SqlType type) {
    short scale = type.scale() == null ? 0 : type.scale().shortValue();
    return CatalogTable.TYPES.row(
        type.name(),
        type.jdbcType(),
        type.size(),
        type.literalQuote(),
        type.literalQuote(),
        type.parameters(),
        (short) DatabaseMetaData.typeNullable,
        type.isText(),
        (short) DatabaseMetaData.typeSearchable,
        false,
        type.isWhole(),
        false,
        type.name(),
        (short) 0,
        scale,
        null,
        null,
        type.isNumber() ? 10 : null);
  }

  /** The functions beyond SQL's own, which every schema has. */
  public List<Object[]> functions(
      @Nullable String catalog, @Nullable String schemaPattern, @Nullable String functionPattern) {
    List<Object[]> rows = new ArrayList<>();
    for (String schema : schemaNames(catalog, schemaPattern)) {
      matchingFunctions(functionPattern).forEach(function -> rows.add(function.row(schema)));
    }
    return rows;
  }

  /** Their names, with a comma between. */
  public static String functionNames() {
    return FunctionEntry.all().stream().map(FunctionEntry::name).collect(Collectors.joining(","));
  }

  /** Their values and arguments. */
  public List<Object[]> functionColumns(
      @Nullable String catalog,
      @Nullable String schemaPattern,
      @Nullable String functionPattern,
      @Nullable String columnPattern) {
    Predicate<String> matches = matcher(columnPattern);
    int name = CatalogTable.FUNCTION_COLUMNS.position("COLUMN_NAME");
    List<Object[]> rows = new ArrayList<>();
    for (String schema : schemaNames(catalog, schemaPattern)) {
      for (FunctionEntry function : matchingFunctions(functionPattern)) {
        function.columns(schema).stream()
            .filter(row -> matches.test((String) row[name]))
            .forEach(rows::add);
      }
    }
    return rows;
  }

  /** What CALL runs; it is in one schema. */
  public List<Object[]> procedures(
      @Nullable String catalog, @Nullable String schemaPattern, @Nullable String pattern) {
    return matchingProcedures(catalog, schemaPattern, pattern).stream()
        .map(
            p ->
                CatalogTable.PROCEDURES.row(
                    null,
                    Procedures.SCHEMA,
                    p.name(),
                    null,
                    null,
                    null,
                    p.usage(),
                    (short) DatabaseMetaData.procedureReturnsResult,
                    p.name()))
        .toList();
  }

  public List<Object[]> procedureColumns(
      @Nullable String catalog,
      @Nullable String schemaPattern,
      @Nullable String pattern,
      @Nullable String columnPattern) {
    Predicate<String> matches = matcher(columnPattern);
    List<Object[]> rows = new ArrayList<>();
    for (Procedures.Signature procedure : matchingProcedures(catalog, schemaPattern, pattern)) {
      for (int i = 0; i < procedure.parameters().size(); i++) {
        if (matches.test(procedure.parameters().get(i).name())) {
          rows.add(procedureColumn(procedure, i));
        }
      }
    }
    return rows;
  }

  private static Object[] procedureColumn(Procedures.Signature procedure, int position) {
    Procedures.Argument argument = procedure.parameters().get(position);
    int nullable =
        argument.required()
            ? DatabaseMetaData.procedureNoNulls
            : DatabaseMetaData.procedureNullable;
    return CatalogTable.PROCEDURE_COLUMNS.row(
        null,
        Procedures.SCHEMA,
        procedure.name(),
        argument.name(),
        (short) DatabaseMetaData.procedureColumnIn,
        argument.type().getVendorTypeNumber(),
        argument.type().getName(),
        null,
        null,
        null,
        null,
        (short) nullable,
        null,
        null,
        null,
        null,
        null,
        position + 1,
        argument.required() ? "NO" : "YES",
        procedure.name());
  }

  private List<Procedures.Signature> matchingProcedures(
      @Nullable String catalog, @Nullable String schemaPattern, @Nullable String pattern) {
    return schemaNames(catalog, schemaPattern).contains(Procedures.SCHEMA)
        ? Procedures.all().stream().filter(p -> matcher(pattern).test(p.name())).toList()
        : List.of();
  }

  private static List<FunctionEntry> matchingFunctions(@Nullable String functionPattern) {
    Predicate<String> matches = matcher(functionPattern);
    return FunctionEntry.all().stream().filter(f -> matches.test(f.name())).toList();
  }

  private List<String> schemaNames(@Nullable String catalog, @Nullable String schemaPattern) {
    if (catalog != null && !catalog.isEmpty()) {
      return List.of();
    }
    return warehouse.schemas().stream().filter(matcher(schemaPattern)).sorted().toList();
  }

  private List<Collection> collections(
      @Nullable String catalog, @Nullable String schemaPattern, @Nullable String tablePattern) {
    Predicate<String> matches = matcher(tablePattern);
    return schemaNames(catalog, schemaPattern).stream()
        .flatMap(s -> warehouse.collections(s).stream())
        .filter(n -> matches.test(n.name()))
        .sorted(Comparator.comparing(CollectionName::schema).thenComparing(CollectionName::name))
        .map(warehouse::find)
        .flatMap(Optional::stream) // It may have been dropped since its name was read.
        .toList();
  }

  private static @Nullable String literal(@Nullable String name) {
    return name == null ? null : name.replaceAll("[\\\\%_]", "\\\\$0");
  }

  /** SQL's LIKE with the escape {@code \}, in any letter case. */
  static Predicate<String> matcher(@Nullable String pattern) {
    if (pattern == null) {
      return name -> true;
    }
    StringBuilder regex = new StringBuilder();
    for (int i = 0; i < pattern.length(); i++) {
      char c = pattern.charAt(i);
      if (c == '\\' && i + 1 < pattern.length()) {
        i++;
        regex.append(Pattern.quote(pattern.substring(i, i + 1)));
      } else if (c == '%') {
        regex.append(".*");
      } else if (c == '_') {
        regex.append('.');
      } else {
        regex.append(Pattern.quote(String.valueOf(c)));
      }
    }
    int flags = Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE | Pattern.DOTALL;
    return Pattern.compile(regex.toString(), flags).asMatchPredicate();
  }
}
