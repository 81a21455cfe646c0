package org.apache.calcite.jdbc;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.calcite.DataContext;
import org.apache.calcite.adapter.java.JavaTypeFactory;
import org.apache.calcite.config.CalciteConnectionConfig;
import org.apache.calcite.tools.RelRunner;
import org.jspecify.annotations.Nullable;

/**
 * What planning needs of a connection, and whether its statement is cancelled.
 *
 * @param given by Calcite, which knows nothing of the statement
 */
record PlanningContext(
    CalcitePrepare.Context given, CalciteConnectionImpl connection, AtomicBoolean cancelFlag)
    implements CalcitePrepare.Context {

  @Override
  public DataContext getDataContext() {
    return connection.createDataContext(
        Map.of(DataContext.Variable.CANCEL_FLAG.camelName, cancelFlag), getRootSchema());
  }

  @Override
  public JavaTypeFactory getTypeFactory() {
    return given.getTypeFactory();
  }

  @Override
  public CalciteSchema getRootSchema() {
    return given.getRootSchema();
  }

  @Override
  public CalciteSchema getMutableRootSchema() {
    return given.getMutableRootSchema();
  }

  @Override
  public List<String> getDefaultSchemaPath() {
    return given.getDefaultSchemaPath();
  }

  @Override
  public CalciteConnectionConfig config() {
    return given.config();
  }

  @Override
  public CalcitePrepare.SparkHandler spark() {
    return given.spark();
  }

  @Override
  public @Nullable List<String> getObjectPath() {
    return given.getObjectPath();
  }

  @Override
  public RelRunner getRelRunner() {
    return given.getRelRunner();
  }
}
