package io.loam.text;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/** Tokens on the heap, with postings that are made on first use. */
final class MemoryTokens implements TokenReader {
  private final byte[] termBytes;
  private final int[] termStarts;
  private final int[] frequencies;
  private final int[] starts;
  private final int[] codes;
  private final int longest;
  private volatile @Nullable MemoryPostings postings;

  /**
   * @param termBytes UTF-8 of the terms, sorted
   * @param termStarts by code, and the end of the last
   * @param starts by document, its first place in {@code codes}, and the end of the last
   */
  MemoryTokens(byte[] termBytes, int[] termStarts, int[] starts, int[] codes) {
    this.termBytes = termBytes;
    this.termStarts = termStarts;
    this.starts = starts;
    this.codes = codes;
    this.frequencies = new int[termStarts.length - 1];
    int[] lastDoc = new int[frequencies.length];
    Arrays.fill(lastDoc, -1);
    int most = 0;
    for (int doc = 0; doc < documentCount(); doc++) {
      most = Math.max(most, length(doc));
      for (int i = starts[doc]; i < starts[doc + 1]; i++) {
        if (lastDoc[codes[i]] != doc) {
          lastDoc[codes[i]] = doc;
          frequencies[codes[i]]++;
        }
      }
    }
    this.longest = most;
  }

  @Override
  public int documentCount() {
    return starts.length - 1;
  }

  @Override
  public int termCount() {
    return frequencies.length;
  }

  @Override
  public int termCode(String term) {
    BytesRef wanted = new BytesRef(term);
    int low = 0;
    int high = termCount() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order =
          Arrays.compareUnsigned(
              termBytes,
              termStarts[middle],
              termStarts[middle + 1],
              wanted.bytes,
              wanted.offset,
              wanted.offset + wanted.length);
      if (order == 0) {
        return middle;
      }
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -1;
  }

  @Override
  public String term(int code) {
    int start = termStarts[code];
    return new String(termBytes, start, termStarts[code + 1] - start, StandardCharsets.UTF_8);
  }

  @Override
  public int documentFrequency(int code) {
    return frequencies[code];
  }

  @Override
  public long totalTokens() {
    return codes.length;
  }

  @Override
  public int longestDocument() {
    return longest;
  }

  @Override
  public int length(int doc) {
    return starts[doc + 1] - starts[doc];
  }

  @Override
  public int[] tokens(int doc, int[] buffer) {
    int length = length(doc);
    int[] target = buffer.length >= length ? buffer : new int[Math.max(64, length * 2)];
    System.arraycopy(codes, starts[doc], target, 0, length);
    return target;
  }

  @Override
  public PostingList postings(int code) {
    MemoryPostings made = postings;
    if (made == null) {
      synchronized (this) {
        made = postings;
        if (made == null) {
          made = new MemoryPostings(this, frequencies);
          postings = made;
        }
      }
    }
    return made.list(code);
  }
}
