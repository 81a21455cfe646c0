package io.loam.query;

import io.loam.column.Column;
import io.loam.column.KeywordOrdinals;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Numbers the values of one field over all leaves, from 1 on; a missing value has the number 0.
 * Used for one leaf after the other.
 */
final class GroupCodes {
  /** Of all keywords; filled when a second leaf has some. */
  private final Map<String, Integer> numbers = new HashMap<>();

  private boolean isFirstLeaf = true;
  private final LongNumbering longs = new LongNumbering();
  private final List<@Nullable Object> values = new ArrayList<>();
  private @Nullable Column column;

  /** The numbers of a leaf's keywords by their codes, 0 for those that were not asked for. */
  private int[] ofKeywords = {};

  private final @Nullable KeywordOrdinals ordinals;

  /**
   * @param ordinals which are the numbers then
   */
  GroupCodes(Optional<KeywordOrdinals> ordinals) {
    this.ordinals = ordinals.orElse(null);
    values.add(null);
  }

  /** Goes on to a leaf; null where it has no such field. */
  void begin(int leaf, @Nullable Column next) {
    column = next;
    if (ordinals != null) {
      ofKeywords = ordinals.ofLeaf(leaf);
    } else if (next instanceof Column.Keywords keywords) {
      if (values.size() > 1) {
        knowKeywords();
      }
      ofKeywords = new int[keywords.dictionary().length + 1];
    }
  }

  /** The number of a document's value. */
  int code(int doc) {
    Column of = column;
    if (of == null || of.isNull(doc)) {
      return 0;
    }
    if (of instanceof Column.Keywords keywords) {
      return ofKeyword(keywords, keywords.codes()[doc]);
    }
    return number(((Column.Longs) of).values()[doc]);
  }

  /** The number of a keyword of the leaf's dictionary, by its code. */
  int ofKeyword(Column.Keywords keywords, int code) {
    if (ofKeywords[code] == 0 && ordinals == null) {
      ofKeywords[code] = number(keywords.dictionary()[code - 1]);
    }
    return ofKeywords[code];
  }

  int[] ordinalsOfLeaf() {
    return ofKeywords;
  }

  private int number(long value) {
    int number = longs.number(value) + 1;
    if (number == values.size()) {
      values.add(value);
    }
    return number;
  }

  private void knowKeywords() {
    if (isFirstLeaf) {
      isFirstLeaf = false;
      for (int number = 1; number < values.size(); number++) {
        numbers.put((String) Objects.requireNonNull(values.get(number)), number);
      }
    }
  }

  private int number(String keyword) {
    if (isFirstLeaf) {
      // The leaf's dictionary has no keyword twice.
      values.add(keyword);
      return values.size() - 1;
    }
    Integer known = numbers.putIfAbsent(keyword, values.size());
    if (known == null) {
      values.add(keyword);
      return values.size() - 1;
    }
    return known;
  }

  /** Numbers all values of another field's numbering: by their number there, the number here. */
  int[] adopt(GroupCodes other) {
    if (ordinals != null) {
      return IntStream.range(0, ordinals.size()).toArray(); // the other one has the same
    }
    int[] here = new int[other.values.size()];
    if (here.length > 1 && other.value(1) instanceof String) {
      knowKeywords();
    }
    for (int code = 1; code < here.length; code++) {
      here[code] =
          other.value(code) instanceof String keyword
              ? number(keyword)
              : number((long) Objects.requireNonNull(other.value(code)));
    }
    return here;
  }

  /** The value with a number: a keyword, or a long for whole numbers of all kinds. */
  @Nullable Object value(int code) {
    return ordinals == null || code == 0 ? values.get(code) : ordinals.keyword(code);
  }
}
