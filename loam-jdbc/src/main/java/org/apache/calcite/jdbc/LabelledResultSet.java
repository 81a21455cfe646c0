package org.apache.calcite.jdbc;

import java.io.InputStream;
import java.io.Reader;
import java.math.BigDecimal;
import java.sql.Array;
import java.sql.Clob;
import java.sql.Date;
import java.sql.NClob;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Time;
import java.sql.Timestamp;
import java.util.Calendar;
import java.util.Map;
import java.util.TimeZone;
import org.apache.calcite.avatica.AvaticaStatement;
import org.apache.calcite.avatica.Meta;
import org.jspecify.annotations.Nullable;

/** A result whose getters by label find the column, and then are those by position. */
abstract class LabelledResultSet extends ForwardReadOnlyResultSet {
  LabelledResultSet(
      AvaticaStatement statement,
      CalcitePrepare.CalciteSignature<?> signature,
      ResultSetMetaData metaData,
      TimeZone timeZone,
      Meta.Frame firstFrame)
      throws SQLException {
    super(statement, signature, metaData, timeZone, firstFrame);
  }

  @Override
  public @Nullable String getString(String label) throws SQLException {
    return getString(findColumn(label));
  }

  @Override
  public boolean getBoolean(String label) throws SQLException {
    return getBoolean(findColumn(label));
  }

  @Override
  public byte getByte(String label) throws SQLException {
    return getByte(findColumn(label));
  }

  @Override
  public short getShort(String label) throws SQLException {
    return getShort(findColumn(label));
  }

  @Override
  public int getInt(String label) throws SQLException {
    return getInt(findColumn(label));
  }

  @Override
  public long getLong(String label) throws SQLException {
    return getLong(findColumn(label));
  }

  @Override
  public float getFloat(String label) throws SQLException {
    return getFloat(findColumn(label));
  }

  @Override
  public double getDouble(String label) throws SQLException {
    return getDouble(findColumn(label));
  }

  @Override
  public @Nullable BigDecimal getBigDecimal(String label) throws SQLException {
    return getBigDecimal(findColumn(label));
  }

  @Override
  public @Nullable Date getDate(String label) throws SQLException {
    return getDate(findColumn(label));
  }

  @Override
  public @Nullable Time getTime(String label) throws SQLException {
    return getTime(findColumn(label));
  }

  @Override
  public @Nullable Time getTime(String label, @Nullable Calendar calendar) throws SQLException {
    return getTime(findColumn(label), calendar);
  }

  @Override
  public @Nullable Timestamp getTimestamp(String label) throws SQLException {
    return getTimestamp(findColumn(label));
  }

  @Override
  public @Nullable Array getArray(String label) throws SQLException {
    return getArray(findColumn(label));
  }

  @Override
  public byte @Nullable [] getBytes(String label) throws SQLException {
    return getBytes(findColumn(label));
  }

  @Override
  public @Nullable Reader getCharacterStream(String label) throws SQLException {
    return getCharacterStream(findColumn(label));
  }

  @Override
  public @Nullable Object getObject(String label) throws SQLException {
    return getObject(findColumn(label));
  }

  @Override
  public @Nullable String getNString(String label) throws SQLException {
    return getString(label);
  }

  @Override
  public <T> @Nullable T getObject(String label, Class<T> type) throws SQLException {
    return getObject(findColumn(label), type);
  }

  @Override
  public @Nullable Object getObject(String label, Map<String, Class<?>> map) throws SQLException {
    return getObject(findColumn(label));
  }

  @Override
  public @Nullable Date getDate(String label, @Nullable Calendar calendar) throws SQLException {
    return getDate(findColumn(label), calendar);
  }

  @Override
  public @Nullable Timestamp getTimestamp(String label, @Nullable Calendar calendar)
      throws SQLException {
    return getTimestamp(findColumn(label), calendar);
  }

  @Override
  public @Nullable Reader getNCharacterStream(String label) throws SQLException {
    return getNCharacterStream(findColumn(label));
  }

  @Override
  public @Nullable InputStream getAsciiStream(String label) throws SQLException {
    return getAsciiStream(findColumn(label));
  }

  @Override
  public @Nullable InputStream getBinaryStream(String label) throws SQLException {
    return getBinaryStream(findColumn(label));
  }

  @Override
  public @Nullable Clob getClob(String label) throws SQLException {
    return getClob(findColumn(label));
  }

  @Override
  public @Nullable NClob getNClob(String label) throws SQLException {
    return getNClob(findColumn(label));
  }
}
