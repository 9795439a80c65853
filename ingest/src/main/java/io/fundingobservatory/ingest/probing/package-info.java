/**
 * One look at an exchange outside of the service: its requests are made once, within its published limits, and what came of each is
 * told, and written down on demand.
 */
@NullMarked
package io.fundingobservatory.ingest.probing;

import org.jspecify.annotations.NullMarked;
