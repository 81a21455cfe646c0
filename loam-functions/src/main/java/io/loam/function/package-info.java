/** One specification per SQL search function: arguments, defaults, checks; uses core only. */
@NullMarked
package io.loam.function;

import org.jspecify.annotations.NullMarked;
