/**
 * How an exchange is read: a declared header, then a pure function from its answers to quotes. No network, clock or Kafka here.
 */
@NullMarked
package io.fundingobservatory.ingest.reading;

import org.jspecify.annotations.NullMarked;
