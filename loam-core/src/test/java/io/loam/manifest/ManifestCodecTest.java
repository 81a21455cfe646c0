package io.loam.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.manifest.Manifest.CommitKind;
import io.loam.store.Envelope;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.roaringbitmap.RoaringBitmap;

final class ManifestCodecTest {
  private static final String PATH = "collections/c/manifests/1-x.pb";
  private static final FileRef FILE = new FileRef("f", 10, 7);

  @Test
  void randomManifestsComeBackAndGiveTheSameBytes() {
    long seed = System.nanoTime();
    RandomManifests manifests = new RandomManifests(seed);
    for (int i = 0; i < 300; i++) {
      Manifest manifest = manifests.next();
      byte[] bytes = ManifestCodec.encode(manifest);
      Manifest decoded = ManifestCodec.decode(bytes, PATH);
      assertThat(decoded).as("seed %d, manifest %d", seed, i).isEqualTo(manifest);
      assertThat(ManifestCodec.encode(decoded)).as("seed %d", seed).isEqualTo(bytes);
    }
  }

  @Test
  void everyDamagedByteIsNoticed() {
    byte[] bytes = ManifestCodec.encode(new RandomManifests(3).next());
    for (int i = 0; i < bytes.length; i++) {
      byte[] damaged = bytes.clone();
      damaged[i] ^= (byte) (1 << (i % 8));
      assertCorrupt(damaged, PATH);
      assertCorrupt(Arrays.copyOf(bytes, i), PATH);
    }
  }

  @Test
  void bytesThatAreNoManifestAreRefused() {
    assertCorrupt(Envelope.wrap("LMMF", 2, new byte[] {-1, -1, -1}), PATH);
    assertCorrupt(Envelope.wrap("LMMF", 2, new byte[0]), PATH);
    assertCorrupt(Envelope.wrap("LMMF", 4, new byte[0]), "upgrade Loam");
  }

  /** Of 300,000 row ids, in two stretches of which the second comes first, a third is left. */
  @Test
  void scatteredRowIdsTakeLittle() {
    Random random = new Random(7);
    RowIdRanges rowIds = new RowIdRanges();
    for (long[] stretch : new long[][] {{400_001, 550_001}, {1, 150_001}}) {
      for (long id = stretch[0]; id < stretch[1]; id++) {
        if (random.nextInt(3) == 0) {
          rowIds.add(id);
        }
      }
    }
    List<RowIdRange> ranges = rowIds.toList();
    int rows = (int) RowIdRanges.count(ranges);
    FragmentRef fragment = new FragmentRef(1, rows, ranges, List.of(), Optional.empty());
    Manifest manifest = manifest(List.of(), List.of(fragment), List.of(), 600_000, 0);
    byte[] bytes = ManifestCodec.encode(manifest);
    assertThat(ManifestCodec.decode(bytes, PATH)).isEqualTo(manifest);
    assertThat(ranges).hasSizeGreaterThan(60_000);
    assertThat(bytes).hasSizeLessThan(60_000); // the ranges would take 600,000
  }

  @Test
  void bitmapsAreEqualBytesHoweverTheyCameAbout() {
    RoaringBitmap range = RoaringBitmap.bitmapOfRange(0, 50);
    RoaringBitmap single = new RoaringBitmap();
    for (int doc = 49; doc >= 0; doc--) {
      single.add(doc);
    }
    assertThat(ManifestCodec.encode(withTail(range, 50)))
        .isEqualTo(ManifestCodec.encode(withTail(single, 50)));
  }

  @Test
  void contradictionsAreNeitherWrittenNorRead() {
    assertContradiction(with(split(3, 1, 3), 3), "live documents are 3, splits and tail hold 2");
    assertContradiction(with(split(3, 1, 2), 2), "another number of row ids");
    assertContradiction(with(split(3, 4, 3), 0), "more deleted documents");
    assertContradiction(with(split(200, 0, 200), 200), "past the high-water mark");
    assertContradiction(withTail(RoaringBitmap.bitmapOf(100), 99), "deleted rows");
  }

  private static void assertContradiction(Manifest manifest, String problem) {
    assertThatThrownBy(() -> ManifestCodec.encode(manifest))
        .isInstanceOfSatisfying(
            LoamException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INTERNAL))
        .hasMessageContaining(problem);
    byte[] bytes = Envelope.wrap("LMMF", 2, ManifestCodec.body(manifest));
    assertCorrupt(bytes, problem);
  }

  private static void assertCorrupt(byte[] bytes, String message) {
    assertThatThrownBy(() -> ManifestCodec.decode(bytes, PATH))
        .isInstanceOfSatisfying(
            LoamException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPT_OBJECT))
        .hasMessageContaining(PATH)
        .hasMessageContaining(message);
  }

  private static SplitRef split(int documents, int deleted, int rowIds) {
    return new SplitRef(
        "s",
        documents,
        deleted,
        1,
        List.of(new RowIdRange(1, rowIds)),
        Optional.empty(),
        0,
        0,
        FILE,
        Map.of(),
        Map.of(),
        Map.of(),
        List.of(),
        deleted == 0 ? Optional.empty() : Optional.of(FILE));
  }

  private static Manifest with(SplitRef split, long live) {
    return manifest(List.of(split), List.of(), List.of(), live);
  }

  private static Manifest withTail(RoaringBitmap deleted, long live) {
    RowIdRange rows = new RowIdRange(1, 100);
    return manifest(List.of(), List.of(), List.of(new TailRef(FILE, rows, 1, deleted)), live);
  }

  private static Manifest manifest(
      List<SplitRef> splits, List<FragmentRef> fragments, List<TailRef> tail, long live) {
    return manifest(splits, fragments, tail, 101, live);
  }

  private static Manifest manifest(
      List<SplitRef> splits,
      List<FragmentRef> fragments,
      List<TailRef> tail,
      long nextRowId,
      long live) {
    return new Manifest(
        1,
        0,
        "",
        1,
        "schema",
        5,
        CommitKind.WRITE,
        1,
        FILE,
        splits,
        fragments,
        tail,
        List.of(),
        nextRowId,
        2,
        live,
        Optional.empty());
  }
}
