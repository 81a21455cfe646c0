package io.loam.function;

import static io.loam.function.Parameter.optional;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.query.Fusion;
import io.loam.query.Search;
import io.loam.schema.CollectionSchema;
import io.loam.schema.Limits;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** {@code hybrid}: fuses what several searches find. */
record Hybrid() implements FunctionSpec {
  private static final double RRF_K = 60;

  private enum Method {
    RRF,
    WEIGHTED,
    DBSF
  }

  @Override
  public String name() {
    return "hybrid";
  }

  @Override
  public String documentation() {
    return "Documents that several searches find, by their ranks or scores in all of them.";
  }

  @Override
  public List<Parameter> parameters() {
    return List.of(
        new Parameter("leg", Parameter.Type.LEG, true, "", "Call of a search function; 2 to 16."),
        optional("k", Parameter.Type.COUNT, "10", "Most rows to find."),
        optional("fusion", Parameter.Type.TEXT, "rrf", "rrf, weighted or dbsf."),
        optional("rrf_k", Parameter.Type.NUMBER, "60", "Added to each rank by rrf."),
        optional("weights", Parameter.Type.NUMBERS, "1 each", "Weights of the legs."),
        optional("min_score", Parameter.Type.NUMBER, "none", "Least score of a row."));
  }

  @Override
  public List<ResultColumn> resultColumns(int legs) {
    List<ResultColumn> columns = new ArrayList<>();
    columns.add(ResultColumn.SCORE);
    for (int leg = 1; leg <= legs; leg++) {
      columns.add(ResultColumn.rank(leg));
      columns.add(ResultColumn.score(leg));
    }
    return columns;
  }

  @Override
  public Search bind(Arguments<@Nullable Object> arguments, CollectionSchema schema, int defaultK) {
    Checks checks = new Checks(name(), arguments);
    checkLegs(checks, arguments.legs());
    List<Double> weights = weights(checks, arguments.legs().size());
    List<Search.Leg> legs = new ArrayList<>();
    for (int i = 0; i < weights.size(); i++) {
      legs.add(new Search.Leg((Search) arguments.legs().get(i), weights.get(i)));
    }
    return new Search.Hybrid(legs, checks.k(defaultK), fusion(checks), checks.finite("min_score"));
  }

  private static Fusion fusion(Checks checks) {
    Method method = checks.choice("fusion", Method.class).orElse(Method.RRF);
    if (method != Method.RRF && checks.arguments().has("rrf_k")) {
      throw checks.invalid(
          "rrf_k is of fusion rrf only: fusion="
              + method.name().toLowerCase(Locale.ROOT)
              + "; leave rrf_k out");
    }
    return switch (method) {
      case RRF -> new Fusion.ReciprocalRank(checks.positive("rrf_k", RRF_K));
      case WEIGHTED -> new Fusion.MinMax();
      case DBSF -> new Fusion.Distribution();
    };
  }

  private static void checkLegs(Checks checks, List<@Nullable Object> legs) {
    if (legs.size() < 2) {
      throw checks.invalid(
          "too few legs: legs=" + legs.size() + "; give 2 search functions or more");
    }
    if (legs.size() > Limits.MAX_LEGS) {
      throw new LoamException(
          ErrorCode.LIMIT_EXCEEDED,
          "hybrid: too many legs: legs="
              + legs.size()
              + ", limit="
              + Limits.MAX_LEGS
              + "; give fewer");
    }
    if (legs.stream().anyMatch(Search.Hybrid.class::isInstance)) {
      throw checks.unsupported("a leg is itself hybrid; give its legs to the outer call");
    }
  }

  private static List<Double> weights(Checks checks, int legs) {
    if (!checks.arguments().has("weights")) {
      return Collections.nCopies(legs, 1.0);
    }
    float[] weights = VectorValues.parse(checks.required("weights"));
    if (weights.length != legs) {
      throw checks.invalid(
          "wrong number of weights: given="
              + weights.length
              + ", legs="
              + legs
              + "; give one a leg");
    }
    List<Double> result = new ArrayList<>();
    for (float weight : weights) {
      if (!Float.isFinite(weight) || weight < 0) {
        throw checks.invalid(
            "weight is negative or not finite: weight=" + weight + "; use 0 or more");
      }
      // By way of text, so that 0.1 stays the double 0.1.
      result.add(Double.valueOf(Float.toString(weight)));
    }
    return result;
  }
}
