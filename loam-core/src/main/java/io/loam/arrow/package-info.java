/** Makes Arrow usable in this JVM; uses no other package of Loam but the errors. */
@NullMarked
package io.loam.arrow;

import org.jspecify.annotations.NullMarked;
