package io.loam.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.zip.CRC32;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;

/**
 * Sparse vectors by lexical expansion: a synset's vector holds the words of its lemmas and gloss,
 * and with lower weights those of what it is a kind of, so that {@code animal} finds a {@code dog}
 * whose gloss never says so.
 *
 * <p>A word's index is the CRC-32 of its English-analysed form. Its weight in a synset is the tf
 * part of BM25 over the expanded text (k1 = 1.2, b = 0.75); in a question it is its idf, {@code
 * ln(1 + (N − n + 0.5)/(n + 0.5))}. The dot product is then BM25 over expanded text.
 */
public final class SparseEncoder implements AutoCloseable {
  private static final double K1 = 1.2;
  private static final double B = 0.75;

  /** Weight of the lemmas one and two steps up. */
  private static final double[] HYPERNYM_WEIGHTS = {0.5, 0.25};

  private final EnglishAnalyzer analyzer = new EnglishAnalyzer();
  private final Map<Long, Synset> wordNet;
  private final Map<String, Integer> documentFrequencies = new HashMap<>();
  private final int documents;
  private final double averageLength;

  /**
   * @param wordNet where wider meanings are looked up, by id
   * @param synsets those that statistics are taken from
   */
  public SparseEncoder(Map<Long, Synset> wordNet, Collection<Synset> synsets) {
    this.wordNet = wordNet;
    double totalLength = 0;
    for (Synset synset : synsets) {
      Map<String, Double> terms = expandedTerms(synset);
      terms.keySet().forEach(term -> documentFrequencies.merge(term, 1, Integer::sum));
      totalLength += length(terms);
    }
    this.documents = synsets.size();
    this.averageLength = totalLength / Math.max(1, documents);
  }

  /** A synset's vector in the text form of {@code SPARSEVECTOR}. */
  public String synset(Synset synset) {
    Map<String, Double> terms = expandedTerms(synset);
    double norm = K1 * (1 - B + B * length(terms) / averageLength);
    terms.replaceAll((term, tf) -> (K1 + 1) * tf / (tf + norm));
    return text(terms);
  }

  /** A question's vector; words that no synset has are left out. */
  public String question(String question) {
    Map<String, Double> terms = new HashMap<>();
    addTerms(terms, question, 1);
    terms.keySet().retainAll(documentFrequencies.keySet());
    terms.replaceAll((term, tf) -> idf(documentFrequencies.get(term)));
    return text(terms);
  }

  private double idf(int documentFrequency) {
    return Math.log(1 + (documents - documentFrequency + 0.5) / (documentFrequency + 0.5));
  }

  private Map<String, Double> expandedTerms(Synset synset) {
    Map<String, Double> terms = new HashMap<>();
    addTerms(terms, String.join(" ", synset.lemmas()) + " " + synset.gloss(), 1);
    HashSet<Long> level = new HashSet<>(synset.hypernyms());
    for (double weight : HYPERNYM_WEIGHTS) {
      List<Synset> wider = level.stream().sorted().map(wordNet::get).toList();
      level.clear();
      for (Synset hypernym : wider) {
        addTerms(terms, String.join(" ", hypernym.lemmas()), weight);
        level.addAll(hypernym.hypernyms());
      }
    }
    return terms;
  }

  private void addTerms(Map<String, Double> terms, String text, double weight) {
    try (TokenStream tokens = analyzer.tokenStream("text", text)) {
      CharTermAttribute term = tokens.addAttribute(CharTermAttribute.class);
      tokens.reset();
      while (tokens.incrementToken()) {
        terms.merge(term.toString(), weight, Double::sum);
      }
      tokens.end();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static double length(Map<String, Double> terms) {
    return terms.values().stream().mapToDouble(Double::doubleValue).sum();
  }

  /** {@code {"12":0.5,"907":1.25}}, by ascending index; words that share an index are summed. */
  private static String text(Map<String, Double> terms) {
    TreeMap<Long, Double> weights = new TreeMap<>();
    terms.forEach((term, weight) -> weights.merge(index(term), weight, Double::sum));
    return weights.entrySet().stream()
        .map(e -> "\"" + e.getKey() + "\":" + e.getValue().floatValue())
        .collect(Collectors.joining(",", "{", "}"));
  }

  private static long index(String term) {
    CRC32 crc = new CRC32();
    crc.update(term.getBytes(StandardCharsets.UTF_8));
    return crc.getValue();
  }

  @Override
  public void close() {
    analyzer.close();
  }
}
