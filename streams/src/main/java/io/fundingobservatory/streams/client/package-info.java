/**
 * What stands around a Kafka Streams client. In: the brokers' and the directory's state before a start; failures of records, stream
 * threads and transactions. Out: what is done about each, one line when the service cannot go on.
 */
@NullMarked
package io.fundingobservatory.streams.client;

import org.jspecify.annotations.NullMarked;
