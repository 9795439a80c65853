package io.fundingobservatory.ingest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.ingest.client.RateLimitMode;
import io.fundingobservatory.ingest.client.Time;
import io.fundingobservatory.ingest.client.UnmanagedHttp;
import io.fundingobservatory.kit.SharedBroker;
import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.testbed.Await;
import io.fundingobservatory.testbed.broker.KafkaFixture;
import io.fundingobservatory.testbed.sim.server.Realism;
import io.fundingobservatory.testbed.sim.server.SimulatedExchanges;
import io.fundingobservatory.topics.Topics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The clock of a process is an hour ahead, a month ahead, or an hour behind; the broker's is right. */
@ExtendWith(SharedBroker.class)
class WrongClockTest {
    private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ofHours(1));

    @Test
    void publishesStatusesAloneWhileClockIsWrong(KafkaFixture kafka) throws InterruptedException {
        InstantSource clock = () -> Instant.now().plus(ahead.get());
        try (var simulated = SimulatedExchanges.start(7, InstantSource.system(), Realism.SMALL);
                var ingest = new IngestService(
                        new IngestSettings(
                                "simulated:" + simulated.baseUrl(),
                                List.of("hitbtc", "poloniex"),
                                Duration.ofSeconds(1),
                                RateLimitMode.NONE,
                                List.of(),
                                "",
                                ""),
                        KafkaAccess.at(kafka.bootstrapServers()),
                        clock,
                        new IngestMetrics(new SimpleMeterRegistry(), Time.real(clock)),
                        UnmanagedHttp.within(Duration.ofMinutes(1)))) {
            ingest.start();
            // A status that is sent an hour behind and acknowledged a month ahead would agree with any broker.
            for (Duration wrong : List.of(Duration.ofHours(1), Duration.ofDays(30), Duration.ofHours(-1))) {
                ahead.set(wrong);
                String word = wrong.isNegative() ? " s behind" : " s ahead";
                Await.until("the clock is noticed, " + wrong, () -> {
                    String problem = ingest.health().clockProblem();
                    return problem != null
                            && problem.contains(word)
                            && !ingest.health().isUp();
                });
                long statuses = IngestServiceTest.end(kafka.bootstrapServers(), Topics.VENUES_STATUS);
                Await.until(
                        "statuses go on",
                        () -> IngestServiceTest.end(kafka.bootstrapServers(), Topics.VENUES_STATUS) > statuses + 4);
                assertEquals(
                        0,
                        IngestServiceTest.end(kafka.bootstrapServers(), Topics.QUOTES_RAW),
                        "quotes of a clock that is off by " + wrong);
                assertEquals(0, IngestServiceTest.end(kafka.bootstrapServers(), Topics.SETTLEMENTS_RAW));
            }
            ahead.set(Duration.ZERO);
            Await.until("quotes", () -> IngestServiceTest.end(kafka.bootstrapServers(), Topics.QUOTES_RAW) > 0);
            Await.until(
                    "settlements", () -> IngestServiceTest.end(kafka.bootstrapServers(), Topics.SETTLEMENTS_RAW) > 0);
            assertNull(ingest.health().clockProblem());
            assertTrue(ingest.health().isUp());
        }
    }
}
