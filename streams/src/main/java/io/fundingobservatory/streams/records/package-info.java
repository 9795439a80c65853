/** Records from outside, and which of them are rejected. Formats of values in stores and on internal topics. */
@NullMarked
package io.fundingobservatory.streams.records;

import org.jspecify.annotations.NullMarked;
