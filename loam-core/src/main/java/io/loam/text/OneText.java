package io.loam.text;

import io.loam.doc.DocSet;
import java.util.Optional;

/** A text that stands for itself, as a leaf of one document and one field. */
public final class OneText implements TextLeaf {
  private final int fieldNumber;
  private final TokenReader tokens;

  private OneText(int fieldNumber, TokenReader tokens) {
    this.fieldNumber = fieldNumber;
    this.tokens = tokens;
  }

  /** A text of a field, split into words by the field's analyzer. */
  public static OneText of(QueryField field, String text) {
    return new OneText(
        field.fieldNumber(), new TokenBuilder().addText(field.analyzer(), text).build());
  }

  /** Whether the text matches a query. */
  public boolean matches(TextQuery query) {
    return TextSearch.matches(query, this).contains(0);
  }

  /** The text's words. */
  TokenReader tokens() {
    return tokens;
  }

  @Override
  public int documentCount() {
    return 1;
  }

  @Override
  public DocSet live() {
    return DocSet.all(1);
  }

  @Override
  public Optional<TokenReader> tokens(int number) {
    return number == fieldNumber ? Optional.of(tokens) : Optional.empty();
  }

  @Override
  public RemovedTerms removed(int number) {
    return RemovedTerms.NONE;
  }
}
