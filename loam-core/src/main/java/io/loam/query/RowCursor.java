package io.loam.query;

import io.loam.leaf.OpenVersion;
import io.loam.schema.CollectionSchema;
import io.loam.schema.Field;
import io.loam.schema.SourceCodec;
import io.loam.schema.TypeKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the values of a sequence of rows: typed fields from columns, the others from the Lance
 * dataset by row id.
 */
final class RowCursor implements BatchCursor {
  private static final int FIRST_BATCH = 256;
  private static final int BATCH = 4096;

  /** Batches of wide values are small, so that they fit in memory whatever the documents are. */
  private static final int WIDE_BATCH = 512;

  private final OpenVersion version;
  private final List<OutputColumn> output;
  private final DocSequence rows;
  private final ScoredRows scored;
  private final QueryProfile profile;

  /** Fields that come from documents' bodies, as these name them. */
  private final List<Field> sourceFields;

  private final boolean wide;
  private int batchSize;

  RowCursor(
      OpenVersion version,
      List<OutputColumn> output,
      DocSequence rows,
      ScoredRows scored,
      QueryProfile profile) {
    this.version = version;
    this.output = output;
    this.rows = rows;
    this.scored = scored;
    this.profile = profile;
    Set<Integer> fromSource = new HashSet<>();
    boolean late = false;
    for (OutputColumn column : output) {
      if (column.kind() == OutputColumn.Kind.FIELD && column.number() > 0) {
        Field field = version.schema().field(column.number());
        late |= !field.kind().isTyped();
        if (field.kind() == TypeKind.TEXT || field.kind() == TypeKind.JSON) {
          fromSource.add(field.number());
        }
      }
      late |=
          column.kind() == OutputColumn.Kind.SOURCE
              || (column.kind() == OutputColumn.Kind.DISTANCE && !scored.byDistance());
    }
    this.sourceFields =
        fromSource.isEmpty()
            ? List.of()
            : version.schema().bodyFields().stream()
                .filter(f -> fromSource.contains(f.number()))
                .toList();
    this.wide = late;
    this.batchSize = FIRST_BATCH;
  }

  @Override
  public @Nullable RowBatch next() {
    return profile.timed("read", this::read);
  }

  private @Nullable RowBatch read() {
    DocSequence.Batch batch = rows.next(batchSize);
    batchSize = wide ? WIDE_BATCH : BATCH;
    if (batch.size() == 0) {
      return null;
    }
    Late late = new Late(batch);
    List<RowBatch.Values> columns = new ArrayList<>(output.size());
    for (OutputColumn column : output) {
      columns.add(values(column, batch, late));
    }
    return new RowBatch(batch.size(), columns);
  }

  private RowBatch.Values values(OutputColumn column, DocSequence.Batch batch, Late late) {
    return switch (column.kind()) {
      case FIELD -> field(column.number(), batch, late);
      case SCORE -> scores(batch);
      case DISTANCE ->
          scored.byDistance() ? BatchValues.objects(distances(batch.scores())) : late.distances();
      case RANK -> BatchValues.objects(legValues(scored.ranks().get(column.number() - 1), batch));
      case LEG_SCORE ->
          BatchValues.objects(legValues(scored.legScores().get(column.number() - 1), batch));
      case SOURCE -> BatchValues.objects(late.visibleSources());
      case ROW_ID -> BatchValues.longs(late.rowIds);
      case VERSION -> BatchValues.constant(version.manifest().version());
    };
  }

  /** A scan has no scores. */
  private static RowBatch.Values scores(DocSequence.Batch batch) {
    return batch.scores().length == 0
        ? BatchValues.objects(new @Nullable Object[batch.size()])
        : BatchValues.doubles(batch.scores());
  }

  /** The distances that are the scores of a {@link Search.ByDistance}. */
  private static @Nullable Object[] distances(double[] scores) {
    @Nullable Object[] distances = new @Nullable Object[scores.length];
    for (int i = 0; i < scores.length; i++) {
      distances[i] = scores[i] == Double.NEGATIVE_INFINITY ? null : (Object) (0.0 - scores[i]);
    }
    return distances;
  }

  private static <T> @Nullable Object[] legValues(
      java.util.Map<Long, T> byDoc, DocSequence.Batch batch) {
    @Nullable Object[] values = new @Nullable Object[batch.size()];
    for (int i = 0; i < values.length; i++) {
      T value = byDoc.get(RankedLeg.id(batch.leaves()[i], batch.docs()[i]));
      values[i] = value instanceof Integer rank ? (Object) rank.longValue() : value;
    }
    return values;
  }

  private RowBatch.Values field(int number, DocSequence.Batch batch, Late late) {
    if (number == version.schema().keyField() || version.schema().field(number).kind().isTyped()) {
      return GatheredColumn.of(version.leaves(), number, batch);
    }
    Field field = version.schema().field(number);
    return switch (field.kind()) {
      case VECTOR -> BatchValues.objects(late.vectors(number));
      case SPARSEVECTOR -> BatchValues.objects(version.sparse(number, late.rowIds));
      default -> BatchValues.objects(late.sourceField(number));
    };
  }

  @Override
  public void close() {}

  /** Values of one batch that come from the Lance dataset, each read once. */
  private final class Late {
    private final long[] rowIds;
    private String @Nullable [] sources;
    private @Nullable Object @Nullable [][] decoded;

    Late(DocSequence.Batch batch) {
      rowIds = new long[batch.size()];
      for (int i = 0; i < rowIds.length; i++) {
        rowIds[i] = version.leaves().get(batch.leaves()[i]).rowId(batch.docs()[i]);
      }
    }

    String[] sources() {
      if (sources == null) {
        sources = version.sources(rowIds);
      }
      return sources;
    }

    /** Bodies as users see them. */
    String[] visibleSources() {
      CollectionSchema schema = version.schema();
      return schema.dropped().isEmpty()
          ? sources()
          : Arrays.stream(sources())
              .map(body -> SourceCodec.visible(schema, body))
              .toArray(String[]::new);
    }

    @Nullable Object[] sourceField(int number) {
      int place = 0;
      while (sourceFields.get(place).number() != number) {
        place++;
      }
      if (decoded == null) {
        decoded = new @Nullable Object[rowIds.length][];
        for (int i = 0; i < rowIds.length; i++) {
          decoded[i] = SourceCodec.read(sources()[i], sourceFields);
        }
      }
      @Nullable Object[] values = new @Nullable Object[rowIds.length];
      for (int i = 0; i < values.length; i++) {
        values[i] = decoded[i][place];
      }
      return values;
    }

    float @Nullable [][] vectors(int fieldNumber) {
      return version.vectors(fieldNumber, rowIds);
    }

    RowBatch.Values distances() {
      ScoredRows.Distance distance = scored.vector().orElseThrow();
      float[][] vectors = vectors(distance.fieldNumber());
      double[] values = new double[rowIds.length];
      for (int i = 0; i < values.length; i++) {
        values[i] = distance.of(vectors[i]);
      }
      return BatchValues.doubles(values);
    }
  }
}
