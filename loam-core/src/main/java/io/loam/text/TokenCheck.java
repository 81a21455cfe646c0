package io.loam.text;

import java.util.Arrays;
import java.util.Optional;

/**
 * Whether the parts of a token file agree: terms ascend, and documents, frequencies and posting
 * lists all say the same.
 */
public final class TokenCheck {
  private final TokenReader tokens;
  private final int[] frequencies;

  /** By term, over its documents in ascending order. */
  private final long[] digests;

  private TokenCheck(TokenReader tokens) {
    this.tokens = tokens;
    this.frequencies = new int[tokens.termCount()];
    this.digests = new long[tokens.termCount()];
  }

  /** What is wrong, or nothing; fails with {@code CORRUPT_OBJECT} as reads do. */
  public static Optional<String> problem(TokenReader tokens) {
    TokenCheck check = new TokenCheck(tokens);
    return check.documents().or(check::terms);
  }

  private Optional<String> documents() {
    long total = 0;
    int longest = 0;
    int[] buffer = new int[0];
    for (int doc = 0; doc < tokens.documentCount(); doc++) {
      int length = tokens.length(doc);
      buffer = tokens.tokens(doc, buffer);
      int[] codes = Arrays.copyOf(buffer, length);
      Arrays.sort(codes);
      if (length > 0 && (codes[0] < 0 || codes[length - 1] >= frequencies.length)) {
        return Optional.of("document %d has a term that is none".formatted(doc));
      }
      for (int from = 0, to; from < length; from = to) {
        to = from + 1;
        while (to < length && codes[to] == codes[from]) {
          to++;
        }
        frequencies[codes[from]]++;
        digests[codes[from]] = digest(digests[codes[from]], doc, to - from);
      }
      total += length;
      longest = Math.max(longest, length);
    }
    return total == tokens.totalTokens() && longest == tokens.longestDocument()
        ? Optional.empty()
        : Optional.of(
            "documents have %d tokens, the longest %d, the header says %d and %d"
                .formatted(total, longest, tokens.totalTokens(), tokens.longestDocument()));
  }

  private Optional<String> terms() {
    PostingBlock read = new PostingBlock();
    byte[] before = null;
    for (int code = 0; code < frequencies.length; code++) {
      byte[] term = tokens.termBytes(code);
      if (before != null && Arrays.compareUnsigned(before, term) >= 0) {
        return Optional.of("term %d is not after the one before".formatted(code));
      }
      before = term;
      long digest = 0;
      PostingList postings = tokens.postings(code);
      for (int block = 0; block < postings.blockCount(); block++) {
        postings.read(block, read);
        for (int i = 0; i < postings.blockSize(block); i++) {
          digest = digest(digest, read.docs[i], read.frequency(i));
        }
      }
      if (digest != digests[code] || tokens.documentFrequency(code) != frequencies[code]) {
        return Optional.of("term %d has other documents than the documents say".formatted(code));
      }
    }
    return Optional.empty();
  }

  private static long digest(long before, int doc, int count) {
    return (before * 31 + doc) * 0x9E37_79B9_7F4A_7C15L + count;
  }
}
