/** Formats of values in stores and on internal topics. Records from outside are read and rejected here. */
@NullMarked
package io.fundingobservatory.streams.formats;

import org.jspecify.annotations.NullMarked;
