package io.loam.bench;

import io.loam.demo.Synset;
import io.loam.demo.WordNet;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.en.EnglishAnalyzer;

/**
 * WordNet's definitions as documents, with questions drawn from them by a fixed seed. Questions
 * hold no stop words, so that an engine that knows none has the same work.
 *
 * @param questions word lists of 1 to 10 words that stand in this order, if not side by side, in
 *     some document
 * @param phrases word lists of 2 to 4 words that stand side by side in some document
 */
record Corpus(
    List<Synset> synsets,
    List<Doc> docs,
    List<List<String>> questions,
    List<List<String>> phrases) {
  private static final long SEED = 42;
  private static final Pattern WORD = Pattern.compile("[a-z]{2,}");
  private static final Pattern EDGES = Pattern.compile("^[(\"'`]+|[)\"';:,.!?]+$");

  /** The first {@code most} documents by id, spread evenly over WordNet. */
  static Corpus read(int most, int questionCount) {
    List<Synset> all;
    try (Stream<Synset> synsets = WordNet.synsets()) {
      all = synsets.toList();
    }
    int count = Math.min(most, all.size());
    Map<Long, Integer> uses = WordNet.uses();
    List<Synset> chosen = new ArrayList<>(count);
    List<Doc> docs = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      Synset synset = all.get((int) ((long) i * all.size() / count));
      chosen.add(synset);
      docs.add(
          new Doc(
              synset.id(),
              synset.topic(),
              uses.getOrDefault(synset.id(), 0),
              String.join(", ", synset.lemmas()) + ": " + synset.gloss()));
    }
    return of(chosen, docs, questionCount);
  }

  /** Documents with questions drawn from them. */
  static Corpus of(List<Synset> synsets, List<Doc> docs, int questionCount) {
    Random random = new Random(SEED);
    return new Corpus(
        synsets,
        docs,
        questions(docs, questionCount, random),
        phrases(docs, questionCount, random));
  }

  private static List<List<String>> questions(List<Doc> docs, int count, Random random) {
    List<List<String>> questions = new ArrayList<>();
    while (questions.size() < count) {
      Doc doc = docs.get(random.nextInt(docs.size()));
      List<String> words = runs(doc).stream().flatMap(List::stream).toList();
      addWindow(questions, words, 1 + random.nextInt(10), random);
    }
    return questions;
  }

  private static List<List<String>> phrases(List<Doc> docs, int count, Random random) {
    List<List<String>> phrases = new ArrayList<>();
    while (phrases.size() < count) {
      List<List<String>> runs = runs(docs.get(random.nextInt(docs.size())));
      if (!runs.isEmpty()) {
        List<String> run = runs.get(random.nextInt(runs.size()));
        addWindow(phrases, run, 2 + random.nextInt(3), random);
      }
    }
    return phrases;
  }

  private static void addWindow(
      List<List<String>> windows, List<String> words, int length, Random random) {
    if (words.size() >= length) {
      int from = random.nextInt(words.size() - length + 1);
      windows.add(List.copyOf(words.subList(from, from + length)));
    }
  }

  /** The plain words of a document, in runs that nothing else interrupts. */
  private static List<List<String>> runs(Doc doc) {
    CharArraySet stopWords = EnglishAnalyzer.getDefaultStopSet();
    List<List<String>> runs = new ArrayList<>();
    List<String> run = new ArrayList<>();
    for (String token : doc.body().toLowerCase(Locale.ROOT).split("\\s+", -1)) {
      String word = EDGES.matcher(token).replaceAll("");
      if (WORD.matcher(word).matches() && !stopWords.contains(word)) {
        run.add(word);
      } else if (!run.isEmpty()) {
        runs.add(run);
        run = new ArrayList<>();
      }
    }
    if (!run.isEmpty()) {
      runs.add(run);
    }
    return runs;
  }
}
