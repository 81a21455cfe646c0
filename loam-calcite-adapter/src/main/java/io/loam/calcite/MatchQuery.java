package io.loam.calcite;

import io.loam.function.TextArguments;
import io.loam.schema.Field;
import io.loam.schema.TypeKind;
import io.loam.text.QueryField;
import io.loam.text.TextQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.calcite.DataContext;
import org.apache.calcite.DataContexts;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;

/**
 * A text query that conditions of {@code match} make, short of its parameters' values.
 *
 * @param text as EXPLAIN shows it
 */
record MatchQuery(String text, Function<DataContext, TextQuery> binding) {

  /** Finds the column that an expression is. */
  interface Columns {
    Optional<Field> find(RexNode node);
  }

  TextQuery bind(DataContext context) {
    return binding.apply(context);
  }

  /** The query of a condition that is made of {@code match}, AND and OR alone. */
  static Optional<MatchQuery> of(RexNode condition, Columns columns) {
    if (!(condition instanceof RexCall call)) {
      return Optional.empty();
    }
    return switch (call.getKind()) {
      case AND -> all(call, columns).map(parts -> and(parts));
      case OR ->
          all(call, columns)
              .map(
                  parts ->
                      combine(
                          parts, " OR ", all -> new TextQuery.Bool(List.of(), all, List.of(), 0)));
      default ->
          call.getOperator().equals(TextFunctions.MATCH_TEXT)
              ? ofMatch(call, columns)
              : Optional.empty();
    };
  }

  /** Rows that match all of the queries. */
  static MatchQuery and(List<MatchQuery> parts) {
    return combine(parts, " AND ", all -> new TextQuery.Bool(all, List.of(), List.of(), 0));
  }

  private static Optional<List<MatchQuery>> all(RexCall call, Columns columns) {
    List<MatchQuery> parts = new ArrayList<>();
    for (RexNode operand : call.getOperands()) {
      Optional<MatchQuery> part = of(operand, columns);
      if (part.isEmpty()) {
        return Optional.empty();
      }
      parts.add(part.get());
    }
    return Optional.of(parts);
  }

  private static MatchQuery combine(
      List<MatchQuery> parts, String word, Function<List<TextQuery>, TextQuery> combination) {
    if (parts.size() == 1) {
      return parts.get(0);
    }
    List<MatchQuery> kept = List.copyOf(parts);
    return new MatchQuery(
        kept.stream().map(MatchQuery::text).collect(Collectors.joining(word, "(", ")")),
        context -> combination.apply(kept.stream().map(part -> part.bind(context)).toList()));
  }

  private static Optional<MatchQuery> ofMatch(RexCall match, Columns columns) {
    Optional<Field> field =
        columns.find(match.getOperands().get(0)).filter(f -> f.kind() == TypeKind.TEXT);
    Optional<Operand> query = Operand.of(match.getOperands().get(1));
    Optional<Operand> syntax = Operand.of(match.getOperands().get(2));
    if (field.isEmpty() || query.isEmpty() || syntax.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(ofOperands(field.get(), query.get(), syntax.get()));
  }

  private static MatchQuery ofOperands(Field field, Operand query, Operand syntax) {
    TextArguments arguments =
        new TextArguments(
            "match", new QueryField(field.number(), field.analyzer(), 1), field.name());
    Function<DataContext, TextQuery> parse =
        context -> arguments.parse(query.value(context), syntax.value(context));
    boolean plain = syntax.constant() && "simple".equals(syntax.value(DataContexts.EMPTY));
    String text =
        "match(%s, %s%s)".formatted(field.name(), query.text(), plain ? "" : ", " + syntax.text());
    if (query.constant() && syntax.constant()) {
      TextQuery parsed = parse.apply(DataContexts.EMPTY);
      return new MatchQuery(text, context -> parsed);
    }
    return new MatchQuery(text, parse);
  }
}
