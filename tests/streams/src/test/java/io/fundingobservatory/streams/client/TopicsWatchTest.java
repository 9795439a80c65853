package io.fundingobservatory.streams.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.streams.core.Application;
import io.fundingobservatory.testbed.broker.KafkaFixture;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;

/** Changelogs that are deleted under a running application. */
class TopicsWatchTest {
    private static final Application LEDGERS = new Application("watched", List.of("ledger", "prices"), List.of());

    /** Made again at once, as Kafka Streams does: empty, and with another id. */
    @Test
    void reportsChangelogThatWasDeletedAndReplaced() throws Exception {
        var failed = new CompletableFuture<String>();
        try (var kafka = KafkaFixture.start();
                var watch = TopicsWatch.start(
                        KafkaAccess.at(kafka.bootstrapServers()),
                        List.of(),
                        List.of(LEDGERS),
                        Duration.ofSeconds(20),
                        failed::complete)) {
            create(kafka, "ledger");
            create(kafka, "prices");
            awaitKnown(watch, 2);
            assertNull(failed.getNow(null));
            kafka.admin()
                    .deleteTopics(List.of(LEDGERS.changelog("ledger")))
                    .all()
                    .get();
            create(kafka, "ledger");
            assertEquals(
                    "changelog watched-ledger-changelog was deleted; a start rebuilds the stores",
                    failed.get(1, TimeUnit.MINUTES));
        }
    }

    private static void create(KafkaFixture kafka, String store) throws Exception {
        kafka.admin()
                .createTopics(List.of(new NewTopic(LEDGERS.changelog(store), 1, (short) 1)))
                .all()
                .get();
    }

    private static void awaitKnown(TopicsWatch watch, int changelogs) {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (watch.knownChangelogs() < changelogs && System.nanoTime() < end) {
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
        assertTrue(watch.knownChangelogs() == changelogs, "known: " + watch.knownChangelogs());
    }
}
