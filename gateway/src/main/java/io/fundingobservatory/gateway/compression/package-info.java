/**
 * The codings that need native libraries. In: the bytes of a file, or of one exchange in a list. Out: the same bytes in zstd and brotli, as
 * far as this machine can load them.
 */
@NullMarked
package io.fundingobservatory.gateway.compression;

import org.jspecify.annotations.NullMarked;
