package io.loam.text;

import io.indextables.tantivy4java.core.DocAddress;
import io.indextables.tantivy4java.core.Index;
import io.indextables.tantivy4java.core.Schema;
import io.indextables.tantivy4java.core.Searcher;
import io.indextables.tantivy4java.query.Query;
import io.indextables.tantivy4java.result.SearchResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

/** A written split, as Tantivy alone reads it. */
final class TantivySplit implements AutoCloseable {
  private final Index index;
  private final Schema schema;
  private final Searcher searcher;

  private TantivySplit(Path unpacked) {
    NativeLibrary.load();
    this.index = Index.open(unpacked.toString());
    this.schema = index.getSchema();
    this.searcher = index.searcher();
  }

  /** Writes a split of fields by number and opens it. */
  static TantivySplit write(int count, SortedMap<Integer, TokenReader> fields, Path folder)
      throws IOException {
    String ulid = "s" + System.nanoTime();
    SplitFile split = SplitWriter.write(folder, ulid, count, doc -> doc + 7, fields);
    Path unpacked = Files.createDirectory(folder.resolve(ulid));
    SplitBundle.unpack(split.path(), unpacked);
    return new TantivySplit(unpacked);
  }

  int segments() {
    return searcher.getNumSegments();
  }

  int documents() {
    return searcher.getNumDocs();
  }

  /** The first documents that have a phrase, at most {@code limit}. */
  List<Integer> phrase(int field, List<String> terms, int limit) {
    List<Object> encoded = new ArrayList<>();
    terms.forEach(t -> encoded.add(TokenEncoding.encode(t)));
    String name = SplitWriter.fieldName(field);
    try (Query query =
            terms.size() == 1
                ? Query.termQuery(schema, name, encoded.get(0))
                : Query.phraseQuery(schema, name, encoded);
        SearchResult result = searcher.search(query, limit)) {
      List<Integer> docs = new ArrayList<>();
      for (SearchResult.Hit hit : result.getHits()) {
        try (DocAddress address = hit.getDocAddress()) {
          docs.add(address.getDoc());
        }
      }
      return docs;
    }
  }

  @Override
  public void close() {
    searcher.close();
    schema.close();
    index.close();
  }
}
