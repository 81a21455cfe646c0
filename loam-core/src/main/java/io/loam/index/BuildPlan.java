package io.loam.index;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.loam.manifest.FileRef;
import io.loam.manifest.RowIdRange;
import io.loam.manifest.RowIdRanges;
import io.loam.manifest.VectorIndexRef;
import io.loam.schema.SealedJson;
import java.util.List;

/**
 * What is to be built of an index: parts that can be built apart, by whoever has the plan and the
 * warehouse. Each becomes a segment; building one twice gives the same bytes.
 *
 * @param manifestPath of the version whose rows are read
 * @param index without its segments
 * @param training what the parts have in common
 */
public record BuildPlan(
    String manifestPath, VectorIndexRef index, FileRef training, List<Part> parts) {
  private static final int FORMAT = 1;

  /** A segment to be built, of rows by their ids in ascending ranges. */
  public record Part(String ulid, List<RowIdRange> rowIds) {
    public Part {
      rowIds = List.copyOf(rowIds);
    }

    public long rows() {
      return RowIdRanges.count(rowIds);
    }

    /** Path of the segment's file in the collection's folder. */
    String path() {
      return "segments/" + ulid + ".ivf";
    }
  }

  public BuildPlan {
    parts = List.copyOf(parts);
  }

  byte[] encode() {
    ObjectNode json = SealedJson.ofFormat(FORMAT).put("manifest", manifestPath);
    json.putObject("index")
        .put("name", index.name())
        .put("field", index.fieldNumber())
        .put("kind", index.kind())
        .put("metric", index.metric())
        .put("dimension", index.dimension());
    ObjectNode options = json.putObject("options");
    index.sortedOptions().forEach(options::put);
    json.putObject("training")
        .put("path", training.path())
        .put("size", training.size())
        .put("crc32c", training.crc32c());
    ArrayNode array = json.putArray("parts");
    for (Part part : parts) {
      ArrayNode ranges = array.addObject().put("ulid", part.ulid()).putArray("rowIds");
      part.rowIds()
          .forEach(r -> ranges.addObject().put("start", r.start()).put("count", r.count()));
    }
    return SealedJson.seal(json);
  }

  /** Reads what {@link #encode} gave; fails with {@code CORRUPT_OBJECT}, naming the path. */
  static BuildPlan decode(byte[] content, String path) {
    SealedJson json = SealedJson.open(content, FORMAT, path);
    SealedJson index = json.object("index");
    SealedJson training = json.object("training");
    return new BuildPlan(
        json.text("manifest"),
        new VectorIndexRef(
            index.text("name"),
            index.integer("field"),
            index.text("kind"),
            index.text("metric"),
            index.integer("dimension"),
            json.texts("options"),
            List.of()),
        new FileRef(training.text("path"), training.number("size"), training.integer("crc32c")),
        json.objects("parts").stream().map(BuildPlan::part).toList());
  }

  private static Part part(SealedJson json) {
    return new Part(
        json.text("ulid"),
        json.objects("rowIds").stream()
            .map(range -> new RowIdRange(range.number("start"), range.integer("count")))
            .toList());
  }
}
