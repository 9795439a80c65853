package io.fundingobservatory.gateway.publishing;

import java.util.concurrent.CompletionStage;

/**
 * A broker that starts in the process of the gateway. The gateway connects to it once it listens.
 *
 * @param listening completes when the broker listens
 */
public record StartingBroker(CompletionStage<?> listening) {}
