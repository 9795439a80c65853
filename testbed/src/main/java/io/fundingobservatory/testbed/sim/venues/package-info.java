/**
 * One exchange, one file: what the simulated market lists enters, the exchange's JSON leaves. Written from the exchanges' documents and
 * recordings, never from the readers of them, so that both do not share a misunderstanding.
 */
@NullMarked
package io.fundingobservatory.testbed.sim.venues;

import org.jspecify.annotations.NullMarked;
