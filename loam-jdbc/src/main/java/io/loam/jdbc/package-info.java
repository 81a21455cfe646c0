/**
 * The JDBC driver: connections, values, metadata and SQLExceptions; uses the Calcite adapter and
 * core's facade.
 */
@NullMarked
package io.loam.jdbc;

import org.jspecify.annotations.NullMarked;
