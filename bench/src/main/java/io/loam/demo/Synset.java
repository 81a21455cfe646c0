package io.loam.demo;

import java.util.ArrayList;
import java.util.List;

/**
 * One meaning in WordNet: a set of synonyms with a gloss.
 *
 * @param id 100,000,000 times 1 (noun), 2 (verb), 3 (adjective) or 4 (adverb), plus the offset in
 *     its data file; unique
 * @param partOfSpeech {@code noun}, {@code verb}, {@code adj} or {@code adv}
 * @param topic the lexicographer file, such as {@code noun.animal}
 * @param lemmas the synonyms in WordNet's order, with spaces; at least one
 * @param gloss the definition and the examples, as WordNet has them
 * @param hypernyms ids of the next wider meanings
 */
public record Synset(
    long id,
    String partOfSpeech,
    String topic,
    List<String> lemmas,
    String gloss,
    List<Long> hypernyms) {

  public Synset {
    lemmas = List.copyOf(lemmas);
    hypernyms = List.copyOf(hypernyms);
  }

  /** The gloss without its examples. */
  public String definition() {
    int quote = firstExample();
    return quote < 0 ? gloss : gloss.substring(0, quote).stripTrailing().replaceAll("[;:,]$", "");
  }

  /** The quoted examples of use, without their quotation marks. */
  public List<String> examples() {
    int quote = firstExample();
    if (quote < 0) {
      return List.of();
    }
    List<String> examples = new ArrayList<>();
    for (int open = quote; open >= 0; ) {
      int close = gloss.indexOf('"', open + 1);
      examples.add(gloss.substring(open + 1, close < 0 ? gloss.length() : close).strip());
      open = close < 0 ? -1 : gloss.indexOf('"', close + 1);
    }
    return List.copyOf(examples);
  }

  /** Quotation marks that follow a mark of punctuation start an example; others quote a word. */
  private int firstExample() {
    for (int i = gloss.indexOf('"'); i >= 0; i = gloss.indexOf('"', i + 1)) {
      String before = gloss.substring(0, i).stripTrailing();
      if (before.endsWith(";") || before.endsWith(":") || before.endsWith(",")) {
        return i;
      }
    }
    return -1;
  }
}
