package io.loam.calcite;

import io.loam.calcite.parser.impl.GeneratedParser;
import java.io.Reader;
import org.apache.calcite.avatica.util.Casing;
import org.apache.calcite.avatica.util.Quoting;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlAbstractParserImpl;
import org.apache.calcite.sql.parser.SqlParser;
import org.apache.calcite.sql.parser.SqlParserImplFactory;
import org.apache.calcite.sql.validate.SqlConformance;
import org.apache.calcite.sql.validate.SqlConformanceEnum;
import org.apache.calcite.util.SourceStringReader;

/** Loam's SQL parser. */
public final class LoamParser implements SqlParserImplFactory {
  /** Named by the connection property {@code parserFactory} as {@code LoamParser#FACTORY}. */
  public static final LoamParser FACTORY = new LoamParser();

  /** How liberal the dialect is; the connection property {@code conformance} says the same. */
  static final SqlConformance CONFORMANCE = SqlConformanceEnum.BABEL;

  /** Of the parser's buffer. */
  private static final int FEWEST_CHARS = 4096;

  private LoamParser() {}

  /** Names keep their spelling and match in any letter case. */
  static SqlParser.Config config() {
    return SqlParser.config()
        .withParserFactory(FACTORY)
        .withQuoting(Quoting.DOUBLE_QUOTE)
        .withQuotedCasing(Casing.UNCHANGED)
        .withUnquotedCasing(Casing.UNCHANGED)
        .withCaseSensitive(false)
        .withConformance(CONFORMANCE);
  }

  @Override
  public SqlAbstractParserImpl getParser(Reader reader) {
    GeneratedParser parser =
        new GeneratedParser(reader) {
          @Override
          public SqlNode parseSqlStmtEof() throws Exception {
            return SqlRewriter.rewrite(super.parseSqlStmtEof());
          }
        };
    if (reader instanceof SourceStringReader source) {
      String sql = source.getSourceString();
      parser.setOriginalSql(sql);
      parser.makeRoom(reader, Math.max(FEWEST_CHARS, sql.length() + 1));
    }
    return parser;
  }
}
