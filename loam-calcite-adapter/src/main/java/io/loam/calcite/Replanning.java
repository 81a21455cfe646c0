package io.loam.calcite;

import java.util.List;
import org.apache.calcite.DataContext;
import org.apache.calcite.adapter.java.JavaTypeFactory;
import org.apache.calcite.config.CalciteConnectionConfig;
import org.apache.calcite.jdbc.CalcitePrepare;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.tools.RelRunner;
import org.jspecify.annotations.Nullable;

/**
 * What planning needs of a connection, kept so that a statement can be planned again when it runs.
 * It holds nothing of the connection that planned it first. Plans get {@link Checkpoints}.
 *
 * @param dataContext of the connection that runs the statement
 */
record Replanning(
    JavaTypeFactory types,
    CalciteSchema rootSchema,
    List<String> defaultSchemaPath,
    CalciteConnectionConfig settings,
    DataContext dataContext)
    implements CalcitePrepare.Context {

  static Replanning of(CalcitePrepare.Context planned, DataContext running) {
    return new Replanning(
        planned.getTypeFactory(),
        planned.getRootSchema(),
        List.copyOf(planned.getDefaultSchemaPath()),
        planned.config(),
        running);
  }

  @Override
  public JavaTypeFactory getTypeFactory() {
    return types;
  }

  @Override
  public CalciteSchema getRootSchema() {
    return rootSchema;
  }

  @Override
  public CalciteSchema getMutableRootSchema() {
    return rootSchema;
  }

  @Override
  public List<String> getDefaultSchemaPath() {
    return defaultSchemaPath;
  }

  @Override
  public CalciteConnectionConfig config() {
    return settings;
  }

  @Override
  public CalcitePrepare.SparkHandler spark() {
    return new Checkpoints(CalcitePrepare.Dummy.getSparkHandler(false));
  }

  @Override
  public DataContext getDataContext() {
    return dataContext;
  }

  @Override
  public @Nullable List<String> getObjectPath() {
    return null;
  }

  @Override
  public RelRunner getRelRunner() {
    throw new UnsupportedOperationException("plans run as statements only");
  }
}
