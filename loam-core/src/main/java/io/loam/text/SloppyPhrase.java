package io.loam.text;

/**
 * Counts a phrase whose words may be moved.
 *
 * <p>A window is a range of shifts: a place of the phrase plus a shift is a position in the
 * document. It matches if the words of all places are at shifts in it, no position serving two
 * places. A matching window counts if no smaller one inside it matches and its length (last shift -
 * first shift) is at most the slop; it adds 1 / (1 + length).
 */
final class SloppyPhrase {
  private final int[] codes;
  private final int slop;

  /** By place, the place before it that has the same code, or -1. */
  private final int[] sameBefore;

  /** By place, the position of the match that was found last. */
  private final int[] taken;

  /** Of the match that was found last. */
  private int firstShift;

  /**
   * @param codes the phrase's term codes
   */
  SloppyPhrase(int[] codes, int slop) {
    this.codes = codes;
    this.slop = slop;
    this.sameBefore = new int[codes.length];
    this.taken = new int[codes.length];
    for (int place = 0; place < codes.length; place++) {
      int before = place - 1;
      while (before >= 0 && codes[before] != codes[place]) {
        before--;
      }
      sameBefore[place] = before;
    }
  }

  /** The sum over all windows of a document that count. */
  double count(int[] tokens, int length) {
    double sum = 0;
    int last = find(tokens, length, 1 - codes.length);
    while (last < length) {
      int first = firstShift;
      int next = find(tokens, length, first + 1);
      // Else the next window lies inside this one.
      if (next > last && last - first <= slop) {
        sum += 1.0 / (1 + last - first);
      }
      last = next;
    }
    return sum;
  }

  /**
   * Finds, of the matches whose shifts are at least {@code from}, one whose last shift is smallest,
   * and returns that; {@code length} if there is none.
   */
  private int find(int[] tokens, int length, int from) {
    int last = Integer.MIN_VALUE;
    firstShift = Integer.MAX_VALUE;
    for (int place = 0; place < codes.length; place++) {
      int position = Math.max(0, from + place);
      if (sameBefore[place] >= 0) {
        position = Math.max(position, taken[sameBefore[place]] + 1);
      }
      while (position < length && tokens[position] != codes[place]) {
        position++;
      }
      if (position >= length) {
        return length;
      }
      taken[place] = position;
      last = Math.max(last, position - place);
      firstShift = Math.min(firstShift, position - place);
    }
    return last;
  }
}
