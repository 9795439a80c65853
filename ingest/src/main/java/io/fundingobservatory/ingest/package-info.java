/** The ingest service: reads the exchanges about once a minute and publishes what they say. */
@NullMarked
package io.fundingobservatory.ingest;

import org.jspecify.annotations.NullMarked;
