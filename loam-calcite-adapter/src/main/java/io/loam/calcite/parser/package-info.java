/** Loam's SQL grammar: what the generated parser makes beyond Calcite's own nodes. */
@NullMarked
package io.loam.calcite.parser;

import org.jspecify.annotations.NullMarked;
