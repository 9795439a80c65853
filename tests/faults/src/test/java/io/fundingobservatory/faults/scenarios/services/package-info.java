/**
 * Faults of the service processes: killed, frozen, short of memory or time, started twice. In: an installation, or a folder for
 * one of their own. Out: the processes as before, with what was seen meanwhile.
 */
@NullMarked
package io.fundingobservatory.faults.scenarios.services;

import org.jspecify.annotations.NullMarked;
