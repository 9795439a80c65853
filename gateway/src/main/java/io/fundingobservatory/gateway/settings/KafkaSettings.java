package io.fundingobservatory.gateway.settings;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;

/**
 * Where Kafka is.
 *
 * @param bootstrapServers brokers to start from, {@code host:port} separated by commas
 * @param replication copies of each record in topics that are created, at least 1
 */
@ConfigurationProperties("observatory.kafka")
public record KafkaSettings(
        @Bindable(defaultValue = "localhost:9092") String bootstrapServers,
        @Bindable(defaultValue = "1") int replication) {}
