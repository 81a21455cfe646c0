package io.loam.text;

import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.BytesRefHash;
import org.apache.lucene.util.UnicodeUtil;

/**
 * Collects the tokens of one text field, document by document in doc-id order. Not safe for use by
 * several threads.
 */
public final class TokenBuilder {
  private final BytesRefHash terms = new BytesRefHash();
  private final BytesRef scratch =
      new BytesRef(new byte[Analyzers.MAX_TOKEN_LENGTH * UnicodeUtil.MAX_UTF8_BYTES_PER_CHAR]);

  /** Ids that {@link #terms} gave to the tokens, in order. */
  private int[] ids = new int[64];

  private int idCount;
  private int[] starts = new int[16];
  private int documentCount;

  /** By source: ids of its terms by code, or -1 for those that have not been copied yet. */
  private final IdentityHashMap<TokenReader, int[]> copiedIds = new IdentityHashMap<>();

  private int[] copyBuffer = new int[0];

  /** Adds the next document's tokens; an empty list where the field is missing. */
  public TokenBuilder add(List<String> tokens) {
    for (String token : tokens) {
      append(token);
    }
    endDocument();
    return this;
  }

  /** Adds the next document's text; an empty string where the field is missing. */
  public TokenBuilder addText(String analyzer, String text) {
    Analyzers.analyze(analyzer, text, this::append);
    endDocument();
    return this;
  }

  /** Adds the next document, a copy of one in {@code source}, which has the same field. */
  public TokenBuilder addCopy(TokenReader source, int doc) {
    int[] sourceIds =
        copiedIds.computeIfAbsent(
            source,
            s -> {
              int[] none = new int[s.termCount()];
              Arrays.fill(none, -1);
              return none;
            });
    copyBuffer = source.tokens(doc, copyBuffer);
    int length = source.length(doc);
    for (int i = 0; i < length; i++) {
      int code = copyBuffer[i];
      if (sourceIds[code] < 0) {
        append(source.term(code));
        sourceIds[code] = ids[idCount - 1];
      } else {
        appendId(sourceIds[code]);
      }
    }
    endDocument();
    return this;
  }

  /** Documents added. */
  public int documentCount() {
    return documentCount;
  }

  /** The documents added, in memory. The builder cannot be used any more. */
  public TokenReader build() {
    int termCount = terms.size();
    int[] sortedIds = terms.sort();
    int[] codeOfId = new int[termCount];
    int[] termStarts = new int[termCount + 1];
    BytesRef term = new BytesRef();
    for (int code = 0; code < termCount; code++) {
      codeOfId[sortedIds[code]] = code;
      termStarts[code + 1] = termStarts[code] + terms.get(sortedIds[code], term).length;
    }
    byte[] termBytes = new byte[termStarts[termCount]];
    for (int code = 0; code < termCount; code++) {
      terms.get(sortedIds[code], term);
      System.arraycopy(term.bytes, term.offset, termBytes, termStarts[code], term.length);
    }
    int[] codes = new int[idCount];
    for (int i = 0; i < idCount; i++) {
      codes[i] = codeOfId[ids[i]];
    }
    return new MemoryTokens(termBytes, termStarts, Arrays.copyOf(starts, documentCount + 1), codes);
  }

  private void append(String token) {
    if (token.length() > Analyzers.MAX_TOKEN_LENGTH) {
      throw new IllegalArgumentException("token length=" + token.length());
    }
    scratch.length = UnicodeUtil.UTF16toUTF8(token, 0, token.length(), scratch.bytes);
    appendScratch();
  }

  private void append(char[] buffer, int length) {
    scratch.length = UnicodeUtil.UTF16toUTF8(buffer, 0, length, scratch.bytes);
    appendScratch();
  }

  private void appendScratch() {
    int id = terms.add(scratch);
    appendId(id < 0 ? -id - 1 : id);
  }

  private void appendId(int id) {
    ids = ArrayUtil.grow(ids, idCount + 1);
    ids[idCount++] = id;
  }

  private void endDocument() {
    starts = ArrayUtil.grow(starts, ++documentCount + 1);
    starts[documentCount] = idCount;
  }
}
