package io.loam.calcite;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.function.FunctionSpec;
import io.loam.schema.CollectionSchema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.calcite.DataContexts;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.prepare.Prepare;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.rel.core.TableModify;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql2rel.SqlRexConvertletTable;
import org.apache.calcite.sql2rel.SqlToRelConverter;
import org.jspecify.annotations.Nullable;

/** Calcite's converter, which makes scans of search functions and remembers UPSERT. */
final class LoamSqlToRel extends SqlToRelConverter {
  LoamSqlToRel(
      RelOptTable.ViewExpander viewExpander,
      SqlValidator validator,
      Prepare.CatalogReader catalogReader,
      RelOptCluster cluster,
      SqlRexConvertletTable convertletTable,
      Config config) {
    super(viewExpander, validator, catalogReader, cluster, convertletTable, config);
  }

  @Override
  protected void convertCollectionTable(Blackboard bb, SqlCall call) {
    if (!(call.getOperator() instanceof SearchOperator operator)) {
      super.convertCollectionTable(bb, call);
      return;
    }
    RelOptTable table = catalogReader.getTable(operator.tableName(call));
    if (table == null) {
      throw new IllegalStateException("validated collection is gone: " + call);
    }
    LoamTable collection = table.unwrapOrThrow(LoamTable.class);
    SearchCall search = searchCall(bb, call, collection.schema());
    if (search.constant()) {
      // Says now what is wrong with its values, before the statement runs.
      search.bind(DataContexts.EMPTY, collection.schema());
    }
    FunctionSpec spec = operator.spec();
    ScanSpec scan =
        ScanSpec.of(collection, collection.searchColumns(spec.resultColumns(operator.legs())))
            .withSearch(search);
    bb.setRoot(
        LoamScan.create(
            cluster,
            table,
            scan,
            collection.searchRowType(typeFactory, spec.resultColumns(operator.legs()))),
        true);
  }

  @Override
  protected void convertFrom(
      Blackboard bb, @Nullable SqlNode from, @Nullable List<String> fieldNames) {
    if (from != null && from.getKind() == SqlKind.VALUES) {
      DoubleValues.write((SqlCall) from, rowType(from));
    }
    super.convertFrom(bb, from, fieldNames);
  }

  @Override
  public RelNode convertValues(SqlCall values, RelDataType targetRowType) {
    DoubleValues.write(values, rowType(values));
    return super.convertValues(values, targetRowType);
  }

  /**
   * Calcite compares the types of the converted query of a WITH with those that it had when it was
   * validated, which differ where an INSERT casts its columns to those that they are written to.
   */
  @Override
  public RelRoot convertWith(SqlWith with, boolean top) {
    return convertQueryRecursive(with.body, top, null);
  }

  private RelDataType rowType(SqlNode values) {
    return SqlTypeUtil.promoteToRowType(
        typeFactory, Objects.requireNonNull(validator).getValidatedNodeType(values), null);
  }

  private SearchCall searchCall(Blackboard bb, SqlCall call, CollectionSchema schema) {
    SearchOperator operator = (SearchOperator) call.getOperator();
    List<SearchCall> legs = new ArrayList<>();
    for (int i = 0; i < operator.legs(); i++) {
      legs.add(searchCall(bb, call.operand(i), schema));
    }
    Map<String, Operand> operands = new LinkedHashMap<>();
    for (int i = 0; i < operator.parameters().size(); i++) {
      operands.put(
          operator.parameters().get(i), operand(bb, operator, call.operand(operator.legs() + i)));
    }
    Optional<PredicatePlan> filter =
        Optional.ofNullable(operands.get("filter"))
            .filter(Operand::constant)
            .map(text -> text.value(DataContexts.EMPTY))
            .map(text -> FilterText.translate(text.toString(), schema));
    return new SearchCall(operator.spec(), legs, operands, filter);
  }

  private Operand operand(Blackboard bb, SearchOperator operator, SqlNode value) {
    return Operand.folded(bb.convertExpression(value), cluster)
        .orElseThrow(
            () ->
                new LoamException(
                    ErrorCode.UNSUPPORTED,
                    operator.getName()
                        + ": argument is not a literal, a parameter or a constant: argument="
                        + value
                        + "; compute it first and bind it"));
  }

  @Override
  protected RelNode convertInsert(SqlInsert call) {
    if (call instanceof MergeInsert merge) {
      LoamTable target = getTargetTable(call).unwrapOrThrow(LoamTable.class);
      RelNode rows =
          MergeInsert.computedWhereNeeded(
              convertQueryRecursive(call.getSource(), false, null).project(),
              merge.actions(),
              target.schema().fields());
      return LoamModify.merge(target, rows, merge.actions());
    }
    RelNode modify = super.convertInsert(call);
    return call.isUpsert() && modify instanceof TableModify insert
        ? LoamModify.upsert(insert)
        : modify;
  }
}
