/**
 * {@code observatory top}: the responses of a running service, in a terminal. In: the base address of a service and names of
 * assets. Out: lines of text, once or again and again.
 */
@NullMarked
package io.fundingobservatory.standalone.top;

import org.jspecify.annotations.NullMarked;
