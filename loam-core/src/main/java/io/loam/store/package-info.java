/**
 * Conditional reads and writes of named objects on a folder or an object store; uses errors only.
 */
@NullMarked
package io.loam.store;

import org.jspecify.annotations.NullMarked;
