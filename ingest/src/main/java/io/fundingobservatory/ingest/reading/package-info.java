/**
 * What a reader of an exchange is made of. In: a declared header and the exchange's answers. Out: quotes and settlements, and rows left
 * out with a counted reason. Pure: no network, clock or Kafka.
 */
@NullMarked
package io.fundingobservatory.ingest.reading;

import org.jspecify.annotations.NullMarked;
