/** What leaves ingest: quotes and venue statuses, into Kafka. */
@NullMarked
package io.fundingobservatory.ingest.publishing;

import org.jspecify.annotations.NullMarked;
