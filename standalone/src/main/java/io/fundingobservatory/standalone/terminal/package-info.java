/** Text laid out for a terminal. In: cells and lines. Out: lines cut to a width, without anything that a terminal would act on. */
@NullMarked
package io.fundingobservatory.standalone.terminal;

import org.jspecify.annotations.NullMarked;
