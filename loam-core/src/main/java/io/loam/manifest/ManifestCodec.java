package io.loam.manifest;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.manifest.Manifest.CommitKind;
import io.loam.proto.FieldFile;
import io.loam.proto.File;
import io.loam.proto.Fragment;
import io.loam.proto.Segment;
import io.loam.proto.Split;
import io.loam.proto.Tail;
import io.loam.proto.VectorIndex;
import io.loam.store.Envelope;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.roaringbitmap.InvalidRoaringFormat;
import org.roaringbitmap.RoaringBitmap;

/**
 * Manifests as protobuf in an {@link Envelope} with magic {@code LMMF}; the only user of generated
 * classes. Equal manifests give equal bytes.
 */
public final class ManifestCodec {
  private static final String MAGIC = "LMMF";
  private static final int FORMAT = 3;

  private ManifestCodec() {}

  /** The manifest as bytes; fails with {@code INTERNAL} if it contradicts itself. */
  public static byte[] encode(Manifest manifest) {
    ManifestCheck.problem(manifest)
        .ifPresent(
            problem -> {
              throw new LoamException(
                  ErrorCode.INTERNAL,
                  "manifest contradicts itself: version=%d, problem=%s; report this"
                      .formatted(manifest.version(), problem));
            });
    return Envelope.wrap(MAGIC, FORMAT, body(manifest));
  }

  /** The message without its envelope, unchecked. */
  static byte[] body(Manifest manifest) {
    return toProto(manifest).toByteArray();
  }

  /**
   * Reads what {@link #encode} wrote. Fails with {@code CORRUPT_OBJECT}, naming the path, if it is
   * damaged or contradicts itself.
   */
  public static Manifest decode(byte[] bytes, String path) {
    byte[] body = Envelope.unwrap(MAGIC, FORMAT, bytes, path);
    try {
      Manifest manifest = fromProto(io.loam.proto.Manifest.parseFrom(body));
      ManifestCheck.problem(manifest)
          .ifPresent(
              problem -> {
                throw new InvalidContent(problem);
              });
      return manifest;
    } catch (InvalidProtocolBufferException | InvalidContent e) {
      throw new LoamException(
          ErrorCode.CORRUPT_OBJECT,
          "manifest is invalid: path=%s, problem=%s; restore it from a copy"
              .formatted(path, e.getMessage()),
          e);
    }
  }

  /** What a message says makes no manifest. */
  private static final class InvalidContent extends RuntimeException {
    private static final long serialVersionUID = 1L;

    InvalidContent(String problem) {
      super(problem);
    }
  }

  private static io.loam.proto.Manifest toProto(Manifest m) {
    io.loam.proto.Manifest.Builder proto =
        io.loam.proto.Manifest.newBuilder()
            .setVersion(m.version())
            .setParentVersion(m.parentVersion())
            .setParentPath(m.parentPath())
            .setSchemaVersion(m.schemaVersion())
            .setSchemaPath(m.schemaPath())
            .setCreatedAtMillis(m.createdAtMillis())
            .setKind(kind(m.kind()))
            .setLanceVersion(m.lanceVersion())
            .setLanceManifest(toProto(m.lanceManifest()))
            .setNextRowId(m.nextRowId())
            .setNextFragmentId(m.nextFragmentId())
            .setLiveDocuments(m.liveDocuments());
    m.splits().forEach(split -> proto.addSplits(toProto(split)));
    m.fragments().forEach(fragment -> proto.addFragments(toProto(fragment)));
    m.tail().forEach(tail -> proto.addTail(toProto(tail)));
    m.indexes().forEach(index -> proto.addIndexes(toProto(index)));
    m.keyDelta().ifPresent(file -> proto.setKeyDelta(toProto(file)));
    return proto.build();
  }

  private static Manifest fromProto(io.loam.proto.Manifest p) {
    return new Manifest(
        p.getVersion(),
        p.getParentVersion(),
        p.getParentPath(),
        p.getSchemaVersion(),
        p.getSchemaPath(),
        p.getCreatedAtMillis(),
        kind(p.getKind()),
        p.getLanceVersion(),
        fromProto(p.getLanceManifest()),
        p.getSplitsList().stream().map(ManifestCodec::fromProto).toList(),
        p.getFragmentsList().stream().map(ManifestCodec::fromProto).toList(),
        p.getTailList().stream().map(ManifestCodec::fromProto).toList(),
        p.getIndexesList().stream().map(ManifestCodec::fromProto).toList(),
        p.getNextRowId(),
        p.getNextFragmentId(),
        p.getLiveDocuments(),
        p.hasKeyDelta() ? Optional.of(fromProto(p.getKeyDelta())) : Optional.empty());
  }

  private static io.loam.proto.CommitKind kind(CommitKind kind) {
    return switch (kind) {
      case WRITE -> io.loam.proto.CommitKind.COMMIT_KIND_WRITE;
      case SCHEMA -> io.loam.proto.CommitKind.COMMIT_KIND_SCHEMA;
      case INDEX_BUILD -> io.loam.proto.CommitKind.COMMIT_KIND_INDEX_BUILD;
      case MAINTENANCE -> io.loam.proto.CommitKind.COMMIT_KIND_MAINTENANCE;
    };
  }

  private static CommitKind kind(io.loam.proto.CommitKind kind) {
    return switch (kind) {
      case COMMIT_KIND_WRITE -> CommitKind.WRITE;
      case COMMIT_KIND_SCHEMA -> CommitKind.SCHEMA;
      case COMMIT_KIND_INDEX_BUILD -> CommitKind.INDEX_BUILD;
      case COMMIT_KIND_MAINTENANCE -> CommitKind.MAINTENANCE;
      case COMMIT_KIND_UNSPECIFIED, UNRECOGNIZED -> throw new InvalidContent("unknown commit kind");
    };
  }

  private static Split toProto(SplitRef s) {
    Split.Builder proto =
        Split.newBuilder()
            .setUlid(s.ulid())
            .setDocumentCount(s.documentCount())
            .setDeletedCount(s.deletedCount())
            .setSchemaVersion(s.schemaVersion())
            .setFooterStart(s.footerStart())
            .setFooterEnd(s.footerEnd())
            .setColumns(toProto(s.columns()))
            .addAllTokens(toProto(s.tokens()))
            .addAllSparse(toProto(s.sparse()))
            .addAllCodes(toProto(s.codes()));
    List<RowIdSet> sets = RowIdSet.of(s.rowIds());
    proto.addAllRowIdSets(toProto(sets)).addAllRowIds(unless(sets, s.rowIds()));
    s.bundle().ifPresent(file -> proto.setBundle(toProto(file)));
    s.deletes().ifPresent(file -> proto.setDeletes(toProto(file)));
    for (TextStats stats : s.text()) {
      proto
          .addTextBuilder()
          .setFieldNumber(stats.fieldNumber())
          .setTotalTokens(stats.totalTokens())
          .setLongestDocument(stats.longestDocument());
    }
    return proto.build();
  }

  private static SplitRef fromProto(Split p) {
    return new SplitRef(
        p.getUlid(),
        p.getDocumentCount(),
        p.getDeletedCount(),
        p.getSchemaVersion(),
        ranges(p.getRowIdsList(), p.getRowIdSetsList()),
        p.hasBundle() ? Optional.of(fromProto(p.getBundle())) : Optional.empty(),
        p.getFooterStart(),
        p.getFooterEnd(),
        fromProto(p.getColumns()),
        byField(p.getTokensList()),
        byField(p.getSparseList()),
        byField(p.getCodesList()),
        p.getTextList().stream()
            .map(t -> new TextStats(t.getFieldNumber(), t.getTotalTokens(), t.getLongestDocument()))
            .toList(),
        p.hasDeletes() ? Optional.of(fromProto(p.getDeletes())) : Optional.empty());
  }

  private static Fragment toProto(FragmentRef f) {
    Fragment.Builder proto = Fragment.newBuilder().setId(f.id()).setPhysicalRows(f.physicalRows());
    List<RowIdSet> sets = RowIdSet.of(f.rowIds());
    proto.addAllRowIdSets(toProto(sets)).addAllRowIds(unless(sets, f.rowIds()));
    f.files().forEach(file -> proto.addFiles(toProto(file)));
    f.deletion().ifPresent(file -> proto.setDeletion(toProto(file)));
    return proto.build();
  }

  private static FragmentRef fromProto(Fragment p) {
    return new FragmentRef(
        p.getId(),
        p.getPhysicalRows(),
        ranges(p.getRowIdsList(), p.getRowIdSetsList()),
        p.getFilesList().stream().map(ManifestCodec::fromProto).toList(),
        p.hasDeletion() ? Optional.of(fromProto(p.getDeletion())) : Optional.empty());
  }

  private static Tail toProto(TailRef t) {
    return Tail.newBuilder()
        .setFile(toProto(t.file()))
        .setRowIds(toProto(t.rowIds()))
        .setSchemaVersion(t.schemaVersion())
        .setDeleted(toBytes(t.deleted()))
        .build();
  }

  private static TailRef fromProto(Tail p) {
    if (!p.hasFile()) {
      throw new InvalidContent("its tail was written by an older Loam, which this one cannot read");
    }
    return new TailRef(
        fromProto(p.getFile()),
        fromProto(p.getRowIds()),
        p.getSchemaVersion(),
        toBitmap(p.getDeleted()));
  }

  private static VectorIndex toProto(VectorIndexRef i) {
    VectorIndex.Builder proto =
        VectorIndex.newBuilder()
            .setName(i.name())
            .setFieldNumber(i.fieldNumber())
            .setKind(i.kind())
            .setMetric(i.metric())
            .setDimension(i.dimension());
    i.sortedOptions().forEach(proto::putOptions);
    for (SegmentRef segment : i.segments()) {
      Segment.Builder built =
          proto
              .addSegmentsBuilder()
              .setUlid(segment.ulid())
              .setFile(toProto(segment.file()))
              .setTraining(toProto(segment.training()))
              .setVectors(segment.vectors());
      List<RowIdSet> sets = RowIdSet.of(segment.rowIds());
      built.addAllRowIdSets(toProto(sets)).addAllRowIds(unless(sets, segment.rowIds()));
    }
    return proto.build();
  }

  private static VectorIndexRef fromProto(VectorIndex p) {
    if (p.getSegmentsList().stream().anyMatch(segment -> rowIds(segment).isEmpty())) {
      throw new InvalidContent("a segment of index " + p.getName() + " covers no row");
    }
    return new VectorIndexRef(
        p.getName(),
        p.getFieldNumber(),
        p.getKind(),
        p.getMetric(),
        p.getDimension(),
        p.getOptionsMap(),
        p.getSegmentsList().stream()
            .map(
                segment ->
                    new SegmentRef(
                        segment.getUlid(),
                        fromProto(segment.getFile()),
                        fromProto(segment.getTraining()),
                        rowIds(segment),
                        segment.getVectors()))
            .toList());
  }

  private static ByteString toBytes(RoaringBitmap bitmap) {
    // One form for each set, however it came about.
    RoaringBitmap canonical = bitmap.clone();
    canonical.runOptimize();
    ByteBuffer buffer = ByteBuffer.allocate(canonical.serializedSizeInBytes());
    canonical.serialize(buffer);
    return ByteString.copyFrom(buffer.flip());
  }

  private static RoaringBitmap toBitmap(ByteString bytes) {
    RoaringBitmap bitmap = new RoaringBitmap();
    try {
      bitmap.deserialize(bytes.asReadOnlyByteBuffer());
      return bitmap;
    } catch (IOException | InvalidRoaringFormat | BufferUnderflowException e) {
      throw new InvalidContent("bitmap of deleted rows cannot be read, " + e);
    }
  }

  private static File toProto(FileRef f) {
    return File.newBuilder().setPath(f.path()).setSize(f.size()).setCrc32C(f.crc32c()).build();
  }

  private static FileRef fromProto(File p) {
    return new FileRef(p.getPath(), p.getSize(), p.getCrc32C());
  }

  private static List<FieldFile> toProto(Map<Integer, FileRef> files) {
    return new TreeMap<>(files)
        .entrySet().stream()
            .map(
                e ->
                    FieldFile.newBuilder()
                        .setFieldNumber(e.getKey())
                        .setFile(toProto(e.getValue()))
                        .build())
            .toList();
  }

  private static Map<Integer, FileRef> byField(List<FieldFile> files) {
    Map<Integer, FileRef> byField = new HashMap<>();
    for (FieldFile file : files) {
      if (byField.put(file.getFieldNumber(), fromProto(file.getFile())) != null) {
        throw new InvalidContent("two files of field " + file.getFieldNumber());
      }
    }
    return byField;
  }

  private static io.loam.proto.RowIdRange toProto(RowIdRange r) {
    return io.loam.proto.RowIdRange.newBuilder().setStart(r.start()).setCount(r.count()).build();
  }

  private static RowIdRange fromProto(io.loam.proto.RowIdRange p) {
    return new RowIdRange(p.getStart(), p.getCount());
  }

  private static List<RowIdRange> rowIds(Segment p) {
    return ranges(p.getRowIdsList(), p.getRowIdSetsList());
  }

  private static List<io.loam.proto.RowIdSet> toProto(List<RowIdSet> sets) {
    return sets.stream()
        .map(
            set ->
                io.loam.proto.RowIdSet.newBuilder()
                    .setFirst(set.first())
                    .setOffsets(toBytes(set.offsets()))
                    .build())
        .toList();
  }

  /** The ranges, if there are no sets in their place. */
  private static List<io.loam.proto.RowIdRange> unless(
      List<RowIdSet> sets, List<RowIdRange> ranges) {
    return sets.isEmpty() ? ranges.stream().map(ManifestCodec::toProto).toList() : List.of();
  }

  private static List<RowIdRange> ranges(
      List<io.loam.proto.RowIdRange> ranges, List<io.loam.proto.RowIdSet> sets) {
    return sets.isEmpty()
        ? ranges.stream().map(ManifestCodec::fromProto).toList()
        : RowIdSet.ranges(
            sets.stream()
                .map(set -> new RowIdSet(set.getFirst(), toBitmap(set.getOffsets())))
                .toList());
  }
}
