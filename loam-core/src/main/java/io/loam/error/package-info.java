/** Error codes and the one exception; uses nothing. */
@NullMarked
package io.loam.error;

import org.jspecify.annotations.NullMarked;
