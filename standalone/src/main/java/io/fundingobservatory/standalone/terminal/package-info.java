/**
 * Text laid out for a terminal. In: cells and lines. Out: lines cut to a width, without control characters;
 * and the one line with which a failed command ends.
 */
@NullMarked
package io.fundingobservatory.standalone.terminal;

import org.jspecify.annotations.NullMarked;
