package io.fundingobservatory.gateway.publishing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.gateway.fixture.LoggedLines;
import io.fundingobservatory.runtime.KafkaAccess;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TableFollowerTest {
    @RegisterExtension
    private final LoggedLines lines = LoggedLines.of(TableFollower.class);

    /** Ends each pause at once, and the follower after so many. */
    private static final class Pauses extends CountDownLatch {
        Pauses(int count) {
            super(count);
        }

        @Override
        public boolean await(long timeout, TimeUnit unit) {
            countDown();
            return getCount() == 0;
        }
    }

    /** A name without an address, as before the broker's service exists; and a port where nobody listens. */
    @ParameterizedTest
    @ValueSource(strings = {"no-such-broker.invalid:9092", "127.0.0.1:1"})
    void retriesAbsentBrokerAndLogsOnce(String bootstrapServers) {
        var pauses = new Pauses(4);
        var follower = new TableFollower(
                "follower",
                "restored",
                new Tables(topic -> {}).ofRates(),
                1,
                new KafkaAccess(
                        bootstrapServers,
                        KafkaAccess.BROKERS_DEFAULT,
                        Map.of("default.api.timeout.ms", "200", "request.timeout.ms", "100")),
                new SimpleMeterRegistry(),
                pauses);
        follower.run();
        assertEquals(TableFollower.State.FAILED, follower.state());
        assertEquals(1, lines.all().size(), lines.all().toString());
        assertTrue(lines.all().getFirst().contains("trying again"), lines.all().toString());
    }
}
