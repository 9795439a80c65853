package io.fundingobservatory.streams;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;

/**
 * What can be configured below {@code observatory.streams}.
 *
 * @param instanceId distinguishes this process from the others of its kind, and must be the same after a
 *     restart. The brokers then give back the same partitions at once
 * @param stateDir the directory of the stores; one process at a time
 * @param threads how many partitions of quotes are processed at a time
 * @param pairsThreads how many partitions of contract events are processed at a time
 * @param standbyReplicas how many other processes keep a warm copy of each store. With at least one, an
 *     instance that is silent for 6 s is replaced
 */
@ConfigurationProperties(StreamsSettings.PREFIX)
public record StreamsSettings(
        @Bindable(defaultValue = "streams-1") String instanceId,
        @Bindable(defaultValue = "data/streams") String stateDir,
        @Bindable(defaultValue = "2") int threads,
        @Bindable(defaultValue = "1") int pairsThreads,
        @Bindable(defaultValue = "0") int standbyReplicas) {
    static final String PREFIX = "observatory.streams";
}
