package io.loam.schema;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The fields of a collection at one schema version.
 *
 * @param version 1 for the first
 * @param fields in declared order
 * @param keyField number of the primary-key field, or {@link #HIDDEN_KEY}
 * @param nextFieldNumber the number that the next added field gets
 * @param options of WITH, by lower-case name
 * @param dropped names of fields that were there once and that bodies of documents may still hold
 */
public record CollectionSchema(
    int version,
    List<Field> fields,
    int keyField,
    int nextFieldNumber,
    Map<String, String> options,
    List<String> dropped) {

  /** Field number of the generated {@code BIGINT} key of a table that declares none. */
  public static final int HIDDEN_KEY = 0;

  /** Says what a table is for, and with a dot and a column's name what that column is for. */
  static final String COMMENT_OPTION = "comment";

  /**
   * Sets the number of a field apart from its name, in bodies; no name that a user sees holds it.
   */
  private static final char AGAIN = '\u0001';

  public CollectionSchema {
    fields = List.copyOf(fields);
    options = Map.copyOf(options);
    dropped = List.copyOf(dropped);
  }

  /** A schema none of whose fields was ever dropped. */
  public CollectionSchema(
      int version,
      List<Field> fields,
      int keyField,
      int nextFieldNumber,
      Map<String, String> options) {
    this(version, fields, keyField, nextFieldNumber, options, List.of());
  }

  /**
   * The fields under the names by which documents' bodies hold them. Such a name is not the
   * declared one where a field of that name was dropped before, whose values older bodies still
   * hold.
   */
  public List<Field> bodyFields() {
    return dropped.isEmpty() ? fields : fields.stream().map(this::bodyField).toList();
  }

  private Field bodyField(Field field) {
    return dropped.stream().anyMatch(field.name()::equalsIgnoreCase)
        ? field.named(field.name() + AGAIN + field.number())
        : field;
  }

  public boolean hasHiddenKey() {
    return keyField == HIDDEN_KEY;
  }

  /** The kind of the primary key: {@code BIGINT}, {@code VARCHAR} or {@code UUID}. */
  public TypeKind keyKind() {
    return hasHiddenKey() ? TypeKind.BIGINT : field(keyField).kind();
  }

  /** What the table is for, or empty. */
  public String comment() {
    return options.getOrDefault(COMMENT_OPTION, "");
  }

  /** What the field is for, or empty. */
  public String comment(Field field) {
    return options.entrySet().stream()
        .filter(o -> o.getKey().equalsIgnoreCase(commentOption(field.name())))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse("");
  }

  static String commentOption(String column) {
    return COMMENT_OPTION + "." + column;
  }

  /** How long versions can be read, as the options say. */
  public Retention retention() {
    return Retention.of(options);
  }

  /** How matches of a text field are scored, as the options say. */
  public TextScoring scoring(int fieldNumber) {
    return TextScoring.of(options, SchemaBuilder.fold(field(fieldNumber).name()));
  }

  /** The field with this name in any letter case. */
  public Optional<Field> find(String name) {
    return fields.stream().filter(f -> f.name().equalsIgnoreCase(name)).findFirst();
  }

  /** The field with this number, which must be there. */
  public Field field(int number) {
    return fields.stream().filter(f -> f.number() == number).findFirst().orElseThrow();
  }

  /** The place of the field with this number in {@link #fields}, which must be there. */
  public int position(int number) {
    for (int i = 0; i < fields.size(); i++) {
      if (fields.get(i).number() == number) {
        return i;
      }
    }
    throw new IllegalArgumentException("no field " + number);
  }
}
