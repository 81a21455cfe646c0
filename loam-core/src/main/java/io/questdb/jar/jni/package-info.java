/** The one class outside Loam's own packages: Lance loads its native library by this name. */
@NullMarked
package io.questdb.jar.jni;

import org.jspecify.annotations.NullMarked;
