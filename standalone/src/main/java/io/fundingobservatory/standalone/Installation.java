package io.fundingobservatory.standalone;

import io.fundingobservatory.testbed.BrokerStartFailure;
import io.fundingobservatory.testbed.EmbeddedKafka;
import io.fundingobservatory.testbed.sim.SimulatedExchanges;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/** Broker, services and, where wanted, simulated exchanges, running in this process. Closing stops them in reverse order. */
final class Installation implements AutoCloseable {
    /** The ports that are listened on. */
    record Ports(Port http, Port management, Port kafka) {}

    private final Deque<AutoCloseable> running = new ArrayDeque<>();

    private Installation() {}

    static Installation start(Exchanges exchanges, DataDirectory data, Ports ports, long seed) {
        return new Installation();
    }

    void announceFirstList() {}

    @Override
    public void close() {}
}
