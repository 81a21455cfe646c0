package io.loam.commit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The protocol with writers and a garbage collector whose steps are interleaved by chance, over a
 * store that fails by chance. A failing seed is named, and fails again.
 */
class SimulationTest {

  @Test
  void p1p2p3p4_thousandsOfSeeds() {
    run(0, 2_000);
  }

  @Test
  @Tag("long")
  void p1p2p3p4_manySeeds() {
    run(1_000_000, 1_100_000);
  }

  private static void run(long firstSeed, long endSeed) {
    Simulation.Totals totals = new Simulation.Totals();
    for (long seed = firstSeed; seed < endSeed; seed++) {
      try {
        new Simulation(seed).run(totals);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed=" + seed, e);
      }
    }
    System.out.println(totals);
    // Else the simulation shows nothing.
    assertThat(totals.acknowledged).isGreaterThan(endSeed - firstSeed);
    assertThat(totals.together).isPositive();
    assertThat(totals.unknownLanded).isPositive();
    assertThat(totals.unknownAbsent).isPositive();
    assertThat(totals.conflicts).isPositive();
    assertThat(totals.duplicates).isPositive();
    assertThat(totals.renamed).isPositive();
    assertThat(totals.removedObjects).isGreaterThan(endSeed - firstSeed);
  }
}
