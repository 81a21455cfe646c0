package io.loam.calcite;

import io.loam.calcite.parser.SqlMergeInto;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.apache.calcite.adapter.java.JavaTypeFactory;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDelete;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperatorTable;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlUpdate;
import org.apache.calcite.sql.SqlUtil;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.SqlWithItem;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.sql.util.SqlOperatorTables;
import org.apache.calcite.sql.validate.SelectScope;
import org.apache.calcite.sql.validate.SetopNamespace;
import org.apache.calcite.sql.validate.SqlConformance;
import org.apache.calcite.sql.validate.SqlDelegatingConformance;
import org.apache.calcite.sql.validate.SqlNameMatchers;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorImpl;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.apache.calcite.sql.validate.SqlValidatorTable;
import org.apache.calcite.sql.validate.SqlValidatorUtil;
import org.apache.calcite.util.Static;
import org.apache.calcite.util.Util;
import org.jspecify.annotations.Nullable;

/** Calcite's validator, which keeps system columns out of where they were not named. */
final class LoamValidator extends SqlValidatorImpl {
  private final StarNames names;

  private final ParameterTypes parameters = new ParameterTypes(this);

  /** Queries that read themselves, by their unions. */
  private final IdentityHashMap<SqlCall, SqlWithItem> recursions = new IdentityHashMap<>();

  private LoamValidator(
      SqlOperatorTable operators,
      CalciteCatalogReader reader,
      JavaTypeFactory types,
      Config config) {
    super(operators, reader, types, config);
    this.names = new StarNames(reader, types);
  }

  static LoamValidator create(
      CalciteCatalogReader reader, JavaTypeFactory types, SqlConformance conformance) {
    return new LoamValidator(
        // Warehouses have no functions of their own, so each name need not be looked up there.
        SqlOperatorTables.chain(LoamFunctions.TABLE, SqlStdOperatorTable.instance()),
        reader,
        types,
        SqlValidator.Config.DEFAULT
            .withConformance(new StrictGroups(conformance))
            .withTypeCoercionFactory(LoamTypeCoercion::new)
            .withIdentifierExpansion(true));
  }

  /** A column that is neither grouped nor aggregated is an error, not any of the group's values. */
  private static final class StrictGroups extends SqlDelegatingConformance {
    StrictGroups(SqlConformance delegate) {
      super(delegate);
    }

    @Override
    public boolean isNonStrictGroupBy() {
      return false;
    }
  }

  /** Called for each column that a star stands for. */
  @Override
  protected void addToSelectList(
      List<SqlNode> list,
      Set<String> aliases,
      List<Map.Entry<String, RelDataType>> fieldList,
      SqlNode exp,
      SelectScope scope,
      boolean includeSystemVars) {
    if (!isSystemColumn(exp, scope)) {
      super.addToSelectList(list, aliases, fieldList, exp, scope, includeSystemVars);
    }
  }

  /** Whether an expression is a system column of a table or search, and not of a subquery. */
  private static boolean isSystemColumn(SqlNode exp, SelectScope scope) {
    if (!(exp instanceof SqlIdentifier id)
        || id.names.size() < 2
        || !SystemColumns.has(Util.last(id.names))) {
      return false;
    }
    SqlValidatorScope.ResolvedImpl resolved = new SqlValidatorScope.ResolvedImpl();
    scope.resolve(
        List.of(id.names.get(0)), SqlNameMatchers.withCaseSensitive(true), false, resolved);
    if (resolved.count() != 1) {
      return false;
    }
    SqlNode node = resolved.only().namespace.getNode();
    return node != null && isCollection(node);
  }

  private static boolean isCollection(SqlNode node) {
    return switch (node.getKind()) {
      case AS, LATERAL -> isCollection(((SqlBasicCall) node).operand(0));
      case IDENTIFIER, COLLECTION_TABLE, TABLE_REF -> true;
      default -> node instanceof SqlCall call && call.getOperator() instanceof SearchOperator;
    };
  }

  @Override
  protected void validateSelect(SqlSelect select, RelDataType targetRowType) {
    select.setOffset(RowCounts.planned(select.getOffset()));
    select.setFetch(RowCounts.planned(select.getFetch()));
    super.validateSelect(select, targetRowType);
  }

  /** Calcite gives a {@code ?} in ORDER BY no type. */
  @Override
  protected void validateOrderList(SqlSelect select) {
    SqlNodeList order = select.getOrderList();
    if (order != null) {
      for (SqlNode item : order) {
        inferUnknownTypes(getUnknownType(), getOrderScope(select), item);
      }
    }
    super.validateOrderList(select);
  }

  @Override
  protected SqlNode performUnconditionalRewrites(SqlNode node, boolean underFrom) {
    if (node instanceof SqlWith with) {
      names.note(with);
      noteReferences(with);
    } else if (node instanceof SqlOrderBy sorted && sorted.query instanceof SqlSelect select) {
      UsingColumns.resolve(select, sorted.orderList, names);
    } else if (node instanceof SqlSelect select) {
      UsingColumns.resolve(select, select.getOrderList(), names);
    } else if (node instanceof SqlInsert insert && !(insert instanceof MergeInsert)) {
      SqlValidatorTable table = getCatalogReader().getTable(targetNames(insert.getTargetTable()));
      LoamTable collection = table == null ? null : table.unwrap(LoamTable.class);
      if (collection != null) {
        InsertedTexts.cast(insert, collection.schema(), typeFactory);
      }
    }
    return super.performUnconditionalRewrites(
        node instanceof SqlMergeInto merge ? asInsert(merge) : node, underFrom);
  }

  /** Finds what reads the queries of a WITH: other parts of it, and themselves. */
  private void noteReferences(SqlWith with) {
    for (int i = 0; i < with.withList.size(); i++) {
      SqlWithItem item = (SqlWithItem) with.withList.get(i);
      String name = item.name.getSimple();
      if (item.recursive.booleanValue()
          && item.query instanceof SqlBasicCall union
          && union.getKind() == SqlKind.UNION
          && WithReferences.in(union.operand(1), name)) {
        recursions.put(union, item);
      }
      Util.skip(with.withList, i + 1)
          .forEach(later -> WithReferences.spell(((SqlWithItem) later).query, name));
      WithReferences.spell(with.body, name);
    }
  }

  @Override
  protected SetopNamespace createSetopNamespace(SqlCall call, SqlNode enclosingNode) {
    SqlWithItem query = recursions.get(call);
    return query == null
        ? new TypedSetop(call, enclosingNode)
        : new RecursiveUnion(this, call, enclosingNode, query, () -> scopes.get(call));
  }

  /** A set operation whose parameters have the types of their columns. */
  private final class TypedSetop extends SetopNamespace {
    private final SqlCall call;

    TypedSetop(SqlCall call, SqlNode enclosing) {
      super(LoamValidator.this, call, enclosing);
      this.call = call;
    }

    @Override
    public RelDataType validateImpl(RelDataType targetRowType) {
      inferColumns(call, targetRowType, scopes.get(call));
      return super.validateImpl(targetRowType);
    }
  }

  /** Columns that are written have their types already. */
  private void inferColumns(SqlCall query, RelDataType target, SqlValidatorScope scope) {
    if (!target.isStruct()) {
      ColumnParameters.infer(query, scope, this, parameters);
    }
  }

  @Override
  protected void validateValues(SqlCall values, RelDataType target, SqlValidatorScope scope) {
    inferColumns(values, target, scope);
    super.validateValues(values, target, scope);
  }

  private SqlNode asInsert(SqlMergeInto merge) {
    checkWritable(merge.target());
    SqlValidatorTable table = getCatalogReader().getTable(targetNames(merge.target()));
    if (table == null) {
      throw SqlUtil.newContextException(
          merge.target().getParserPosition(),
          Static.RESOURCE.objectNotFound(String.join(".", targetNames(merge.target()))));
    }
    return MergeInsert.of(merge, table.unwrapOrThrow(LoamTable.class));
  }

  private void validateMerged(MergeInsert merge) {
    SqlValidatorTable table =
        Objects.requireNonNull(getCatalogReader().getTable(targetNames(merge.getTargetTable())));
    SqlSelect rows = (SqlSelect) merge.getSource();
    RelDataType target =
        ((JavaTypeFactory) typeFactory)
            .toSql(merge.rowType(table.unwrapOrThrow(LoamTable.class), typeFactory));
    validateNamespace(Objects.requireNonNull(getNamespace(merge)), unknownType);
    validateSelect(rows, target);
    checkTypeAssignment(scopes.get(rows), table, getValidatedNodeType(rows), target, merge);
    // Calcite asks for the type of what was parsed.
    setValidatedNodeType(merge.merge(), target);
  }

  /**
   * A text's parameter has no length: Calcite gives it that of the text it is compared with, and
   * cuts what is bound to it.
   */
  @Override
  protected void inferUnknownTypes(RelDataType inferred, SqlValidatorScope scope, SqlNode node) {
    if (node instanceof SqlCall call) {
      parameters.infer(call, scope);
    }
    if (!(node instanceof SqlDynamicParam parameter)) {
      super.inferUnknownTypes(inferred, scope, node);
      return;
    }
    RelDataType type = parameters.decided(parameter).orElse(inferred);
    if (type.equals(getUnknownType()) && getValidatedNodeTypeIfKnown(node) != null) {
      return;
    }
    super.inferUnknownTypes(
        SqlTypeUtil.isCharacter(type) ? typeFactory.createSqlType(SqlTypeName.VARCHAR) : type,
        scope,
        node);
  }

  /** Parameters by their places in the text, which a rewritten statement does not keep. */
  @Override
  public RelDataType getParameterRowType(SqlNode statement) {
    Map<Integer, RelDataType> types = new TreeMap<>();
    statement.accept(
        new SqlBasicVisitor<Void>() {
          @Override
          public @Nullable Void visit(SqlDynamicParam parameter) {
            types.putIfAbsent(parameter.getIndex(), getValidatedNodeType(parameter));
            return null;
          }

          /** Numbers of rows, which Calcite takes for INTEGERs. */
          @Override
          public @Nullable Void visit(SqlCall call) {
            if (call instanceof SqlSelect select) {
              count(select.getOffset());
              count(select.getFetch());
            } else if (call instanceof SqlOrderBy sorted) {
              count(sorted.offset);
              count(sorted.fetch);
            }
            return super.visit(call);
          }

          private void count(@Nullable SqlNode rows) {
            if (rows instanceof SqlDynamicParam parameter) {
              types.put(parameter.getIndex(), typeFactory.createSqlType(SqlTypeName.BIGINT));
            }
          }
        });
    RelDataTypeFactory.Builder row = typeFactory.builder();
    types.forEach(
        (index, type) -> row.add(BoundParameters.name(index, parameters.digits(index)), type));
    return row.build();
  }

  /** Names of tables as they are declared, without the version that is read. */
  @Override
  public List<@Nullable List<String>> getFieldOrigins(SqlNode query) {
    List<@Nullable List<String>> origins = new ArrayList<>();
    for (List<String> origin : super.getFieldOrigins(query)) {
      origins.add(origin == null ? null : origin.stream().map(VersionedName::strip).toList());
    }
    return origins;
  }

  /** INSERT without a list of columns means the declared ones. */
  @Override
  public void validateInsert(SqlInsert insert) {
    checkWritable(insert.getTargetTable());
    if (insert instanceof MergeInsert merge) {
      validateMerged(merge);
      return;
    }
    if (insert.getTargetColumnList() != null) {
      checkWritableColumns(insert.getTargetColumnList());
    } else {
      SqlValidatorTable table = getCatalogReader().getTable(targetNames(insert.getTargetTable()));
      LoamTable collection = table == null ? null : table.unwrap(LoamTable.class);
      if (collection != null) {
        SqlNodeList columns = new SqlNodeList(insert.getParserPosition());
        collection
            .schema()
            .fields()
            .forEach(
                field -> columns.add(new SqlIdentifier(field.name(), insert.getParserPosition())));
        insert.setOperand(3, columns);
      }
    }
    super.validateInsert(insert);
  }

  @Override
  public void validateUpdate(SqlUpdate call) {
    checkWritable(call.getTargetTable());
    checkWritableColumns(call.getTargetColumnList());
    super.validateUpdate(call);
  }

  @Override
  public void validateDelete(SqlDelete call) {
    checkWritable(call.getTargetTable());
    super.validateDelete(call);
  }

  /** Says what cannot be assigned; Calcite looks for it among the columns that UPDATE reads. */
  @Override
  protected void checkTypeAssignment(
      @Nullable SqlValidatorScope sourceScope,
      SqlValidatorTable table,
      RelDataType sourceRowType,
      RelDataType targetRowType,
      SqlNode query) {
    if (query instanceof SqlUpdate update) {
      List<RelDataTypeField> sources = sourceRowType.getFieldList();
      List<RelDataTypeField> targets = targetRowType.getFieldList();
      int first = sources.size() - update.getTargetColumnList().size();
      for (int i = Math.max(0, first); i < sources.size() && i < targets.size(); i++) {
        RelDataType source = sources.get(i).getType();
        RelDataType target = targets.get(i).getType();
        if (!SqlTypeUtil.canCastFrom(target, source, getTypeMappingRule())) {
          SqlNode value = update.getSourceExpressionList().get(i - first);
          throw new LoamException(
              ErrorCode.TYPE_MISMATCH,
              "value is of another type than the column: column="
                  + update.getTargetColumnList().get(i - first)
                  + ", type="
                  + target
                  + ", given="
                  + source
                  + place(value)
                  + "; give a value of that type");
        }
      }
    }
    super.checkTypeAssignment(sourceScope, table, sourceRowType, targetRowType, query);
  }

  private static String place(SqlNode node) {
    SqlParserPos pos = node.getParserPosition();
    return ", line=" + pos.getLineNum() + ", column=" + pos.getColumnNum();
  }

  private void checkWritable(SqlNode target) {
    SqlValidatorTable table = getCatalogReader().getTable(targetNames(target));
    if (table != null && table.unwrap(LoamTable.class) == null) {
      throw new LoamException(
          ErrorCode.UNSUPPORTED,
          "system table is read only: table="
              + Util.last(targetNames(target))
              + "; change the collection itself");
    }
  }

  private static void checkWritableColumns(SqlNodeList columns) {
    for (SqlNode column : columns) {
      if (SystemColumns.has(Util.last(((SqlIdentifier) column).names))) {
        throw new LoamException(
            ErrorCode.UNKNOWN_COLUMN,
            "system column cannot be written: column=" + column + "; leave it out");
      }
    }
  }

  /** Vectors keep their dimension, and text may be assigned to them. */
  @Override
  protected RelDataType getLogicalSourceRowType(RelDataType sourceRowType, SqlInsert insert) {
    return ((JavaTypeFactory) typeFactory)
        .toSql(super.getLogicalSourceRowType(sourceRowType, insert));
  }

  @Override
  protected RelDataType getLogicalTargetRowType(RelDataType targetRowType, SqlInsert insert) {
    return ((JavaTypeFactory) typeFactory)
        .toSql(super.getLogicalTargetRowType(targetRowType, insert));
  }

  /** DELETE reads row ids only. */
  @Override
  protected SqlSelect createSourceSelectForDelete(SqlDelete call) {
    SqlSelect select = super.createSourceSelectForDelete(call);
    select.setSelectList(
        SqlNodeList.of(
            new SqlIdentifier(SystemColumns.ROW_ID.sqlName(), call.getParserPosition())));
    return select;
  }

  /** UPDATE reads all columns, system ones too, then the new values. */
  @Override
  protected SqlSelect createSourceSelectForUpdate(SqlUpdate call) {
    SqlSelect select = super.createSourceSelectForUpdate(call);
    SqlValidatorTable table = getCatalogReader().getTable(targetNames(call.getTargetTable()));
    if (table == null) {
      return select;
    }
    String alias =
        call.getAlias() == null
            ? Util.last(targetNames(call.getTargetTable()))
            : call.getAlias().getSimple();
    List<SqlNode> items = new ArrayList<>();
    for (RelDataTypeField field : table.getRowType().getFieldList()) {
      items.add(new SqlIdentifier(List.of(alias, field.getName()), SqlParserPos.ZERO));
    }
    int ordinal = 0;
    for (SqlNode value : call.getSourceExpressionList()) {
      items.add(SqlValidatorUtil.addAlias(value, SqlUtil.deriveAliasFromOrdinal(ordinal++)));
    }
    select.setSelectList(new SqlNodeList(items, SqlParserPos.ZERO));
    return select;
  }

  /** The parts of a target's name, which hints may follow. */
  static List<String> targetNames(SqlNode target) {
    SqlNode table =
        target.getKind() == SqlKind.TABLE_REF ? ((SqlBasicCall) target).operand(0) : target;
    return ((SqlIdentifier) table).names;
  }
}
