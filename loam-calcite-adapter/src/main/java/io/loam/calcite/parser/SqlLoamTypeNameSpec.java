package io.loam.calcite.parser;

import io.loam.calcite.VectorSqlType;
import io.loam.schema.FieldType;
import io.loam.schema.TypeKind;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlTypeNameSpec;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.util.Litmus;

/** The name of a type that SQL does not have: VECTOR(n), SPARSEVECTOR, TEXT, JSON. */
public final class SqlLoamTypeNameSpec extends SqlTypeNameSpec {
  private final TypeKind kind;
  private final int dimension;

  /**
   * @param dimension of a VECTOR, 0 where it is not given
   */
  public SqlLoamTypeNameSpec(TypeKind kind, int dimension, SqlParserPos pos) {
    super(new SqlIdentifier(kind.name(), pos), pos);
    this.kind = kind;
    this.dimension = dimension;
  }

  public FieldType fieldType() {
    return new FieldType(kind, dimension, 0);
  }

  @Override
  public RelDataType deriveType(SqlValidator validator) {
    RelDataTypeFactory factory = validator.getTypeFactory();
    return kind == TypeKind.VECTOR
        ? VectorSqlType.create(factory, dimension, true)
        : factory.createSqlType(SqlTypeName.VARCHAR);
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.keyword(dimension > 0 ? fieldType().toString() : kind.name());
  }

  @Override
  public boolean equalsDeep(SqlTypeNameSpec spec, Litmus litmus) {
    return (spec instanceof SqlLoamTypeNameSpec other && other.fieldType().equals(fieldType()))
        ? litmus.succeed()
        : litmus.fail("{} != {}", this, spec);
  }
}
