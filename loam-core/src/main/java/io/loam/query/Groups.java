package io.loam.query;

import io.loam.column.KeywordOrdinals;
import io.loam.leaf.Leaf;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The groups of all leaves, numbered from 0 on by the values of some fields. */
final class Groups {
  private static final int MOST_COMBINATIONS = 1 << 18;

  private final List<Integer> fields;
  private final List<GroupCodes> codes = new ArrayList<>();

  /** By field after the first: numbers of pairs of the fields before it and its own code. */
  private final List<LongNumbering> pairs = new ArrayList<>();

  /** By group, the codes of all fields. */
  private int[] codesOfGroups = {};

  private int count;
  private final int[] found;

  /**
   * By combination of ordinals, one more than the group's number; empty where not all fields have
   * ordinals, or where they have too many combinations.
   */
  private final int[] table;

  /** By field, what an ordinal adds to the combination. */
  private final int[] strides;

  /**
   * @param ordinals of those fields that have them
   */
  Groups(List<Integer> fields, Map<Integer, KeywordOrdinals> ordinals) {
    this.fields = fields;
    this.found = new int[fields.size()];
    this.strides = new int[fields.size()];
    long combinations = fields.isEmpty() ? 0 : 1;
    for (int i = 0; i < fields.size(); i++) {
      Optional<KeywordOrdinals> ofField = Optional.ofNullable(ordinals.get(fields.get(i)));
      codes.add(new GroupCodes(ofField));
      pairs.add(new LongNumbering());
      strides[i] = (int) combinations;
      combinations *= ofField.map(KeywordOrdinals::size).orElse(0);
      combinations = combinations > MOST_COMBINATIONS ? 0 : combinations;
    }
    this.table = new int[(int) combinations];
    if (fields.isEmpty()) {
      count = 1;
    }
  }

  /** Goes on to a leaf. */
  void begin(int number, Leaf leaf) {
    for (int i = 0; i < fields.size(); i++) {
      codes.get(i).begin(number, leaf.column(fields.get(i)).orElse(null));
    }
  }

  int[] table() {
    return table;
  }

  /** By a code of the leaf's column of the field at a place, what it adds to the combination. */
  int[] weights(int place) {
    int[] ordinals = codes.get(place).ordinalsOfLeaf();
    int[] weights = new int[ordinals.length];
    Arrays.setAll(weights, code -> ordinals[code] * strides[place]);
    return weights;
  }

  /** The number of a document's group. */
  int number(int doc) {
    int combination = 0;
    for (int i = 0; i < found.length; i++) {
      found[i] = codes.get(i).code(doc);
      combination += found[i] * strides[i];
    }
    if (table.length == 0) {
      return numberOfFound();
    }
    if (table[combination] == 0) {
      table[combination] = numberOfFound() + 1;
    }
    return table[combination] - 1;
  }

  /** By the number of a group among others, its number here. */
  int[] adopt(Groups others) {
    List<int[]> codesHere = new ArrayList<>();
    for (int i = 0; i < found.length; i++) {
      codesHere.add(codes.get(i).adopt(others.codes.get(i)));
    }
    int[] here = new int[others.count];
    for (int group = 0; group < here.length; group++) {
      for (int i = 0; i < found.length; i++) {
        found[i] = codesHere.get(i)[others.codesOfGroups[group * found.length + i]];
      }
      here[group] = numberOfFound();
    }
    return here;
  }

  private int numberOfFound() {
    int number = 0;
    for (int i = 0; i < found.length; i++) {
      number = pairs.get(i).number((long) number << 32 | found[i]);
    }
    if (number == count) {
      int start = count++ * found.length;
      if (start + found.length > codesOfGroups.length) {
        codesOfGroups = Arrays.copyOf(codesOfGroups, 2 * start + 64 * found.length);
      }
      System.arraycopy(found, 0, codesOfGroups, start, found.length);
    }
    return number;
  }

  int count() {
    return count;
  }

  /** A group's value of the field at a place. */
  @Nullable Object value(int group, int place) {
    return codes.get(place).value(codesOfGroups[group * fields.size() + place]);
  }
}
