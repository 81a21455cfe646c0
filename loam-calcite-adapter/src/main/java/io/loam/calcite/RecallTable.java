package io.loam.calcite;

import io.loam.Collection;
import io.loam.query.VersionSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Linq4j;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.schema.ScannableTable;
import org.apache.calcite.schema.impl.AbstractTable;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/**
 * {@code loam_recall('docs', 'embedding', samples => 100, k => 10)} in FROM: one row, as {@link
 * RecallProcedure} gives it. Between parser and schema its arguments stand in the name of a table,
 * as versions do in a {@link VersionedName}.
 */
final class RecallTable extends AbstractTable implements ScannableTable {
  private static final String NAME = "loam_recall";
  private static final char MARK = '\u0001';
  private static final Pattern ENCODED =
      Pattern.compile("(.*)" + MARK + "r([^" + MARK + "]*)" + MARK);

  private final Collection collection;
  private final VersionSpec version;
  private final RecallProcedure.Sample sample;

  private RecallTable(Collection collection, VersionSpec version, RecallProcedure.Sample sample) {
    this.collection = collection;
    this.version = version;
    this.sample = sample;
  }

  /** The table that a call in FROM stands for, if it is one of this function. */
  static Optional<SqlIdentifier> rewrite(SqlNode node, VersionSpec version) {
    if (!(node instanceof SqlBasicCall call
        && call.getOperator() instanceof SqlFunction function
        && function.getName().equalsIgnoreCase(NAME))) {
      return Optional.empty();
    }
    ProcedureCall checked = ProcedureCall.of(new RecallProcedure(), call);
    RecallProcedure.Sample sample = RecallProcedure.Sample.of(checked.arguments());
    String table = (String) checked.arguments().get(RecallProcedure.COLLECTION);
    List<String> names = new ArrayList<>(List.of(table.split("\\.", -1)));
    int last = names.size() - 1;
    String encoded = names.get(last) + MARK + "r" + sample.encode() + MARK;
    names.set(last, new VersionedName(encoded, version).encode());
    return Optional.of(new SqlIdentifier(names, call.getParserPosition()));
  }

  /** Finds collections of a schema. */
  interface Collections {
    Optional<Collection> find(String name);
  }

  /** The table with a name that {@link #rewrite} made, if it is one. */
  static Optional<RecallTable> find(VersionedName name, Collections collections) {
    Matcher matcher = ENCODED.matcher(name.name());
    return matcher.matches()
        ? collections
            .find(matcher.group(1))
            .map(
                collection ->
                    new RecallTable(
                        collection,
                        name.version(),
                        RecallProcedure.Sample.decode(matcher.group(2))))
        : Optional.empty();
  }

  @Override
  public RelDataType getRowType(RelDataTypeFactory factory) {
    return factory
        .builder()
        .add("samples", SqlTypeName.BIGINT)
        .add("k", SqlTypeName.BIGINT)
        .add("recall", SqlTypeName.DOUBLE)
        .add("exact_ms", SqlTypeName.DOUBLE)
        .add("approximate_ms", SqlTypeName.DOUBLE)
        .build();
  }

  @Override
  public Enumerable<@Nullable Object[]> scan(DataContext root) {
    return Linq4j.singletonEnumerable(sample.compare(collection, version));
  }
}
