package io.loam.calcite;

import io.loam.calcite.parser.Listings;
import io.loam.calcite.parser.SqlAlterCollection;
import io.loam.calcite.parser.SqlCreateCollection;
import io.loam.calcite.parser.SqlCreateTag;
import io.loam.calcite.parser.SqlDropTag;
import io.loam.calcite.parser.VersionOperator;
import io.loam.calcite.parser.Versions;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.function.Argument;
import io.loam.function.Arguments;
import io.loam.function.FunctionSpec;
import io.loam.query.VersionSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDescribeTable;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.util.Util;
import org.jspecify.annotations.Nullable;

/**
 * Prepares a parse tree for Calcite's validator: binds versions to the tables that they follow,
 * gives search functions their operator, each argument under its parameter, and shortens long
 * conditions.
 */
final class SqlRewriter extends LongConditions {

  static SqlNode rewrite(SqlNode statement) {
    TypeChecks.check(statement);
    return statement.accept(new SqlRewriter());
  }

  @Override
  public @Nullable SqlNode visit(SqlCall call) {
    if (call instanceof SqlCreateCollection
        || call instanceof SqlCreateTag
        || call instanceof SqlDropTag
        || call instanceof SqlAlterCollection) {
      return call;
    }
    if (call instanceof SqlDescribeTable describe) {
      SqlIdentifier column = describe.getColumn();
      return Listings.columns(
          describe.getTable(),
          column == null
              ? null
              : SqlLiteral.createCharString(column.getSimple(), column.getParserPosition()));
    }
    StatementChecks.check(call);
    if (call.getKind() == SqlKind.DEFAULT) {
      // Columns have no other default.
      return SqlLiteral.createNull(call.getParserPosition());
    }
    if (call.getKind() == SqlKind.AS
        && call.operand(0) instanceof SqlCall inner
        && inner.getOperator() instanceof VersionOperator) {
      List<SqlNode> operands = new ArrayList<>(call.getOperandList());
      operands.set(0, bindVersion(inner));
      return call.getOperator().createCall(call.getParserPosition(), operands);
    }
    if (call.getOperator() instanceof VersionOperator) {
      return withOwnName(call, bindVersion(call));
    }
    if (call.getKind() == SqlKind.COLLECTION_TABLE) {
      return bindFunction(call, new VersionSpec.Latest());
    }
    return super.visit(NeighbourDefault.without(Statistics.ofDoubles(call)));
  }

  private SqlNode bindVersion(SqlCall versioned) {
    VersionSpec version = Versions.of(versioned);
    SqlNode table = versioned.operand(0);
    if (table instanceof SqlIdentifier id) {
      List<String> names = new ArrayList<>(id.names);
      names.set(names.size() - 1, new VersionedName(Util.last(names), version).encode());
      return new SqlIdentifier(names, id.getParserPosition());
    }
    if (table instanceof SqlCall call && call.getKind() == SqlKind.COLLECTION_TABLE) {
      return bindFunction(call, version);
    }
    throw new LoamException(
        ErrorCode.UNSUPPORTED,
        "only a table or a search function has versions: given="
            + FirstWord.nameOf(table)
            + "; put FOR VERSION AS OF after its name");
  }

  /** A table that has no alias is still known by its plain name. */
  private static SqlNode withOwnName(SqlCall versioned, SqlNode bound) {
    if (versioned.operand(0) instanceof SqlIdentifier id) {
      SqlParserPos pos = id.getParserPosition();
      return SqlStdOperatorTable.AS.createCall(
          pos, bound, new SqlIdentifier(Util.last(id.names), pos));
    }
    return bound;
  }

  private SqlNode bindFunction(SqlCall collectionTable, VersionSpec version) {
    SqlNode call = collectionTable.operand(0);
    Optional<SqlIdentifier> recall = RecallTable.rewrite(call, version);
    if (recall.isPresent()) {
      return recall.get();
    }
    Optional<FunctionSpec> spec = specOf(call);
    if (spec.isEmpty()) {
      return super.visit(collectionTable);
    }
    return collectionTable
        .getOperator()
        .createCall(
            collectionTable.getParserPosition(), search(spec.get(), (SqlCall) call, version));
  }

  private static Optional<FunctionSpec> specOf(SqlNode node) {
    return node instanceof SqlBasicCall call
            && call.getOperator() instanceof SqlFunction function
            && function.getNameAsId().isSimple()
        ? FunctionSpec.find(function.getName())
        : Optional.empty();
  }

  private SqlCall search(FunctionSpec spec, SqlCall call, VersionSpec version) {
    List<Argument<SqlNode>> given = new ArrayList<>();
    for (SqlNode operand : call.getOperandList()) {
      if (operand.getKind() == SqlKind.ARGUMENT_ASSIGNMENT) {
        SqlCall assignment = (SqlCall) operand;
        SqlIdentifier name = assignment.operand(1);
        given.add(
            new Argument<>(
                Optional.of(name.getSimple().toLowerCase(Locale.ROOT)),
                argument(spec, assignment.operand(0), version)));
      } else {
        given.add(new Argument<>(Optional.empty(), argument(spec, operand, version)));
      }
    }
    Arguments<SqlNode> arguments = spec.arrange(given);
    List<SqlNode> operands = new ArrayList<>(arguments.legs());
    operands.addAll(arguments.values().values());
    return new SearchOperator(
            spec, arguments.legs().size(), List.copyOf(arguments.values().keySet()), version)
        .createCall(call.getParserPosition(), operands);
  }

  private SqlNode argument(FunctionSpec outer, SqlNode value, VersionSpec version) {
    Optional<FunctionSpec> leg = specOf(value);
    if (leg.isPresent() && outer.name().equals("hybrid")) {
      return search(leg.get(), (SqlCall) value, version);
    }
    SqlNode rewritten = value.accept(this);
    return rewritten == null ? value : rewritten;
  }
}
