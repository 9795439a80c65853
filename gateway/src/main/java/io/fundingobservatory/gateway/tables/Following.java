package io.fundingobservatory.gateway.tables;

import io.fundingobservatory.runtime.KafkaAccess;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.CountDownLatch;

/**
 * What followers of tables have in common.
 *
 * @param meters publishes Kafka's own metrics of the clients
 * @param closing is counted down to end them
 */
public record Following(KafkaAccess kafka, Changes changes, MeterRegistry meters, CountDownLatch closing) {}
