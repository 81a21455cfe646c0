package io.loam.calcite;

import io.loam.column.Predicate;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.function.VectorValues;
import io.loam.query.Search;
import io.loam.schema.Field;
import io.loam.vector.Metric;
import java.util.Optional;
import org.apache.calcite.DataContext;

/** All rows, by the distance of a vector from a query. */
record DistanceRanking(Field field, Metric metric, Operand query) implements Ranking {

  @Override
  public Search bind(DataContext context, int k, Optional<Predicate> filter) {
    Object value = query.value(context);
    if (value == null) {
      throw new LoamException(
          ErrorCode.INVALID_ARGUMENT,
          DistanceFunctions.name(metric) + ": vector is null; give a value");
    }
    float[] vector = VectorValues.parse(value);
    VectorValues.check(vector, field);
    return new Search.ByDistance(field.number(), vector, metric, k, filter);
  }

  @Override
  public String toString() {
    return "%s(%s, %s)".formatted(DistanceFunctions.name(metric), field.name(), query.text());
  }
}
