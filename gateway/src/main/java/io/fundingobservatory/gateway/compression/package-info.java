/**
 * The coding that needs a native library. In: the bytes of a file or a list. Out: the same bytes in zstd, where this machine can load
 * it.
 */
@NullMarked
package io.fundingobservatory.gateway.compression;

import org.jspecify.annotations.NullMarked;
