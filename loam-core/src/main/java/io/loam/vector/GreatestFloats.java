package io.loam.vector;

/** The k greatest of the numbers offered, as a heap with the smallest in front. */
final class GreatestFloats {
  private final float[] heap;
  private int size;

  GreatestFloats(int k) {
    this.heap = new float[k];
  }

  /** The k-th greatest, or negative infinity while there are fewer. */
  float kth() {
    return size < heap.length ? Float.NEGATIVE_INFINITY : heap[0];
  }

  void offer(float number) {
    if (size < heap.length) {
      up(number);
    } else if (number > heap[0]) {
      down(number);
    }
  }

  private void up(float number) {
    int place = size++;
    while (place > 0 && heap[(place - 1) >>> 1] > number) {
      heap[place] = heap[(place - 1) >>> 1];
      place = (place - 1) >>> 1;
    }
    heap[place] = number;
  }

  /** Puts a number in the place of the smallest. */
  private void down(float number) {
    int place = 0;
    for (int child = 1; child < size; child = 2 * place + 1) {
      if (child + 1 < size && heap[child + 1] < heap[child]) {
        child++;
      }
      if (heap[child] >= number) {
        break;
      }
      heap[place] = heap[child];
      place = child;
    }
    heap[place] = number;
  }
}
