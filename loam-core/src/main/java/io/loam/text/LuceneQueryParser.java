package io.loam.text;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.lucene.analysis.core.KeywordAnalyzer;
import org.apache.lucene.queryparser.classic.ParseException;
import org.apache.lucene.queryparser.classic.QueryParser;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.jspecify.annotations.Nullable;

/**
 * Reads Lucene's classic query syntax: Lucene's parser makes the tree, whose leaves are analysed as
 * {@link SimpleQueryParser} does it.
 */
final class LuceneQueryParser {
  private static final String DEFAULT_FIELD = "";

  private final String text;
  private final boolean allWords;
  private final List<QueryField> fields;
  private final Function<String, Optional<QueryField>> named;
  private final boolean counted;

  /**
   * @param fields searched by clauses that name no field
   * @param named finds the field that a clause names
   * @param counted whether clauses of the outermost group are counted
   */
  LuceneQueryParser(
      String text,
      boolean allWords,
      List<QueryField> fields,
      Function<String, Optional<QueryField>> named,
      boolean counted) {
    this.text = text;
    this.allWords = allWords;
    this.fields = fields;
    this.named = named;
    this.counted = counted;
  }

  /** Fails with {@code INVALID_ARGUMENT} on text that is not of the syntax. */
  TextQuery parse() {
    if (text.isBlank()) {
      return new TextQuery.None();
    }
    try {
      Query query = new Reader().parse(text);
      QueryClauses.Group outermost = new QueryClauses(fields, false, counted).outermost();
      return query instanceof BooleanQuery bool
          ? convert(bool, 1, outermost)
          : outermost.add(convert(query, 1)).build();
    } catch (ParseException e) {
      throw invalid(firstLine(e.getMessage()), e);
    } catch (IndexSearcher.TooManyClauses e) {
      throw new LoamException(
          ErrorCode.LIMIT_EXCEEDED,
          "query has too many clauses: limit=" + IndexSearcher.getMaxClauseCount() + "; shorten it",
          e);
    } catch (StackOverflowError e) {
      throw new LoamException(
          ErrorCode.LIMIT_EXCEEDED,
          "query is nested too deeply: length=" + text.length() + "; use fewer parentheses",
          e);
    }
  }

  private LoamException invalid(String reason, @Nullable Throwable cause) {
    return new LoamException(
        ErrorCode.INVALID_ARGUMENT,
        "not a query in Lucene's syntax: query="
            + text
            + ", reason="
            + reason
            + "; mend it, escape special characters by a backslash, or use syntax => 'simple'",
        cause);
  }

  private static String firstLine(String message) {
    return message.lines().map(String::strip).findFirst().orElse("unreadable");
  }

  private TextQuery convert(Query query, double boost) {
    if (query instanceof Leaf leaf) {
      return boosted(leaf.meaning, boost);
    }
    if (query instanceof BoostQuery boosted) {
      return convert(boosted.getQuery(), boost * boosted.getBoost());
    }
    if (query instanceof BooleanQuery bool) {
      return convert(bool, boost, new QueryClauses(fields, false, false).group());
    }
    if (query instanceof MatchNoDocsQuery) {
      return new TextQuery.None();
    }
    throw invalid(query.getClass().getSimpleName() + " is not supported", null);
  }

  private TextQuery convert(BooleanQuery bool, double boost, QueryClauses.Group group) {
    for (BooleanClause clause : bool) {
      TextQuery query = convert(clause.getQuery(), boost);
      switch (clause.getOccur()) {
        case MUST, FILTER -> group.addMust(query);
        case SHOULD -> group.add(query);
        case MUST_NOT -> group.addMustNot(query);
      }
    }
    return group.build();
  }

  private TextQuery boosted(TextQuery query, double boost) {
    if (boost == 1) {
      return query;
    }
    if (query instanceof TextQuery.Term t) {
      return new TextQuery.Term(
          t.fieldNumber(), t.term(), QueryClauses.checkBoost(t.boost() * boost));
    }
    if (query instanceof TextQuery.Phrase p) {
      return new TextQuery.Phrase(
          p.fieldNumber(), p.terms(), p.slop(), QueryClauses.checkBoost(p.boost() * boost));
    }
    if (query instanceof TextQuery.Pattern p) {
      return new TextQuery.Pattern(
          p.fieldNumber(), p.pattern(), QueryClauses.checkBoost(p.boost() * boost));
    }
    if (query instanceof TextQuery.Bool b) {
      return new TextQuery.Bool(
          b.must().stream().map(q -> boosted(q, boost)).toList(),
          b.should().stream().map(q -> boosted(q, boost)).toList(),
          b.mustNot(),
          b.leastShould());
    }
    return query;
  }

  /** A clause that holds what it means. */
  private static final class Leaf extends Query {
    private final TextQuery meaning;

    Leaf(TextQuery meaning) {
      this.meaning = meaning;
    }

    @Override
    public String toString(String field) {
      return meaning.toString();
    }

    @Override
    public void visit(QueryVisitor visitor) {
      visitor.visitLeaf(this);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Leaf leaf && leaf.meaning.equals(meaning);
    }

    @Override
    public int hashCode() {
      return meaning.hashCode();
    }
  }

  private final class Reader extends QueryParser {
    Reader() {
      super(DEFAULT_FIELD, new KeywordAnalyzer());
      setDefaultOperator(allWords ? Operator.AND : Operator.OR);
      setAllowLeadingWildcard(true);
    }

    private QueryClauses clauses(String field) {
      if (field.equals(DEFAULT_FIELD)) {
        return new QueryClauses(fields, allWords, false);
      }
      QueryField found =
          named
              .apply(field)
              .orElseThrow(
                  () ->
                      new LoamException(
                          ErrorCode.UNKNOWN_COLUMN,
                          "no such text column: column="
                              + field
                              + ", query="
                              + text
                              + "; name a TEXT column, or escape the colon by a backslash"));
      return new QueryClauses(List.of(found), allWords, false);
    }

    @Override
    protected Query getFieldQuery(String field, String words, boolean quoted) {
      return new Leaf(quoted ? clauses(field).phrase(words, 0) : clauses(field).word(words));
    }

    @Override
    protected Query getFieldQuery(String field, String words, int slop) {
      return new Leaf(clauses(field).phrase(words, slop));
    }

    @Override
    protected Query getPrefixQuery(String field, String start) {
      return new Leaf(clauses(field).pattern(TermPattern.Kind.PREFIX, start, 0));
    }

    @Override
    protected Query getWildcardQuery(String field, String pattern) {
      return new Leaf(clauses(field).pattern(TermPattern.Kind.WILDCARD, pattern, 0));
    }

    @Override
    protected Query getFuzzyQuery(String field, String word, float similarity) {
      // Below 1 it is the share of letters that must be equal, as it once was in Lucene.
      int edits = (int) (similarity >= 1 ? similarity : (1 - similarity) * word.length());
      return new Leaf(
          edits == 0 || similarity == 0
              ? clauses(field).word(word)
              : clauses(field).pattern(TermPattern.Kind.FUZZY, word, edits));
    }

    @Override
    protected Query getRegexpQuery(String field, String expression) {
      throw invalid("regular expressions are not supported", null);
    }

    @Override
    protected Query getRangeQuery(
        String field, String low, String high, boolean withLow, boolean withHigh) {
      throw invalid("ranges are not supported: compare columns in WHERE or filter", null);
    }
  }
}
