package io.fundingobservatory.standalone.brokers;

import io.fundingobservatory.runtime.InnermostCause;
import io.fundingobservatory.runtime.TopicReader;
import io.fundingobservatory.standalone.terminal.Stop;
import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.carry.CarryPair;
import io.fundingobservatory.topics.carry.CarryTable;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Recomputes the pairs of one asset from the topic {@code settlements} with separate, plain arithmetic.
 * Compares sums, counts, percentiles and receipts with {@code carry.pairs}.
 */
@Command(
        name = "receipt",
        mixinStandardHelpOptions = true,
        description =
                "Recomputes the 30-day pairs of an asset from the settlements topic and compares sums, counts, percentiles and receipts.")
public final class ReceiptCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli injects it
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "ASSET", description = "The normalised asset name, for example BTC.")
    private String asset = "";

    @Mixin
    private BrokerOptions brokers = new BrokerOptions();

    private final PairRecomputation settlements = new PairRecomputation();
    private @Nullable CarryTable table;

    @Override
    public Integer call() {
        try {
            readAll(Topics.CARRY_PAIRS, (key, found) -> table = asset.equals(key) ? found : table);
            readAll(Topics.SETTLEMENTS, settlement -> {
                if (settlement.asset().equals(asset)) {
                    settlements.add(settlement);
                }
            });
        } catch (KafkaException e) {
            throw new Stop("no broker could be read at " + brokers + ": " + InnermostCause.typed(e));
        }
        CarryTable found = table;
        if (found == null) {
            throw new Stop("there is no pair table of " + asset + " on " + brokers
                    + "; assets are spelt as in /api/v1/latest, for example BTC");
        }
        PrintWriter out = spec.commandLine().getOut();
        out.printf(
                "%s, window (%s, %s], %d pairs%n",
                asset,
                Instant.ofEpochMilli(found.windowStartMs()),
                Instant.ofEpochMilli(found.windowEndMs()),
                found.pairs().size());
        int differing = 0;
        for (CarryPair pair : found.pairs()) {
            String difference = pair.receipt() == null ? null : settlements.difference(found, pair);
            differing += difference == null ? 0 : 1;
            out.printf(
                    "%-9s %2d d  %-24s short %s|%s long %s|%s  %s%n",
                    pair.receipt() == null ? "no days" : difference == null ? "same" : "DIFFERS",
                    pair.days(),
                    pair.fundingDifference() == null
                            ? "null"
                            : pair.fundingDifference().toPlainString(),
                    pair.shortLeg().venue(),
                    pair.shortLeg().symbol(),
                    pair.longLeg().venue(),
                    pair.longLeg().symbol(),
                    difference == null ? "" : difference);
        }
        out.printf("%d of %d pairs differ%n", differing, found.pairs().size());
        return differing == 0 ? 0 : 1;
    }

    private <V> void readAll(Topic<V> topic, Consumer<V> each) {
        readAll(topic, (key, value) -> {
            if (value != null) {
                each.accept(value);
            }
        });
    }

    /** Reads a topic whose null values withdraw what stood under their keys. */
    private <V> void readAll(Topic<V> topic, BiConsumer<@Nullable String, @Nullable V> each) {
        Map<String, Object> config = brokers.access()
                .client(Map.of(
                        "isolation.level",
                        "read_committed",
                        "default.api.timeout.ms",
                        "10000",
                        "request.timeout.ms",
                        "5000",
                        "fetch.max.bytes",
                        Integer.toString(64 * 1024 * 1024),
                        "max.partition.fetch.bytes",
                        Integer.toString(16 * 1024 * 1024)));
        try (var consumer = new KafkaConsumer<>(config, new StringDeserializer(), topic.deserializer())) {
            TopicReader.fromBeginning(consumer, topic.name())
                    .toEnd(record -> each.accept(record.key(), record.value()));
        }
    }
}
