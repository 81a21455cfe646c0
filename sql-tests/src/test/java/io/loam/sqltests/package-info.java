/** Tests of Loam through JDBC alone, as an application uses it. */
@NullMarked
package io.loam.sqltests;

import org.jspecify.annotations.NullMarked;
