/** The command line: an interactive shell and scripts; uses JDBC only, and is not in the driver. */
@NullMarked
package io.loam.jdbc.shell;

import org.jspecify.annotations.NullMarked;
