package io.fundingobservatory.streams;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;

/**
 * Settings below {@code observatory.streams}. {@code docs/operations/settings.md} has these lines.
 *
 * @param instanceId name of this instance; keep it over restarts, so that it gets the same partitions
 * @param stateDir directory of its stores
 * @param threads threads of {@code rates}; there are 6 partitions
 * @param pairsThreads threads of {@code pairs}; there are 6 partitions
 * @param standbyReplicas other instances with a warm copy of each store. With 1 or more, a silent instance is replaced after 6 s, with 0 after 45 s
 * @param tablesWait how long pair tables wait where none is published yet, as after a reset
 */
@ConfigurationProperties(StreamsSettings.PREFIX)
public record StreamsSettings(
        @Bindable(defaultValue = "streams-1") String instanceId,
        @Bindable(defaultValue = "data/streams") String stateDir,
        @Bindable(defaultValue = "2") int threads,
        @Bindable(defaultValue = "1") int pairsThreads,
        @Bindable(defaultValue = "0") int standbyReplicas,
        @Bindable(defaultValue = "60s") Duration tablesWait) {
    static final String PREFIX = "observatory.streams";
}
