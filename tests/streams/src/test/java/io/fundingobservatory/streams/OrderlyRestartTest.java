package io.fundingobservatory.streams;

import static io.fundingobservatory.streams.DamagedTopics.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.kit.SharedBroker;
import io.fundingobservatory.streams.lifecycle.Application;
import io.fundingobservatory.streams.pairs.PairsStores;
import io.fundingobservatory.streams.topology.CountedMetrics;
import io.fundingobservatory.testbed.broker.KafkaFixture;
import io.fundingobservatory.topics.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Stores on disk outlive an orderly stop. Those that were open when the process was killed are restored, as are damaged ones. */
@ExtendWith(SharedBroker.class)
class OrderlyRestartTest {
    private static final List<String> ON_DISK = List.of(PairsStores.LEDGER);

    @TempDir
    Path directory;

    @Test
    void restoresStoresOnlyAfterKillOrDamage(KafkaFixture kafka) throws Exception {
        Path state = directory.resolve("state");
        Path killed = directory.resolve("killed");
        try (var market = new SettledMarket(kafka.bootstrapServers())) {
            var streams = new DamagedTopics(kafka, state);
            BrokerStamps.byTheTest(kafka);
            try (var _ = streams.start()) {
                market.list();
                await(() -> SettledMarket.complete(streams.tables()) == 30, "every pair is complete");
                copy(state, killed);
            }
            Map<Path, Object> stores = stores(state);
            assertTrue(stores.size() >= 2, stores::toString);
            Map<String, byte[]> tables = streams.tables();

            var afterAStop = new CountedMetrics();
            try (var _ = streams.start(afterAStop)) {
                for (String store : ON_DISK) {
                    assertEquals(0, afterAStop.of("restored " + store), store);
                }
                await(
                        () -> afterAStop.of(
                                        "restored " + Application.RATES.stores().getFirst())
                                > 0,
                        "what is in memory is restored");
                assertEquals(stores, stores(state), "the same directories");
            }

            Utils.delete(state.toFile());
            copy(killed, state);
            var afterAKill = new CountedMetrics();
            try (var _ = streams.start(afterAKill)) {
                await(() -> afterAKill.of("restored " + PairsStores.LEDGER) > 100, "restored after a kill");
                assertEquals(tables.keySet(), streams.tables().keySet());
            }

            zeroTables(state);
            var afterDamage = new CountedMetrics();
            try (var _ = streams.start(afterDamage)) {
                await(() -> afterDamage.of("restored " + PairsStores.LEDGER) > 100, "restored after damage");
                assertEquals(tables.keySet(), streams.tables().keySet());
            }
        }
    }

    @AfterEach
    void clear(KafkaFixture kafka) {
        kafka.clear();
    }

    /** Of each store on disk, the file that names its others and the tables with its records. */
    private static void zeroTables(Path state) throws IOException {
        try (var all = Files.walk(state)) {
            for (Path path : all.toList()) {
                if (path.endsWith("CURRENT") || path.toString().endsWith(".sst")) {
                    Files.write(path, new byte[(int) Files.size(path)]);
                }
            }
        }
    }

    /** An instance was away while another one had to make the changelogs from scratch: offsets of the former ones say nothing. */
    @Test
    @Tag("nightly")
    void storesOfFormerChangelogsAreRestored(KafkaFixture kafka) throws Exception {
        Path state = directory.resolve("away");
        try (var market = new SettledMarket(kafka.bootstrapServers())) {
            var streams = new DamagedTopics(kafka, state);
            BrokerStamps.byTheTest(kafka);
            try (var _ = streams.start()) {
                market.list();
                await(() -> SettledMarket.complete(streams.tables()) == 30, "every pair is complete");
                await(
                        () -> Files.exists(state.resolve("observatory-pairs.changelogs.properties")),
                        "their ids are noted");
            }
            int settlements = streams.count(Topics.SETTLEMENTS.name());
            streams.removeMembers();
            streams.loseInternalTopics();
            streams.loseOffsets();
            try (var _ = new DamagedTopics(kafka, directory.resolve("another")).start()) {
                market.quoteAgain();
                await(
                        () -> streams.count(Topics.SETTLEMENTS.name()) >= 2 * settlements
                                && SettledMarket.complete(streams.tables()) == 30,
                        "everything again");
            }
            streams.removeMembers();
            var back = new CountedMetrics();
            try (var _ = streams.start(back)) {
                await(() -> back.of("restored " + PairsStores.LEDGER) > 100, "restored from the changelogs of today");
            }
        }
    }

    /** The directories of stores on disk that hold something, and by what the file system knows each: Kafka Streams wipes empty ones. */
    private static Map<Path, Object> stores(Path state) throws IOException {
        var found = new TreeMap<Path, Object>();
        try (var all = Files.walk(state)) {
            for (Path path : all.toList()) {
                if (ON_DISK.contains(path.getFileName().toString()) && holdsData(path)) {
                    found.put(
                            path,
                            Files.readAttributes(path, BasicFileAttributes.class)
                                    .fileKey());
                }
            }
        }
        return found;
    }

    private static boolean holdsData(Path store) throws IOException {
        try (var files = Files.walk(store)) {
            return files.anyMatch(file -> file.toString().endsWith(".sst"));
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (var all = Files.walk(from)) {
            for (Path path : all.toList()) {
                Files.copy(path, to.resolve(from.relativize(path)));
            }
        }
    }
}
