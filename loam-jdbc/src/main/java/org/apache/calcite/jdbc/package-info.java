/** Loam's part of Calcite's JDBC driver, whose base classes only this package can extend. */
@NullMarked
package org.apache.calcite.jdbc;

import org.jspecify.annotations.NullMarked;
