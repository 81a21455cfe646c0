package org.apache.calcite.jdbc;

import io.loam.calcite.BoundParameters;
import io.loam.error.LoamException;
import io.loam.jdbc.Parameters;
import io.loam.jdbc.SqlErrors;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.Array;
import java.sql.Clob;
import java.sql.Date;
import java.sql.NClob;
import java.sql.ParameterMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLType;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.LocalDateTime;
import java.util.Calendar;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.DataContext;
import org.apache.calcite.avatica.AvaticaParameter;
import org.apache.calcite.avatica.AvaticaSite;
import org.apache.calcite.avatica.ColumnMetaData;
import org.apache.calcite.avatica.Meta;
import org.apache.calcite.avatica.remote.TypedValue;
import org.jspecify.annotations.Nullable;

/** The parameters of a planned statement, which take any value that their types can mean. */
abstract class BoundStatement extends CalcitePreparedStatement {
  private final CalcitePrepare.CalciteSignature<?> plan;
  private List<AvaticaParameter> parameters;

  BoundStatement(
      LoamConnection connection,
      Meta.@Nullable StatementHandle handle,
      CalcitePrepare.CalciteSignature<?> plan,
      int resultSetHoldability)
      throws SQLException {
    super(
        connection,
        handle,
        plan,
        ResultSet.TYPE_FORWARD_ONLY,
        ResultSet.CONCUR_READ_ONLY,
        resultSetHoldability);
    this.plan = plan;
    this.parameters = plan.parameters;
  }

  final void checkBound() throws SQLException {
    for (int i = 0; i < slots.length; i++) {
      if (slots[i] == null) {
        throw Refusals.invalid(
            "parameter without a value: position=" + (i + 1) + "; set it, or call setNull");
      }
    }
  }

  private void bind(int position, @Nullable Object value) throws SQLException {
    checkOpen();
    AvaticaParameter parameter = getParameter(position);
    slots[position - 1] =
        value == null
            ? TypedValue.EXPLICIT_NULL
            : SqlErrors.translate(
                () ->
                    TypedValue.ofLocal(
                        ColumnMetaData.Rep.OBJECT, rowBinding(position, value, parameter)));
  }

  /** An error also names the row of the batch that the value is for. */
  private Binding rowBinding(int position, Object value, AvaticaParameter parameter)
      throws SQLException {
    try {
      return binding(position, value, parameter);
    } catch (LoamException e) {
      int before = parameterValueBatch.size();
      throw before == 0 ? e : e.with("row=" + (before + 1));
    }
  }

  /** What the parameter does not take it may take now, where columns have other types since. */
  private Binding binding(int position, Object value, AvaticaParameter parameter)
      throws SQLException {
    try {
      return Binding.of(position, value, parameter);
    } catch (LoamException e) {
      refresh();
      AvaticaParameter now = parameters.get(position - 1);
      if (Binding.areAlike(now, parameter)) {
        throw e;
      }
      return Binding.of(position, value, now);
    }
  }

  private void refresh() throws SQLException {
    parameters = BoundParameters.ofPlanNow(plan, dataContext());
  }

  /** What the statement runs in. */
  final DataContext dataContext() throws SQLException {
    Map<String, Object> variables = new HashMap<>(plan.internalParameters);
    variables.put(DataContext.Variable.CANCEL_FLAG.camelName, cancelFlag);
    return getConnection().createDataContext(variables, plan.rootSchema);
  }

  /** Of the types that the parameters have now. */
  @Override
  public ParameterMetaData getParameterMetaData() throws SQLException {
    checkOpen();
    SqlErrors.translate(this::refresh);
    return super.getParameterMetaData();
  }

  @Override
  protected AvaticaParameter getParameter(int position) throws SQLException {
    int count = parameters.size();
    if (position < 1 || position > count) {
      throw Refusals.invalid(
          "no such parameter: position="
              + position
              + ", parameters="
              + count
              + "; positions begin at 1");
    }
    return parameters.get(position - 1);
  }

  /** Reached by setters of classes that no type of Loam takes. */
  @Override
  protected AvaticaSite getSite(int position) throws SQLException {
    checkOpen();
    throw Refusals.unsupported(
        "parameter of this class: position=" + position, "use setObject or setString");
  }

  @Override
  public void setObject(int position, @Nullable Object x) throws SQLException {
    bind(position, x);
  }

  @Override
  public void setObject(int position, @Nullable Object x, int sqlType) throws SQLException {
    bind(position, x);
  }

  @Override
  public void setObject(int position, @Nullable Object x, int sqlType, int scale)
      throws SQLException {
    bind(position, x);
  }

  @Override
  public void setObject(int position, @Nullable Object x, SQLType type) throws SQLException {
    bind(position, x);
  }

  @Override
  public void setObject(int position, @Nullable Object x, SQLType type, int scale)
      throws SQLException {
    bind(position, x);
  }

  @Override
  public void setNull(int position, int sqlType) throws SQLException {
    bind(position, null);
  }

  @Override
  public void setNull(int position, int sqlType, String typeName) throws SQLException {
    bind(position, null);
  }

  @Override
  public void setBoolean(int position, boolean x) throws SQLException {
    bind(position, x);
  }

  @Override
  public void setByte(int position, byte x) throws SQLException {
    bind(position, (int) x);
  }

  @Override
  public void setShort(int position, short x) throws SQLException {
    bind(position, (int) x);
  }

  @Override
  public void setInt(int position, int x) throws SQLException {
    bind(position, x);
  }

  @Override
  public void setLong(int position, long x) throws SQLException {
    bind(position, x);
  }

  @Override
  public void setFloat(int position, float x) throws SQLException {
    bind(position, x);
  }

  @Override
  public void setDouble(int position, double x) throws SQLException {
    bind(position, x);
  }

  @Override
  public void setBigDecimal(int position, @Nullable BigDecimal x) throws SQLException {
    bind(position, x);
  }

  @Override
  public void setString(int position, @Nullable String x) throws SQLException {
    bind(position, x);
  }

  @Override
  public void setNString(int position, @Nullable String x) throws SQLException {
    bind(position, x);
  }

  @Override
  public void setArray(int position, @Nullable Array x) throws SQLException {
    bind(position, x);
  }

  @Override
  public void setDate(int position, @Nullable Date x) throws SQLException {
    bind(position, x);
  }

  @Override
  public void setDate(int position, @Nullable Date x, @Nullable Calendar calendar)
      throws SQLException {
    bind(position, x == null ? null : shownIn(new Timestamp(x.getTime()), calendar).toLocalDate());
  }

  @Override
  public void setTimestamp(int position, @Nullable Timestamp x) throws SQLException {
    bind(position, x);
  }

  @Override
  public void setTimestamp(int position, @Nullable Timestamp x, @Nullable Calendar calendar)
      throws SQLException {
    bind(position, x == null ? null : shownIn(x, calendar));
  }

  private static LocalDateTime shownIn(Timestamp time, @Nullable Calendar calendar) {
    return calendar == null
        ? time.toLocalDateTime()
        : LocalDateTime.ofInstant(time.toInstant(), calendar.getTimeZone().toZoneId());
  }

  @Override
  public void setTime(int position, @Nullable Time x) throws SQLException {
    bind(position, x);
  }

  @Override
  public void setTime(int position, @Nullable Time x, @Nullable Calendar calendar)
      throws SQLException {
    bind(position, x == null ? null : shownIn(new Timestamp(x.getTime()), calendar).toLocalTime());
  }

  @Override
  public void setClob(int position, @Nullable Clob x) throws SQLException {
    bind(position, x);
  }

  @Override
  public void setCharacterStream(int position, @Nullable Reader x) throws SQLException {
    bindText(position, x, Long.MAX_VALUE);
  }

  @Override
  public void setCharacterStream(int position, @Nullable Reader x, int length) throws SQLException {
    bindText(position, x, length);
  }

  @Override
  public void setCharacterStream(int position, @Nullable Reader x, long length)
      throws SQLException {
    bindText(position, x, length);
  }

  @Override
  public void setNCharacterStream(int position, @Nullable Reader x) throws SQLException {
    bindText(position, x, Long.MAX_VALUE);
  }

  @Override
  public void setNCharacterStream(int position, @Nullable Reader x, long length)
      throws SQLException {
    bindText(position, x, length);
  }

  @Override
  public void setClob(int position, @Nullable Reader x) throws SQLException {
    bindText(position, x, Long.MAX_VALUE);
  }

  @Override
  public void setClob(int position, @Nullable Reader x, long length) throws SQLException {
    bindText(position, x, length);
  }

  @Override
  public void setNClob(int position, @Nullable Reader x) throws SQLException {
    bindText(position, x, Long.MAX_VALUE);
  }

  @Override
  public void setNClob(int position, @Nullable Reader x, long length) throws SQLException {
    bindText(position, x, length);
  }

  @Override
  public void setNClob(int position, @Nullable NClob x) throws SQLException {
    bind(position, x);
  }

  @Override
  public void setAsciiStream(int position, @Nullable InputStream x) throws SQLException {
    bindText(position, ascii(x), Long.MAX_VALUE);
  }

  @Override
  public void setAsciiStream(int position, @Nullable InputStream x, int length)
      throws SQLException {
    bindText(position, ascii(x), length);
  }

  @Override
  public void setAsciiStream(int position, @Nullable InputStream x, long length)
      throws SQLException {
    bindText(position, ascii(x), length);
  }

  private static @Nullable Reader ascii(@Nullable InputStream x) {
    return x == null ? null : new InputStreamReader(x, StandardCharsets.US_ASCII);
  }

  private void bindText(int position, @Nullable Reader x, long length) throws SQLException {
    bind(position, x == null ? null : SqlErrors.translate(() -> Parameters.read(x, length)));
  }

  @Override
  public int getParameterType(int position) throws SQLException {
    return JdbcTypes.declarable(getParameter(position).parameterType);
  }

  @Override
  public String getParameterTypeName(int position) throws SQLException {
    return JdbcTypes.name(getParameter(position).typeName);
  }

  @Override
  public String getParameterClassName(int position) throws SQLException {
    AvaticaParameter parameter = getParameter(position);
    return JdbcTypes.classOf(parameter.parameterType, parameter.typeName).getName();
  }

  @Override
  public boolean isSigned(int position) throws SQLException {
    return JdbcTypes.isNumber(getParameter(position).parameterType);
  }
}
