package io.fundingobservatory.streams.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.fundingobservatory.runtime.KafkaAccess;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a start does with the brokers' responses; no broker is contacted here. */
class BrokersTest {
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Brokers brokers = new Brokers(KafkaAccess.at("127.0.0.1:1"), closed::get);

    @AfterEach
    void close() {
        brokers.close();
    }

    private static Brokers.Request<String> failingWith(RuntimeException failure) {
        return () -> {
            throw new ExecutionException(failure);
        };
    }

    static List<Exception> lostBrokers() {
        var away = new TimeoutException("no broker");
        return List.of(
                new ExecutionException(away), // an admin client
                away, // a consumer
                new KafkaException("Cannot execute transactional method because we are in an error state", away));
    }

    @ParameterizedTest
    @MethodSource("lostBrokers")
    void waitsForBrokersLostDuringStart(Exception lost) throws InterruptedException {
        var times = new AtomicInteger();
        String request = brokers.request("the ledger cannot be read", () -> {
            if (times.incrementAndGet() < 3) {
                switch (lost) {
                    case RuntimeException thrown -> throw thrown;
                    default -> throw (ExecutionException) lost;
                }
            }
            return "read at attempt " + times;
        });
        assertEquals("read at attempt 3", request);
    }

    @Test
    void aRefusalEndsTheStartWithOneLine() {
        var refused = new ClusterAuthorizationException("Cluster authorization failed.");
        var failure = assertThrows(
                StartFailure.class,
                () -> brokers.request("the brokers do not return their settings", failingWith(refused)));
        assertEquals(
                "the brokers do not return their settings at 127.0.0.1:1: ClusterAuthorizationException Cluster authorization failed.",
                failure.getMessage());
    }

    @Test
    void whoIsClosedWaitsNoLonger() {
        closed.set(true);
        assertThrows(
                StartFailure.class,
                () -> brokers.request("the topics cannot be created", failingWith(new TimeoutException("no broker"))));
    }
}
