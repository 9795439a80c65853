/**
 * Formats of values in stores and on internal topics: each begins with a version byte, none is JSON. A value
 * of an unknown version reads as absent, and the state is rebuilt from the topics. Records from outside are read and
 * rejected here.
 */
@NullMarked
package io.fundingobservatory.streams.formats;

import org.jspecify.annotations.NullMarked;
