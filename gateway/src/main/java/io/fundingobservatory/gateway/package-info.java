/**
 * The public HTTP interface, started and stopped: what is here wires the packages together. Settings enter; a served port and its
 * health leave.
 */
@NullMarked
package io.fundingobservatory.gateway;

import org.jspecify.annotations.NullMarked;
