/** Plans and runs SQL over a warehouse with Apache Calcite; uses io.loam.function and core. */
@NullMarked
package io.loam.calcite;

import org.jspecify.annotations.NullMarked;
