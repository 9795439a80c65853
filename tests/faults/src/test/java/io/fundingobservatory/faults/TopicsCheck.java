package io.fundingobservatory.faults;

import io.fundingobservatory.oracle.Json;
import io.fundingobservatory.oracle.Names;
import io.fundingobservatory.oracle.PairsModel;
import io.fundingobservatory.oracle.RatesOracle;
import io.fundingobservatory.oracle.RatesReader;
import io.fundingobservatory.oracle.SettlementsReader;
import io.fundingobservatory.testbed.broker.EmbeddedKafka;
import io.fundingobservatory.topics.Topics;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Computes again what an installation has on its topics: rows from {@code quotes.raw}; pairs and receipts from
 * {@code settlements}. Prints how much it compared and what differs. The installation must not be processing: its
 * topics are read one after the other.
 */
final class TopicsCheck {
    private static final int PRINTED = 20;
    private static final long REMOVED_AFTER_MS = 600_000;

    private TopicsCheck() {}

    /** Reads the topics of an embedded broker's directory; whether nothing differs. */
    static boolean of(Path directory) {
        try (var kafka = EmbeddedKafka.start(directory, 0)) {
            return of(kafka.bootstrapServers());
        }
    }

    /** Reads the topics of brokers; whether nothing differs. */
    static boolean of(String brokers) {
        var oracle = new RatesOracle(Names.publishedAt(brokers));
        var differences = new ArrayList<String>();
        try (var rows = new RatesReader(brokers, oracle);
                var settlements = new SettlementsReader(brokers)) {
            if (rows.advance() > 0) {
                oracle.end();
            }
            oracle.latest(rows.newest(Topics.RATES_LATEST.name()), System.currentTimeMillis() - REMOVED_AFTER_MS);
            for (RatesOracle.Broken broken : RatesOracle.Broken.values()) {
                differences.addAll(oracle.violations(broken));
            }
            settlements.advance();
            differences.addAll(settlements.duplicates());
            var model = new PairsModel(settlements.known(), differences::add);
            Map<String, byte[]> tables = rows.newest(Topics.CARRY_PAIRS.name());
            tables.values().forEach(table -> model.table(Json.object(table)));
            System.out.printf(
                    "%,d quotes, %,d rows, %,d settlements, %,d tables, %,d pairs with their receipts: %,d differ%n",
                    oracle.quotes(),
                    oracle.rows(),
                    settlements.records(),
                    tables.size(),
                    model.pairs(),
                    differences.size());
        }
        print(differences);
        return differences.isEmpty();
    }

    private static void print(List<String> differences) {
        differences.stream().limit(PRINTED).forEach(System.out::println);
    }
}
