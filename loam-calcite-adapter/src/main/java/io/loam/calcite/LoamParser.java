package io.loam.calcite;

import io.loam.calcite.parser.impl.GeneratedParser;
import java.io.Reader;
import org.apache.calcite.sql.parser.SqlAbstractParserImpl;
import org.apache.calcite.sql.parser.SqlParserImplFactory;
import org.apache.calcite.util.SourceStringReader;

/** Loam's SQL parser. */
public final class LoamParser implements SqlParserImplFactory {
  /** Named by the connection property {@code parserFactory} as {@code LoamParser#FACTORY}. */
  public static final LoamParser FACTORY = new LoamParser();

  private LoamParser() {}

  @Override
  public SqlAbstractParserImpl getParser(Reader reader) {
    GeneratedParser parser = new GeneratedParser(reader);
    if (reader instanceof SourceStringReader source) {
      parser.setOriginalSql(source.getSourceString());
    }
    return parser;
  }
}
