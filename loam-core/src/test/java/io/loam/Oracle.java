package io.loam;

import io.loam.schema.SparseVector;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Slow and obvious search over a list of documents, from the published formulas. */
final class Oracle {
  /** A document's key and score. */
  record Scored(long key, double score) {}

  private static final Comparator<Scored> ORDER =
      Comparator.comparingDouble((Scored s) -> -s.score()).thenComparingLong(Scored::key);

  private Oracle() {}

  static List<Scored> top(List<Scored> all, int k) {
    return all.stream().sorted(ORDER).limit(k).toList();
  }

  /** Words OR-ed over one field of texts split at white space. */
  static List<Scored> bm25(Map<Long, String> texts, Set<Long> allowed, Set<String> words) {
    return score(texts, allowed, new TreeSet<>(words), false, false);
  }

  static List<Scored> bm25All(Map<Long, String> texts, Set<Long> allowed, Set<String> words) {
    return score(texts, allowed, new TreeSet<>(words), true, false);
  }

  static List<Scored> phrase(Map<Long, String> texts, Set<Long> allowed, List<String> words) {
    return score(texts, allowed, words, true, true);
  }

  private static List<Scored> score(
      Map<Long, String> texts,
      Set<Long> allowed,
      Iterable<String> words,
      boolean all,
      boolean phrase) {
    long tokens = 0;
    Map<String, Integer> df = new HashMap<>();
    for (String text : texts.values()) {
      List<String> split = split(text);
      tokens += split.size();
      new HashSet<>(split).forEach(w -> df.merge(w, 1, Integer::sum));
    }
    double n = texts.size();
    double avgdl = tokens / n;
    List<Scored> hits = new ArrayList<>();
    for (long key : allowed) {
      List<String> doc = split(texts.get(key));
      double score = 0;
      boolean any = false;
      boolean every = true;
      if (phrase) {
        List<String> wanted = new ArrayList<>();
        words.forEach(wanted::add);
        int tf = 0;
        for (int i = 0; i + wanted.size() <= doc.size(); i++) {
          if (doc.subList(i, i + wanted.size()).equals(wanted)) {
            tf++;
          }
        }
        if (tf > 0) {
          double idf = 0;
          for (String w : new TreeSet<>(wanted)) {
            idf += idf(n, df.get(w)) * java.util.Collections.frequency(wanted, w);
          }
          any = true;
          score = termScore(idf, tf, doc.size(), avgdl);
        } else {
          every = false;
        }
      } else {
        for (String w : words) {
          int tf = java.util.Collections.frequency(doc, w);
          if (tf == 0) {
            every = false;
          } else {
            any = true;
            score += termScore(idf(n, df.get(w)), tf, doc.size(), avgdl);
          }
        }
      }
      if (any && (every || !all)) {
        hits.add(new Scored(key, score));
      }
    }
    return hits;
  }

  private static double idf(double n, double df) {
    return StrictMath.log(1 + (n - df + 0.5) / (df + 0.5));
  }

  /** From left to right, as the formula is written. */
  private static double termScore(double idf, int tf, int length, double avgdl) {
    double k1 = 1.2;
    double b = 0.75;
    return idf * (k1 + 1) * tf / (tf + k1 * (1 - b + b * quantised(length) / avgdl));
  }

  /** Lengths are kept to four significant bits above 24. */
  static int quantised(int length) {
    if (length < 24) {
      return length;
    }
    int rest = length - 24;
    int bits = 32 - Integer.numberOfLeadingZeros(rest);
    int drop = Math.max(0, bits - 4);
    return 24 + ((rest >>> drop) << drop);
  }

  static List<String> split(String text) {
    return text == null || text.isEmpty() ? List.of() : List.of(text.split(" "));
  }

  static List<Scored> cosine(Map<Long, float[]> vectors, Set<Long> allowed, float[] query) {
    List<Scored> hits = new ArrayList<>();
    for (long key : allowed) {
      float[] v = vectors.get(key);
      if (v != null) {
        double product = sum(query, query) * sum(v, v);
        double cos = product == 0 ? 0 : sum(query, v) / Math.sqrt(product);
        hits.add(new Scored(key, Math.max(-1, Math.min(1, cos)) + 0.0));
      }
    }
    return hits;
  }

  /** Eight partial sums by place, in a fixed tree. */
  private static double sum(float[] a, float[] b) {
    double[] s = new double[8];
    for (int i = 0; i < a.length; i++) {
      s[i % 8] += (double) a[i] * (double) b[i];
    }
    return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
  }

  static List<Scored> sparse(
      Map<Long, SparseVector> vectors, Set<Long> allowed, SparseVector query) {
    Map<Integer, Float> q = new TreeMap<>(Integer::compareUnsigned);
    for (int i = 0; i < query.size(); i++) {
      q.put(query.indices()[i], query.values()[i]);
    }
    List<Scored> hits = new ArrayList<>();
    for (long key : allowed) {
      SparseVector v = vectors.get(key);
      if (v == null) {
        continue;
      }
      double score = 0;
      boolean shared = false;
      for (int i = 0; i < v.size(); i++) {
        Float w = q.get(v.indices()[i]);
        if (w != null) {
          shared = true;
          score += (double) w * (double) v.values()[i];
        }
      }
      if (shared) {
        hits.add(new Scored(key, score + 0.0));
      }
    }
    return hits;
  }

  static List<Scored> rrf(List<List<Scored>> legs, double c) {
    Map<Long, Double> scores = new HashMap<>();
    for (List<Scored> leg : legs) {
      for (int i = 0; i < leg.size(); i++) {
        scores.merge(leg.get(i).key(), 1.0 / (c + i + 1), Double::sum);
      }
    }
    List<Scored> fused = new ArrayList<>();
    scores.forEach((key, score) -> fused.add(new Scored(key, score)));
    return fused;
  }
}
