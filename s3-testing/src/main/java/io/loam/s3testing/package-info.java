/** An S3 server in a process of its own, and a proxy before it that makes faults; for tests. */
@NullMarked
package io.loam.s3testing;

import org.jspecify.annotations.NullMarked;
