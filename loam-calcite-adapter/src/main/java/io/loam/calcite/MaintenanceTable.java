package io.loam.calcite;

import io.loam.Collection;
import io.loam.maintain.Due;
import io.loam.maintain.Part;
import io.loam.maintain.Upkeep;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Linq4j;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.schema.ScannableTable;
import org.apache.calcite.schema.impl.AbstractTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/** {@code "docs$maintenance"}: what runs, what upkeep is due, what failed, and what was done. */
final class MaintenanceTable extends AbstractTable implements ScannableTable {
  private final Collection collection;

  MaintenanceTable(Collection collection) {
    this.collection = collection;
  }

  @Override
  public RelDataType getRowType(RelDataTypeFactory factory) {
    RelDataType text =
        factory.createTypeWithNullability(factory.createSqlType(SqlTypeName.VARCHAR), true);
    RelDataType number =
        factory.createTypeWithNullability(factory.createSqlType(SqlTypeName.BIGINT), true);
    RelDataType time =
        factory.createTypeWithNullability(factory.createSqlType(SqlTypeName.TIMESTAMP), true);
    return factory
        .builder()
        .add("state", SqlTypeName.VARCHAR)
        .add("step", text)
        .add("detail", text)
        .add("version", number)
        .add("happened_at", time)
        .build();
  }

  @Override
  public Enumerable<@Nullable Object[]> scan(DataContext root) {
    Upkeep upkeep = collection.upkeep();
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (Upkeep.Running running : upkeep.running()) {
      rows.add(row("running", Part.INDEXES.text(), running.detail(), null, running.beganMillis()));
    }
    for (Due due : upkeep.due()) {
      rows.add(row("due", due.part().text(), due.reason(), null, null));
    }
    upkeep.failure().ifPresent(f -> rows.add(row("failed", null, f.message(), null, f.atMillis())));
    for (Upkeep.Done done : upkeep.done()) {
      rows.add(
          row(
              "done",
              done.step().part().text(),
              done.step().detail(),
              done.step().version(),
              done.atMillis()));
    }
    return Linq4j.asEnumerable(rows);
  }

  private static @Nullable Object[] row(
      String state,
      @Nullable String step,
      String detail,
      @Nullable Long version,
      @Nullable Long atMillis) {
    return new @Nullable Object[] {
      state,
      step,
      detail,
      version,
      atMillis == null ? null : TimestampFunctions.fromMillis(atMillis)
    };
  }
}
