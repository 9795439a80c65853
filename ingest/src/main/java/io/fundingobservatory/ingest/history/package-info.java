/**
 * How far the settled history of each contract has been read, and what is asked for next. In: a venue's live contracts and pages of
 * settlements. Out: settlements and progress records to a sink. No HTTP and no Kafka here.
 */
@NullMarked
package io.fundingobservatory.ingest.history;

import org.jspecify.annotations.NullMarked;
