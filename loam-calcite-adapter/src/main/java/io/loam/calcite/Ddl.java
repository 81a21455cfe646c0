package io.loam.calcite;

import io.loam.Collection;
import io.loam.CollectionName;
import io.loam.Warehouse;
import io.loam.calcite.parser.SqlAlterCollection;
import io.loam.calcite.parser.SqlColumnDeclaration;
import io.loam.calcite.parser.SqlCreateCollection;
import io.loam.calcite.parser.SqlCreateIndex;
import io.loam.calcite.parser.SqlCreateTag;
import io.loam.calcite.parser.SqlDropIndex;
import io.loam.calcite.parser.SqlDropTag;
import io.loam.calcite.parser.SqlLoamTypeNameSpec;
import io.loam.calcite.parser.SqlRebuildIndex;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.error.Suggestion;
import io.loam.manifest.VectorIndexRef;
import io.loam.query.VersionSpec;
import io.loam.schema.AnalyzerNames;
import io.loam.schema.CollectionSchema;
import io.loam.schema.FieldType;
import io.loam.schema.SchemaBuilder;
import io.loam.schema.SchemaChanges;
import io.loam.schema.TypeKind;
import io.loam.vector.IndexKind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlCollectionTypeNameSpec;
import org.apache.calcite.sql.SqlCreate;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlDdl;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlTypeNameSpec;
import org.apache.calcite.sql.ddl.SqlDropTable;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * CREATE, ALTER and DROP of tables, indexes and tags over a warehouse.
 *
 * @param defaultSchema of names that have none
 */
record Ddl(Warehouse warehouse, String defaultSchema) {
  /** What names of system tables have before their last part. */
  private static final char SYSTEM = '$';

  private static final String METRIC = "metric.";
  private static final String DEFAULT_METRIC = "cosine";
  private static final int DEFAULT_DECIMAL_PRECISION = 38;

  /** Whether a statement changes the catalog. */
  static boolean is(SqlNode statement) {
    return statement instanceof SqlDdl
        || statement instanceof SqlAlterCollection
        || statement instanceof SqlRebuildIndex;
  }

  void execute(SqlNode statement) {
    if (statement instanceof SqlCreateCollection create) {
      create(create);
    } else if (statement instanceof SqlDropTable drop) {
      drop(drop);
    } else if (statement instanceof SqlCreateTag create) {
      createTag(create);
    } else if (statement instanceof SqlDropTag drop) {
      dropTag(drop);
    } else if (statement instanceof SqlAlterCollection alter) {
      alter(alter);
    } else if (statement instanceof SqlCreateIndex create) {
      createIndex(create);
    } else if (statement instanceof SqlDropIndex drop) {
      dropIndex(drop);
    } else if (statement instanceof SqlRebuildIndex rebuild) {
      warehouse.get(name(rebuild.table())).rebuildIndex(rebuild.name());
    } else {
      throw new LoamException(
          ErrorCode.UNSUPPORTED,
          "statement is not supported: statement="
              + FirstWord.nameOf(statement)
              + "; use CREATE or DROP of a TABLE, INDEX or TAG, ALTER TABLE, or ALTER INDEX");
    }
  }

  private void create(SqlCreateCollection create) {
    refuseReplace(create, "TABLE");
    CollectionName name = name(create.name());
    if (name.name().indexOf(SYSTEM) >= 0) {
      throw new LoamException(
          ErrorCode.INVALID_SCHEMA,
          "table name has a character of system tables: table="
              + name.name()
              + ", character="
              + SYSTEM
              + "; leave it out");
    }
    CollectionSchema schema = schema(create);
    if (create.ifNotExists && warehouse.find(name).isPresent()) {
      return;
    }
    warehouse.create(name, schema);
  }

  private void drop(SqlDropTable drop) {
    CollectionName name = name(drop.name);
    if (!warehouse.drop(name) && !drop.ifExists) {
      // Names the nearest collection, unless it has been made meanwhile.
      warehouse.get(name);
    }
  }

  private static void refuseReplace(SqlCreate create, String what) {
    if (create.getReplace()) {
      throw new LoamException(
          ErrorCode.UNSUPPORTED,
          "OR REPLACE is not supported; use DROP " + what + " IF EXISTS first");
    }
  }

  private void createTag(SqlCreateTag create) {
    refuseReplace(create, "TAG");
    warehouse.get(name(create.table())).createTag(create.name(), create.version());
  }

  private void dropTag(SqlDropTag drop) {
    Collection collection = warehouse.get(name(drop.table()));
    if (!collection.dropTag(drop.name()) && !drop.ifExists()) {
      throw new LoamException(
          ErrorCode.UNKNOWN_VERSION,
          "no such tag: collection="
              + collection.name()
              + ", tag="
              + drop.name()
              + Suggestion.mend(drop.name(), collection.tags().keySet()));
    }
  }

  private void createIndex(SqlCreateIndex create) {
    refuseReplace(create, "INDEX");
    Collection collection = warehouse.get(name(create.table()));
    IndexKind kind = IndexKind.named(create.indexKind());
    if (create.ifNotExists && index(collection, create.name()).isPresent()) {
      return;
    }
    collection.createIndex(create.name(), create.column(), kind, options(create.options()));
  }

  private static Optional<VectorIndexRef> index(Collection collection, String name) {
    return collection.manifest(new VersionSpec.Latest()).index(name);
  }

  private void dropIndex(SqlDropIndex drop) {
    Collection collection = warehouse.get(name(drop.table()));
    if (!collection.dropIndex(drop.name()) && !drop.ifExists()) {
      throw new LoamException(
          ErrorCode.UNKNOWN_INDEX,
          "no such index: table="
              + collection.name()
              + ", index="
              + drop.name()
              + Suggestion.mend(
                  drop.name(),
                  collection.manifest(new VersionSpec.Latest()).indexes().stream()
                      .map(VectorIndexRef::name)
                      .toList()));
    }
  }

  private void alter(SqlAlterCollection alter) {
    Collection collection = warehouse.get(name(alter.table()));
    if (alter.action() instanceof SqlAlterCollection.Add add) {
      CollectionSchema declared = declared(add);
      String column = declared.fields().get(0).name();
      collection.alter(
          schema ->
              add.ifNotExists() && schema.find(column).isPresent()
                  ? schema
                  : SchemaChanges.add(schema, declared));
    } else if (alter.action() instanceof SqlAlterCollection.Drop drop) {
      String column = drop.column().getSimple();
      collection.alter(
          schema ->
              drop.ifExists() && schema.find(column).isEmpty()
                  ? schema
                  : SchemaChanges.drop(schema, column));
    } else {
      collection.reindex();
    }
  }

  /** A schema of just the column that is added. */
  private static CollectionSchema declared(SqlAlterCollection.Add add) {
    Map<String, String> options = options(add.options());
    SchemaBuilder builder = new SchemaBuilder();
    declare(add.column(), add.key(), options, builder);
    for (String kind : SchemaBuilder.ADDED_OPTIONS) {
      String option = kind + add.column().name().getSimple().toLowerCase(Locale.ROOT);
      String value = options.remove(option);
      if (value != null) {
        builder.option(option, value);
      }
    }
    if (!options.isEmpty()) {
      throw new LoamException(
          ErrorCode.INVALID_SCHEMA,
          "option does not belong to the added column: option="
              + options.keySet().iterator().next()
              + "; only '"
              + "comment.<column>', '"
              + METRIC
              + "<column>' of a VECTOR and 'k1.<column>', 'b.<column>' of a TEXT do");
    }
    if (add.key()) {
      builder.primaryKey(add.column().name().getSimple());
    }
    return builder.build();
  }

  private CollectionName name(SqlIdentifier id) {
    return switch (id.names.size()) {
      case 1 -> new CollectionName(defaultSchema, id.names.get(0));
      case 2 -> new CollectionName(id.names.get(0), id.names.get(1));
      default ->
          throw new LoamException(
              ErrorCode.SYNTAX_ERROR,
              "name has too many parts: name=" + id + "; write schema.table or table");
    };
  }

  private static CollectionSchema schema(SqlCreateCollection create) {
    Map<String, String> options = options(create.options());
    SchemaBuilder builder = new SchemaBuilder();
    for (SqlNode node : create.columns()) {
      SqlColumnDeclaration column = (SqlColumnDeclaration) node;
      boolean key =
          create.primaryKey().stream()
              .anyMatch(
                  k -> ((SqlIdentifier) k).getSimple().equalsIgnoreCase(column.name().getSimple()));
      declare(column, key, options, builder);
    }
    for (SqlNode key : create.primaryKey()) {
      builder.primaryKey(((SqlIdentifier) key).getSimple());
    }
    options.forEach(builder::option);
    return builder.build();
  }

  /** Declares a column, and takes its options out of all. */
  private static void declare(
      SqlColumnDeclaration column,
      boolean key,
      Map<String, String> options,
      SchemaBuilder builder) {
    String name = column.name().getSimple();
    FieldType type = type(column.type(), name);
    String metric = options.remove(METRIC + name.toLowerCase(Locale.ROOT));
    builder.add(
        name,
        type,
        column.nullable() && !key,
        analyzer(column, type),
        type.kind() == TypeKind.VECTOR && metric == null
            ? DEFAULT_METRIC
            : String.valueOf(metric == null ? "" : metric.toLowerCase(Locale.ROOT)));
  }

  private static Map<String, String> options(SqlNodeList given) {
    Map<String, String> options = new LinkedHashMap<>();
    List<SqlNode> nodes = given.getList();
    for (int i = 0; i < nodes.size(); i += 2) {
      String key = text(nodes.get(i)).toLowerCase(Locale.ROOT);
      if (options.put(key, text(nodes.get(i + 1))) != null) {
        throw new LoamException(
            ErrorCode.INVALID_SCHEMA, "option given twice: option=" + key + "; give it once");
      }
    }
    return options;
  }

  private static String text(SqlNode node) {
    if (node instanceof SqlIdentifier id) {
      return id.toString();
    }
    return SqlLiteral.unchain(node).toValue();
  }

  private static String analyzer(SqlColumnDeclaration column, FieldType type) {
    SqlNode analyzer = column.analyzer();
    if (analyzer != null) {
      return text(analyzer).toLowerCase(Locale.ROOT);
    }
    return type.kind() == TypeKind.TEXT ? AnalyzerNames.DEFAULT : "";
  }

  private static FieldType type(SqlDataTypeSpec spec, String column) {
    SqlTypeNameSpec name = spec.getTypeNameSpec();
    if (name instanceof SqlLoamTypeNameSpec loam) {
      return loam.fieldType();
    }
    if (name instanceof SqlCollectionTypeNameSpec array
        && array.getElementTypeName() instanceof SqlBasicTypeNameSpec element
        && typeName(element) == SqlTypeName.VARCHAR) {
      return FieldType.of(TypeKind.VARCHAR_ARRAY);
    }
    return name instanceof SqlBasicTypeNameSpec basic
        ? type(basic, column)
        : refuse(column, spec.toString().replace("`", ""));
  }

  private static FieldType type(SqlBasicTypeNameSpec spec, String column) {
    return switch (typeName(spec)) {
      case BIGINT -> FieldType.of(TypeKind.BIGINT);
      case INTEGER -> FieldType.of(TypeKind.INTEGER);
      case SMALLINT -> FieldType.SMALLINT;
      case TINYINT -> FieldType.TINYINT;
      case REAL -> FieldType.of(TypeKind.REAL);
      case DOUBLE, FLOAT -> FieldType.of(TypeKind.DOUBLE);
      case DECIMAL ->
          FieldType.decimal(
              spec.getPrecision() < 0 ? DEFAULT_DECIMAL_PRECISION : spec.getPrecision(),
              Math.max(spec.getScale(), 0));
      case BOOLEAN -> FieldType.of(TypeKind.BOOLEAN);
      case DATE -> FieldType.of(TypeKind.DATE);
      case TIMESTAMP -> FieldType.of(TypeKind.TIMESTAMP);
      case UUID -> FieldType.of(TypeKind.UUID);
      case VARCHAR -> FieldType.varchar(Math.max(spec.getPrecision(), 0));
      default -> refuse(column, spec.getTypeName().getSimple());
    };
  }

  private static FieldType refuse(String column, String type) {
    throw new LoamException(
        ErrorCode.INVALID_SCHEMA,
        "type is not supported: column="
            + column
            + ", type="
            + type
            + "; use BIGINT, INTEGER, SMALLINT, TINYINT, REAL, DOUBLE, DECIMAL(p,s), BOOLEAN, DATE,"
            + " TIMESTAMP, UUID, VARCHAR, VARCHAR ARRAY, TEXT, JSON, VECTOR(n) or SPARSEVECTOR");
  }

  private static SqlTypeName typeName(SqlBasicTypeNameSpec spec) {
    SqlTypeName name = SqlTypeName.get(spec.getTypeName().getSimple());
    return name == null ? SqlTypeName.ANY : name;
  }
}
