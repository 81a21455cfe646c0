package io.loam.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Inverted lists as a plain program has them: each list is added to an array of scores. */
final class InvertedLists {
  static final String NAME = "Java lists";

  private final Map<Integer, Growing> growing = new HashMap<>();
  private final Map<Integer, Postings> lists = new HashMap<>();

  private record Postings(int[] docs, float[] weights) {}

  private static final class Growing {
    private int[] docs = new int[16];
    private float[] weights = new float[16];
    private int size;
  }

  void add(int id, Map<Integer, Float> vector) {
    vector.forEach(
        (index, weight) -> {
          Growing list = growing.computeIfAbsent(index, i -> new Growing());
          if (list.size == list.docs.length) {
            list.docs = Arrays.copyOf(list.docs, 2 * list.size);
            list.weights = Arrays.copyOf(list.weights, 2 * list.size);
          }
          list.docs[list.size] = id;
          list.weights[list.size++] = weight;
        });
  }

  void finish() {
    growing.forEach(
        (index, list) ->
            lists.put(
                index,
                new Postings(
                    Arrays.copyOf(list.docs, list.size), Arrays.copyOf(list.weights, list.size))));
    growing.clear();
  }

  Asker asker(List<Map<Integer, Float>> queries, int rows, int k) {
    List<Map<Integer, Float>> asked = new ArrayList<>(queries);
    double[] scores = new double[rows];
    return question -> {
      Arrays.fill(scores, 0);
      asked
          .get(question)
          .forEach(
              (index, weight) -> {
                Postings list = lists.get(index);
                if (list != null) {
                  add(list, weight, scores);
                }
              });
      TopScores top = new TopScores(k);
      double least = top.least();
      for (int row = 0; row < rows; row++) {
        if (scores[row] > least) {
          top.offer(row, scores[row]);
          least = top.least();
        }
      }
      return top.ids();
    };
  }

  private static void add(Postings list, double weight, double[] scores) {
    int[] docs = list.docs;
    float[] weights = list.weights;
    for (int i = 0; i < docs.length; i++) {
      scores[docs[i]] += weight * weights[i];
    }
  }
}
