/** Write batches and the commit protocol. */
@NullMarked
package io.loam.commit;

import org.jspecify.annotations.NullMarked;
