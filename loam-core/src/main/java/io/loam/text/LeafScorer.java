package io.loam.text;

import io.loam.text.CompiledQuery.BoolNode;
import io.loam.text.CompiledQuery.Node;
import io.loam.text.CompiledQuery.PatternNode;
import io.loam.text.CompiledQuery.TermsNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Exact scores of one leaf's documents, from their tokens. Not safe for use by several threads. */
final class LeafScorer {
  /** The score of a document that does not match; others are greater than 0. */
  static final double NO_MATCH = -1;

  private final LeafQuery leaf;
  private final FieldReader[] fields;

  /** Occurrences of each slot's term in the document at hand. */
  private final int[] frequencies;

  private final boolean hasPatterns;

  /** By node, made when first needed. */
  private final @Nullable SloppyPhrase[] sloppy;

  LeafScorer(LeafQuery leaf) {
    this.leaf = leaf;
    this.frequencies = new int[leaf.codes.length];
    this.hasPatterns = leaf.query.nodes.stream().anyMatch(PatternNode.class::isInstance);
    this.sloppy = new SloppyPhrase[leaf.query.nodes.size()];
    List<FieldReader> present = new ArrayList<>();
    for (int field = 0; field < leaf.readers.length; field++) {
      present.add(new FieldReader(field));
    }
    this.fields = present.toArray(FieldReader[]::new);
  }

  /** The document's score, or {@link #NO_MATCH}. */
  double score(int doc) {
    return score(doc, leaf.query.root);
  }

  /** The document's score by one clause, or {@link #NO_MATCH}. */
  double score(int doc, Node node) {
    Arrays.fill(frequencies, 0);
    boolean any = false;
    for (FieldReader field : fields) {
      any |= field.read(doc);
    }
    return any || hasPatterns ? score(node) : NO_MATCH;
  }

  private double score(Node node) {
    if (node instanceof TermsNode terms) {
      return score(terms);
    }
    if (node instanceof PatternNode pattern) {
      boolean matches =
          leaf.mostMatches(pattern) > 0 && fields[pattern.field()].hasAny(leaf.codes(pattern));
      return matches ? pattern.boost() : NO_MATCH;
    }
    return node instanceof BoolNode bool ? score(bool) : NO_MATCH;
  }

  private double score(TermsNode node) {
    int[] slots = node.slots();
    double frequency = frequencies[slots[0]];
    if (slots.length > 1) {
      for (int i = 1; i < slots.length && frequency > 0; i++) {
        frequency = Math.min(frequency, frequencies[slots[i]]);
      }
      if (frequency > 0) {
        frequency = countPhrase(node);
      }
    }
    return frequency == 0
        ? NO_MATCH
        : node.weight() * frequency / (frequency + fields[node.field()].norm());
  }

  private double countPhrase(TermsNode node) {
    FieldReader field = fields[node.field()];
    if (node.slop() == 0) {
      return field.countPhrase(node.slots());
    }
    SloppyPhrase phrase = sloppy[node.ordinal()];
    if (phrase == null) {
      int[] codes = Arrays.stream(node.slots()).map(slot -> leaf.codes[slot]).toArray();
      phrase = new SloppyPhrase(codes, node.slop());
      sloppy[node.ordinal()] = phrase;
    }
    return phrase.count(field.tokens, field.length);
  }

  private double score(BoolNode node) {
    double sum = 0;
    int should = 0;
    for (int i = 0; i < node.clauses().size(); i++) {
      double score = score(node.clauses().get(i));
      boolean matched = score != NO_MATCH;
      switch (node.occurs().get(i)) {
        case MUST -> {
          if (!matched) {
            return NO_MATCH;
          }
          sum += score;
        }
        case SHOULD -> {
          if (matched) {
            should++;
            sum += score;
          }
        }
        case MUST_NOT -> {
          if (matched) {
            return NO_MATCH;
          }
        }
      }
    }
    return should >= node.leastShould() ? sum : NO_MATCH;
  }

  /** The tokens of one field of the document at hand, and a hash table from term code to slot. */
  private final class FieldReader {
    private final int field;
    private final int[] tableCodes;
    private final int[] tableSlots;
    private final int shift;
    private int[] tokens = new int[0];
    private int length;

    FieldReader(int field) {
      this.field = field;
      int bits = 3;
      while (1 << bits < 4 * leaf.codes.length) {
        bits++;
      }
      this.shift = Integer.SIZE - bits;
      this.tableCodes = new int[1 << bits];
      this.tableSlots = new int[1 << bits];
      Arrays.fill(tableCodes, -1);
      for (int slot = 0; slot < leaf.codes.length; slot++) {
        if (leaf.query.slots.get(slot).field() == field && leaf.codes[slot] >= 0) {
          int at = place(leaf.codes[slot]);
          tableCodes[at] = leaf.codes[slot];
          tableSlots[at] = slot;
        }
      }
    }

    /** Where a code is, or the free place where it would be. */
    private int place(int code) {
      int at = (code * 0x9E3779B9) >>> shift;
      while (tableCodes[at] >= 0 && tableCodes[at] != code) {
        at = (at + 1) & (tableCodes.length - 1);
      }
      return at;
    }

    /** Counts the slots' terms in a document; false where it has none of them. */
    boolean read(int doc) {
      TokenReader reader = leaf.readers[field];
      if (reader == null) {
        return false;
      }
      tokens = reader.tokens(doc, tokens);
      length = reader.length(doc);
      boolean any = false;
      for (int i = 0; i < length; i++) {
        int at = place(tokens[i]);
        if (tableCodes[at] >= 0) {
          frequencies[tableSlots[at]]++;
          any = true;
        }
      }
      return any;
    }

    boolean hasAny(BitSet codes) {
      for (int i = 0; i < length; i++) {
        if (codes.get(tokens[i])) {
          return true;
        }
      }
      return false;
    }

    double norm() {
      return leaf.query.formulas.get(field).norm(length, leaf.query.averageLengths[field]);
    }

    int countPhrase(int[] slots) {
      int count = 0;
      for (int start = 0; start + slots.length <= length; start++) {
        int i = 0;
        while (i < slots.length && tokens[start + i] == leaf.codes[slots[i]]) {
          i++;
        }
        if (i == slots.length) {
          count++;
        }
      }
      return count;
    }
  }
}
