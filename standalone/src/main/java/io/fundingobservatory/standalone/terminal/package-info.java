/**
 * Text laid out for a terminal. In: cells and lines. Out: lines cut to a width, without anything that a terminal would act on; and the one
 * line with which a command ends that cannot go on.
 */
@NullMarked
package io.fundingobservatory.standalone.terminal;

import org.jspecify.annotations.NullMarked;
