package io.loam.text;

import io.indextables.tantivy4java.batch.BatchDocument;
import io.indextables.tantivy4java.batch.BatchDocumentBuilder;
import io.indextables.tantivy4java.core.Index;
import io.indextables.tantivy4java.core.IndexWriter;
import io.indextables.tantivy4java.core.Schema;
import io.indextables.tantivy4java.core.SchemaBuilder;
import io.indextables.tantivy4java.core.Searcher;
import io.indextables.tantivy4java.split.merge.QuickwitSplit;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.store.LocalFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Writes Tantivy splits: one text field {@code t<field number>} per text field, indexed with
 * positions and not stored, whose text is the field's encoded tokens joined by spaces; and {@code
 * _rowid}, u64, indexed and fast.
 */
public final class SplitWriter {
  static final String ROW_ID_FIELD = "_rowid";

  /** Tantivy takes about this much heap for a token until it closes a segment. */
  private static final long HEAP_BYTES_PER_TOKEN = 32;

  private static final int MIN_HEAP_BYTES = 15_000_000;
  private static final int MAX_HEAP_BYTES = Integer.MAX_VALUE;

  /** UTF-16 units of text after which a batch is handed over. */
  private static final int BATCH_LENGTH = 1 << 20;

  private static final int BATCH_DOCUMENTS = 8_192;

  /** The name of a text field in Tantivy. */
  static String fieldName(int fieldNumber) {
    return "t" + fieldNumber;
  }

  /**
   * Writes {@code <ulid>.split}, a Quickwit bundle of one Tantivy segment whose doc ids are ours.
   *
   * @param folder where the bundle goes; nothing else is left there
   * @param documentCount at least 1
   * @param rowIds row id by doc id
   * @param fields tokens by field number, each of {@code documentCount} documents
   */
  public static SplitFile write(
      Path folder,
      String ulid,
      int documentCount,
      LongUnaryOperator rowIds,
      SortedMap<Integer, TokenReader> fields) {
    NativeLibrary.load();
    long tokens = fields.values().stream().mapToLong(TokenReader::totalTokens).sum();
    long heap = Math.max(MIN_HEAP_BYTES, HEAP_BYTES_PER_TOKEN * tokens);
    Path indexFolder = folder.resolve(ulid + ".index");
    try {
      while (true) {
        int budget = (int) Math.min(heap, MAX_HEAP_BYTES);
        Files.createDirectories(indexFolder);
        int segments = index(indexFolder, documentCount, rowIds, fields, budget);
        if (segments == 1) {
          return convert(indexFolder, folder.resolve(ulid + ".split"), ulid);
        }
        if (budget == MAX_HEAP_BYTES) {
          throw new LoamException(
              ErrorCode.LIMIT_EXCEEDED,
              "text of a split is too large: tokens=" + tokens + "; write smaller batches");
        }
        LocalFiles.deleteTree(indexFolder);
        heap *= 2;
      }
    } catch (IOException e) {
      throw new LoamException(
          ErrorCode.STORE_UNAVAILABLE,
          "cannot write a split: folder=" + folder + "; check the folder and its free space",
          e);
    } finally {
      LocalFiles.deleteTree(indexFolder);
    }
  }

  /** Indexes all documents in one commit and returns the number of segments. */
  private static int index(
      Path folder,
      int documentCount,
      LongUnaryOperator rowIds,
      SortedMap<Integer, TokenReader> fields,
      int heapBytes) {
    try (SchemaBuilder builder = new SchemaBuilder()) {
      builder.addUnsignedField(ROW_ID_FIELD, false, true, true);
      fields
          .keySet()
          .forEach(f -> builder.addTextField(fieldName(f), false, false, "whitespace", "position"));
      try (Schema schema = builder.build();
          Index index = new Index(schema, folder.toString())) {
        try (IndexWriter writer = index.writer(heapBytes, 1)) {
          feed(writer, documentCount, rowIds, fields);
          writer.commit();
        }
        index.reload();
        try (Searcher searcher = index.searcher()) {
          return searcher.getNumSegments();
        }
      }
    }
  }

  private static void feed(
      IndexWriter writer,
      int documentCount,
      LongUnaryOperator rowIds,
      SortedMap<Integer, TokenReader> fields) {
    FieldText[] texts =
        fields.entrySet().stream()
            .map(e -> new FieldText(fieldName(e.getKey()), e.getValue()))
            .toArray(FieldText[]::new);
    int doc = 0;
    while (doc < documentCount) {
      try (BatchDocumentBuilder batch = new BatchDocumentBuilder()) {
        int length = 0;
        int end = Math.min(documentCount, doc + BATCH_DOCUMENTS);
        for (; doc < end && length < BATCH_LENGTH; doc++) {
          BatchDocument document = new BatchDocument();
          document.addUnsigned(ROW_ID_FIELD, rowIds.applyAsLong(doc));
          for (FieldText text : texts) {
            String joined = text.joined(doc);
            if (!joined.isEmpty()) {
              document.addText(text.name, joined);
              length += joined.length();
            }
          }
          batch.addDocument(document);
        }
        writer.addDocumentsByBuffer(batch.build());
      }
    }
  }

  private static SplitFile convert(Path indexFolder, Path bundle, String ulid) throws IOException {
    QuickwitSplit.SplitMetadata metadata =
        QuickwitSplit.convertIndexFromPath(
            indexFolder.toString(),
            bundle.toAbsolutePath().toString(),
            new QuickwitSplit.SplitConfig(ulid, "loam", "loam"));
    long end = metadata.getFooterEndOffset();
    if (end != Files.size(bundle)) {
      throw new LoamException(
          ErrorCode.INTERNAL,
          "split has another length than its footer says: footerEnd=" + end + "; report this");
    }
    return new SplitFile(bundle, metadata.getFooterStartOffset(), end);
  }

  /** Encodes each term once. */
  private static final class FieldText {
    private final String name;
    private final TokenReader tokens;
    private final @Nullable String[] encoded;
    private final StringBuilder text = new StringBuilder();
    private int[] buffer = new int[0];

    FieldText(String name, TokenReader tokens) {
      this.name = name;
      this.tokens = tokens;
      this.encoded = new String[tokens.termCount()];
    }

    String joined(int doc) {
      buffer = tokens.tokens(doc, buffer);
      int length = tokens.length(doc);
      text.setLength(0);
      for (int i = 0; i < length; i++) {
        if (i > 0) {
          text.append(' ');
        }
        text.append(encoded(buffer[i]));
      }
      return text.toString();
    }

    private String encoded(int code) {
      String known = encoded[code];
      if (known == null) {
        known = TokenEncoding.encode(tokens.term(code));
        encoded[code] = known;
      }
      return known;
    }
  }

  private SplitWriter() {}
}
