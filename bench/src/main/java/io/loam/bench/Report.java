package io.loam.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/** Figures by work and engine, as one table with Loam first and its ratio to each peer. */
final class Report {
  private final List<String> peers;
  private final Map<String, Map<String, Figure>> works = new LinkedHashMap<>();
  private final List<String> notes = new ArrayList<>();

  /** The least time tells most on a machine that is busy with other things. */
  private record Figure(double median, OptionalDouble p99, OptionalDouble least) {
    @Override
    public String toString() {
      return number(median)
          + (p99.isPresent() ? " (" + number(p99.getAsDouble()) + ")" : "")
          + (least.isPresent() ? " ≥" + number(least.getAsDouble()) : "");
    }
  }

  /** A report on Loam and these others. */
  Report(List<String> peers) {
    this.peers = List.copyOf(peers);
  }

  /** Median, 99th percentile and least in ms. */
  void times(String work, String engine, Timings timings) {
    put(
        work + ", ms",
        engine,
        new Figure(
            timings.quantileMillis(0.5),
            OptionalDouble.of(timings.quantileMillis(0.99)),
            OptionalDouble.of(timings.quantileMillis(0))));
  }

  /** One number, whose unit is part of the work's name. */
  void value(String work, String engine, double value) {
    put(work, engine, new Figure(value, OptionalDouble.empty(), OptionalDouble.empty()));
  }

  private void put(String work, String engine, Figure figure) {
    works.computeIfAbsent(work, w -> new LinkedHashMap<>()).put(engine, figure);
  }

  void note(String note) {
    notes.add(note);
  }

  String text() {
    List<List<String>> table = table();
    int[] widths = new int[table.get(0).size()];
    for (List<String> row : table) {
      for (int c = 0; c < widths.length; c++) {
        widths[c] = Math.max(widths[c], row.get(c).length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (List<String> row : table) {
      StringBuilder line = new StringBuilder();
      for (int c = 0; c < widths.length; c++) {
        String blanks = " ".repeat(widths[c] - row.get(c).length());
        line.append(c == 0 ? row.get(c) + blanks : "  " + blanks + row.get(c));
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    notes.forEach(note -> text.append(note).append('\n'));
    return text.toString();
  }

  String markdown() {
    List<List<String>> table = table();
    StringBuilder text = new StringBuilder();
    for (int r = 0; r < table.size(); r++) {
      text.append("| ").append(String.join(" | ", table.get(r))).append(" |\n");
      if (r == 0) {
        text.append("|---").append("|---:".repeat(table.get(0).size() - 1)).append("|\n");
      }
    }
    text.append('\n');
    notes.forEach(note -> text.append("- ").append(note).append('\n'));
    return text.toString();
  }

  private List<List<String>> table() {
    List<List<String>> table = new ArrayList<>();
    List<String> header = new ArrayList<>(List.of("median (p99) ≥least", LoamEngine.NAME));
    header.addAll(peers);
    peers.forEach(peer -> header.add(LoamEngine.NAME + " ÷ " + peer));
    table.add(header);
    works.forEach(
        (work, figures) -> {
          List<String> row = new ArrayList<>(List.of(work, cell(figures, LoamEngine.NAME)));
          peers.forEach(peer -> row.add(cell(figures, peer)));
          peers.forEach(peer -> row.add(ratio(figures, peer)));
          table.add(row);
        });
    return table;
  }

  private static String cell(Map<String, Figure> figures, String engine) {
    return figures.containsKey(engine) ? figures.get(engine).toString() : "";
  }

  private static String ratio(Map<String, Figure> figures, String peer) {
    if (!figures.containsKey(LoamEngine.NAME) || !figures.containsKey(peer)) {
      return "";
    }
    return number(figures.get(LoamEngine.NAME).median() / figures.get(peer).median());
  }

  /** Three significant digits, or whole. */
  private static String number(double value) {
    int decimals = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3;
    return String.format(Locale.ROOT, "%,." + decimals + "f", value);
  }
}
