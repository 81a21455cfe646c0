package org.apache.calcite.jdbc;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Reader;
import java.io.StringReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.sql.Clob;
import java.sql.NClob;
import java.sql.SQLException;

/** A text that was read, for programs that read texts as large objects. It cannot be changed. */
final class TextClob implements NClob {
  private final String text;

  TextClob(String text) {
    this.text = text;
  }

  @Override
  public long length() {
    return text.length();
  }

  @Override
  public String getSubString(long position, int length) throws SQLException {
    int from = index(position);
    if (length < 0) {
      throw noSuchPart("length=" + length);
    }
    return text.substring(from, (int) Math.min(text.length(), (long) from + length));
  }

  @Override
  public Reader getCharacterStream() {
    return new StringReader(text);
  }

  @Override
  public Reader getCharacterStream(long position, long length) throws SQLException {
    int from = index(position);
    if (length < 0 || length > text.length() - from) {
      throw noSuchPart("position=" + position + ", length=" + length);
    }
    return new StringReader(text.substring(from, from + (int) length));
  }

  /** What is not ASCII becomes a question mark. */
  @Override
  public InputStream getAsciiStream() {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII));
  }

  @Override
  public long position(String searched, long start) throws SQLException {
    int found = text.indexOf(searched, index(start));
    return found < 0 ? -1 : found + 1;
  }

  @Override
  public long position(Clob searched, long start) throws SQLException {
    return position(searched.getSubString(1, (int) searched.length()), start);
  }

  /** From the position, which begins at 1, the one behind the end included. */
  private int index(long position) throws SQLException {
    if (position < 1 || position > text.length() + 1L) {
      throw noSuchPart("position=" + position);
    }
    return (int) position - 1;
  }

  private SQLException noSuchPart(String part) {
    return Refusals.invalid(
        "no such part of a text: "
            + part
            + ", characters="
            + text.length()
            + "; positions begin at 1");
  }

  private static SQLException readOnly() {
    return Refusals.unsupported(
        "changing a text that was read", "change rows with UPDATE or UPSERT");
  }

  @Override
  public int setString(long position, String part) throws SQLException {
    throw readOnly();
  }

  @Override
  public int setString(long position, String part, int offset, int length) throws SQLException {
    throw readOnly();
  }

  @Override
  public OutputStream setAsciiStream(long position) throws SQLException {
    throw readOnly();
  }

  @Override
  public Writer setCharacterStream(long position) throws SQLException {
    throw readOnly();
  }

  @Override
  public void truncate(long length) throws SQLException {
    throw readOnly();
  }

  /** Nothing to free. */
  @Override
  public void free() {}

  @Override
  public String toString() {
    return text;
  }
}
