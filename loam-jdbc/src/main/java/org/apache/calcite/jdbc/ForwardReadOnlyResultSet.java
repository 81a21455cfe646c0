package org.apache.calcite.jdbc;

import java.io.InputStream;
import java.io.Reader;
import java.math.BigDecimal;
import java.net.URL;
import java.sql.Array;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Date;
import java.sql.NClob;
import java.sql.Ref;
import java.sql.ResultSetMetaData;
import java.sql.RowId;
import java.sql.SQLException;
import java.sql.SQLXML;
import java.sql.Time;
import java.sql.Timestamp;
import java.util.TimeZone;
import org.apache.calcite.avatica.AvaticaStatement;
import org.apache.calcite.avatica.Meta;
import org.jspecify.annotations.Nullable;

/**
 * A result that is read once, from its first row to its last. Every method of {@link
 * java.sql.ResultSet} that changes rows or goes anywhere but to the next one says so.
 */
abstract class ForwardReadOnlyResultSet extends CalciteResultSet {
  ForwardReadOnlyResultSet(
      AvaticaStatement statement,
      CalcitePrepare.CalciteSignature<?> signature,
      ResultSetMetaData metaData,
      TimeZone timeZone,
      Meta.Frame firstFrame)
      throws SQLException {
    super(statement, signature, metaData, timeZone, firstFrame);
  }

  private static SQLException readOnly(String call) {
    return Refusals.unsupported(
        call + " of a read-only result set", "change rows with UPDATE, UPSERT or DELETE");
  }

  private static SQLException forwardOnly(String call) {
    return Refusals.unsupported(
        call + " of a forward-only result set", "read with next, or run the query again");
  }

  @Override
  public String getCursorName() throws SQLException {
    throw Refusals.unsupported("getCursorName of a result set", "do without it");
  }

  @Override
  public boolean isLast() throws SQLException {
    throw forwardOnly("isLast");
  }

  @Override
  public void beforeFirst() throws SQLException {
    throw forwardOnly("beforeFirst");
  }

  @Override
  public void afterLast() throws SQLException {
    throw forwardOnly("afterLast");
  }

  @Override
  public boolean first() throws SQLException {
    throw forwardOnly("first");
  }

  @Override
  public boolean last() throws SQLException {
    throw forwardOnly("last");
  }

  @Override
  public boolean absolute(int row) throws SQLException {
    throw forwardOnly("absolute");
  }

  @Override
  public boolean relative(int rows) throws SQLException {
    throw forwardOnly("relative");
  }

  @Override
  public boolean previous() throws SQLException {
    throw forwardOnly("previous");
  }

  @Override
  public void updateNull(int column) throws SQLException {
    throw readOnly("updateNull");
  }

  @Override
  public void updateBoolean(int column, boolean x) throws SQLException {
    throw readOnly("updateBoolean");
  }

  @Override
  public void updateByte(int column, byte x) throws SQLException {
    throw readOnly("updateByte");
  }

  @Override
  public void updateShort(int column, short x) throws SQLException {
    throw readOnly("updateShort");
  }

  @Override
  public void updateInt(int column, int x) throws SQLException {
    throw readOnly("updateInt");
  }

  @Override
  public void updateLong(int column, long x) throws SQLException {
    throw readOnly("updateLong");
  }

  @Override
  public void updateFloat(int column, float x) throws SQLException {
    throw readOnly("updateFloat");
  }

  @Override
  public void updateDouble(int column, double x) throws SQLException {
    throw readOnly("updateDouble");
  }

  @Override
  public void updateBigDecimal(int column, @Nullable BigDecimal x) throws SQLException {
    throw readOnly("updateBigDecimal");
  }

  @Override
  public void updateString(int column, @Nullable String x) throws SQLException {
    throw readOnly("updateString");
  }

  @Override
  public void updateBytes(int column, byte @Nullable [] x) throws SQLException {
    throw readOnly("updateBytes");
  }

  @Override
  public void updateDate(int column, @Nullable Date x) throws SQLException {
    throw readOnly("updateDate");
  }

  @Override
  public void updateTime(int column, @Nullable Time x) throws SQLException {
    throw readOnly("updateTime");
  }

  @Override
  public void updateTimestamp(int column, @Nullable Timestamp x) throws SQLException {
    throw readOnly("updateTimestamp");
  }

  @Override
  public void updateAsciiStream(int column, @Nullable InputStream x, int length)
      throws SQLException {
    throw readOnly("updateAsciiStream");
  }

  @Override
  public void updateBinaryStream(int column, @Nullable InputStream x, int length)
      throws SQLException {
    throw readOnly("updateBinaryStream");
  }

  @Override
  public void updateCharacterStream(int column, @Nullable Reader x, int length)
      throws SQLException {
    throw readOnly("updateCharacterStream");
  }

  @Override
  public void updateObject(int column, @Nullable Object x, int scaleOrLength) throws SQLException {
    throw readOnly("updateObject");
  }

  @Override
  public void updateObject(int column, @Nullable Object x) throws SQLException {
    throw readOnly("updateObject");
  }

  @Override
  public void updateNull(String label) throws SQLException {
    throw readOnly("updateNull");
  }

  @Override
  public void updateBoolean(String label, boolean x) throws SQLException {
    throw readOnly("updateBoolean");
  }

  @Override
  public void updateByte(String label, byte x) throws SQLException {
    throw readOnly("updateByte");
  }

  @Override
  public void updateShort(String label, short x) throws SQLException {
    throw readOnly("updateShort");
  }

  @Override
  public void updateInt(String label, int x) throws SQLException {
    throw readOnly("updateInt");
  }

  @Override
  public void updateLong(String label, long x) throws SQLException {
    throw readOnly("updateLong");
  }

  @Override
  public void updateFloat(String label, float x) throws SQLException {
    throw readOnly("updateFloat");
  }

  @Override
  public void updateDouble(String label, double x) throws SQLException {
    throw readOnly("updateDouble");
  }

  @Override
  public void updateBigDecimal(String label, @Nullable BigDecimal x) throws SQLException {
    throw readOnly("updateBigDecimal");
  }

  @Override
  public void updateString(String label, @Nullable String x) throws SQLException {
    throw readOnly("updateString");
  }

  @Override
  public void updateBytes(String label, byte @Nullable [] x) throws SQLException {
    throw readOnly("updateBytes");
  }

  @Override
  public void updateDate(String label, @Nullable Date x) throws SQLException {
    throw readOnly("updateDate");
  }

  @Override
  public void updateTime(String label, @Nullable Time x) throws SQLException {
    throw readOnly("updateTime");
  }

  @Override
  public void updateTimestamp(String label, @Nullable Timestamp x) throws SQLException {
    throw readOnly("updateTimestamp");
  }

  @Override
  public void updateAsciiStream(String label, @Nullable InputStream x, int length)
      throws SQLException {
    throw readOnly("updateAsciiStream");
  }

  @Override
  public void updateBinaryStream(String label, @Nullable InputStream x, int length)
      throws SQLException {
    throw readOnly("updateBinaryStream");
  }

  @Override
  public void updateCharacterStream(String label, @Nullable Reader x, int length)
      throws SQLException {
    throw readOnly("updateCharacterStream");
  }

  @Override
  public void updateObject(String label, @Nullable Object x, int scaleOrLength)
      throws SQLException {
    throw readOnly("updateObject");
  }

  @Override
  public void updateObject(String label, @Nullable Object x) throws SQLException {
    throw readOnly("updateObject");
  }

  @Override
  public void insertRow() throws SQLException {
    throw readOnly("insertRow");
  }

  @Override
  public void updateRow() throws SQLException {
    throw readOnly("updateRow");
  }

  @Override
  public void deleteRow() throws SQLException {
    throw readOnly("deleteRow");
  }

  @Override
  public void refreshRow() throws SQLException {
    throw readOnly("refreshRow");
  }

  @Override
  public void cancelRowUpdates() throws SQLException {
    throw readOnly("cancelRowUpdates");
  }

  @Override
  public void moveToInsertRow() throws SQLException {
    throw readOnly("moveToInsertRow");
  }

  @Override
  public void moveToCurrentRow() throws SQLException {
    throw readOnly("moveToCurrentRow");
  }

  @Override
  public void updateRef(int column, @Nullable Ref x) throws SQLException {
    throw readOnly("updateRef");
  }

  @Override
  public void updateRef(String label, @Nullable Ref x) throws SQLException {
    throw readOnly("updateRef");
  }

  @Override
  public void updateBlob(int column, @Nullable Blob x) throws SQLException {
    throw readOnly("updateBlob");
  }

  @Override
  public void updateBlob(String label, @Nullable Blob x) throws SQLException {
    throw readOnly("updateBlob");
  }

  @Override
  public void updateClob(int column, @Nullable Clob x) throws SQLException {
    throw readOnly("updateClob");
  }

  @Override
  public void updateClob(String label, @Nullable Clob x) throws SQLException {
    throw readOnly("updateClob");
  }

  @Override
  public void updateArray(int column, @Nullable Array x) throws SQLException {
    throw readOnly("updateArray");
  }

  @Override
  public void updateArray(String label, @Nullable Array x) throws SQLException {
    throw readOnly("updateArray");
  }

  // Types that there are none of

  @Override
  public Blob getBlob(int column) throws SQLException {
    throw Refusals.unsupported("getBlob", "read texts with getBytes or getBinaryStream");
  }

  @Override
  public Blob getBlob(String label) throws SQLException {
    throw Refusals.unsupported("getBlob", "read texts with getBytes or getBinaryStream");
  }

  @Override
  public Ref getRef(int column) throws SQLException {
    throw Refusals.unsupported("getRef", "read the value with getObject");
  }

  @Override
  public Ref getRef(String label) throws SQLException {
    throw Refusals.unsupported("getRef", "read the value with getObject");
  }

  @Override
  public URL getURL(int column) throws SQLException {
    throw Refusals.unsupported("getURL", "read texts with getString");
  }

  @Override
  public URL getURL(String label) throws SQLException {
    throw Refusals.unsupported("getURL", "read texts with getString");
  }

  @Override
  public SQLXML getSQLXML(int column) throws SQLException {
    throw Refusals.unsupported("getSQLXML", "read texts with getString");
  }

  @Override
  public SQLXML getSQLXML(String label) throws SQLException {
    throw Refusals.unsupported("getSQLXML", "read texts with getString");
  }

  @Deprecated
  @Override
  public InputStream getUnicodeStream(int column) throws SQLException {
    throw Refusals.unsupported("getUnicodeStream", "use getCharacterStream");
  }

  @Deprecated
  @Override
  public InputStream getUnicodeStream(String label) throws SQLException {
    throw Refusals.unsupported("getUnicodeStream", "use getCharacterStream");
  }

  @Override
  public RowId getRowId(int column) throws SQLException {
    throw Refusals.unsupported("getRowId of a result set", "do without it");
  }

  @Override
  public RowId getRowId(String label) throws SQLException {
    throw Refusals.unsupported("getRowId of a result set", "do without it");
  }

  @Override
  public void updateRowId(int column, @Nullable RowId x) throws SQLException {
    throw readOnly("updateRowId");
  }

  @Override
  public void updateRowId(String label, @Nullable RowId x) throws SQLException {
    throw readOnly("updateRowId");
  }

  @Override
  public void updateNString(int column, @Nullable String x) throws SQLException {
    throw readOnly("updateNString");
  }

  @Override
  public void updateNString(String label, @Nullable String x) throws SQLException {
    throw readOnly("updateNString");
  }

  @Override
  public void updateNClob(int column, @Nullable NClob x) throws SQLException {
    throw readOnly("updateNClob");
  }

  @Override
  public void updateNClob(String label, @Nullable NClob x) throws SQLException {
    throw readOnly("updateNClob");
  }

  @Override
  public void updateSQLXML(int column, @Nullable SQLXML x) throws SQLException {
    throw readOnly("updateSQLXML");
  }

  @Override
  public void updateSQLXML(String label, @Nullable SQLXML x) throws SQLException {
    throw readOnly("updateSQLXML");
  }

  @Override
  public void updateNCharacterStream(int column, @Nullable Reader x, long length)
      throws SQLException {
    throw readOnly("updateNCharacterStream");
  }

  @Override
  public void updateNCharacterStream(String label, @Nullable Reader x, long length)
      throws SQLException {
    throw readOnly("updateNCharacterStream");
  }

  @Override
  public void updateAsciiStream(int column, @Nullable InputStream x, long length)
      throws SQLException {
    throw readOnly("updateAsciiStream");
  }

  @Override
  public void updateBinaryStream(int column, @Nullable InputStream x, long length)
      throws SQLException {
    throw readOnly("updateBinaryStream");
  }

  @Override
  public void updateCharacterStream(int column, @Nullable Reader x, long length)
      throws SQLException {
    throw readOnly("updateCharacterStream");
  }

  @Override
  public void updateAsciiStream(String label, @Nullable InputStream x, long length)
      throws SQLException {
    throw readOnly("updateAsciiStream");
  }

  @Override
  public void updateBinaryStream(String label, @Nullable InputStream x, long length)
      throws SQLException {
    throw readOnly("updateBinaryStream");
  }

  @Override
  public void updateCharacterStream(String label, @Nullable Reader x, long length)
      throws SQLException {
    throw readOnly("updateCharacterStream");
  }

  @Override
  public void updateBlob(int column, @Nullable InputStream x, long length) throws SQLException {
    throw readOnly("updateBlob");
  }

  @Override
  public void updateBlob(String label, @Nullable InputStream x, long length) throws SQLException {
    throw readOnly("updateBlob");
  }

  @Override
  public void updateClob(int column, @Nullable Reader x, long length) throws SQLException {
    throw readOnly("updateClob");
  }

  @Override
  public void updateClob(String label, @Nullable Reader x, long length) throws SQLException {
    throw readOnly("updateClob");
  }

  @Override
  public void updateNClob(int column, @Nullable Reader x, long length) throws SQLException {
    throw readOnly("updateNClob");
  }

  @Override
  public void updateNClob(String label, @Nullable Reader x, long length) throws SQLException {
    throw readOnly("updateNClob");
  }

  @Override
  public void updateNCharacterStream(int column, @Nullable Reader x) throws SQLException {
    throw readOnly("updateNCharacterStream");
  }

  @Override
  public void updateNCharacterStream(String label, @Nullable Reader x) throws SQLException {
    throw readOnly("updateNCharacterStream");
  }

  @Override
  public void updateAsciiStream(int column, @Nullable InputStream x) throws SQLException {
    throw readOnly("updateAsciiStream");
  }

  @Override
  public void updateBinaryStream(int column, @Nullable InputStream x) throws SQLException {
    throw readOnly("updateBinaryStream");
  }

  @Override
  public void updateCharacterStream(int column, @Nullable Reader x) throws SQLException {
    throw readOnly("updateCharacterStream");
  }

  @Override
  public void updateAsciiStream(String label, @Nullable InputStream x) throws SQLException {
    throw readOnly("updateAsciiStream");
  }

  @Override
  public void updateBinaryStream(String label, @Nullable InputStream x) throws SQLException {
    throw readOnly("updateBinaryStream");
  }

  @Override
  public void updateCharacterStream(String label, @Nullable Reader x) throws SQLException {
    throw readOnly("updateCharacterStream");
  }

  @Override
  public void updateBlob(int column, @Nullable InputStream x) throws SQLException {
    throw readOnly("updateBlob");
  }

  @Override
  public void updateBlob(String label, @Nullable InputStream x) throws SQLException {
    throw readOnly("updateBlob");
  }

  @Override
  public void updateClob(int column, @Nullable Reader x) throws SQLException {
    throw readOnly("updateClob");
  }

  @Override
  public void updateClob(String label, @Nullable Reader x) throws SQLException {
    throw readOnly("updateClob");
  }

  @Override
  public void updateNClob(int column, @Nullable Reader x) throws SQLException {
    throw readOnly("updateNClob");
  }

  @Override
  public void updateNClob(String label, @Nullable Reader x) throws SQLException {
    throw readOnly("updateNClob");
  }
}
