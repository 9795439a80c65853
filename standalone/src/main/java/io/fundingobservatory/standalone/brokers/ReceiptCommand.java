package io.fundingobservatory.standalone.brokers;

import io.fundingobservatory.runtime.InnermostCause;
import io.fundingobservatory.runtime.TopicReader;
import io.fundingobservatory.standalone.terminal.Stop;
import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.carry.CarryLeg;
import io.fundingobservatory.topics.carry.CarryPair;
import io.fundingobservatory.topics.carry.CarryTable;
import io.fundingobservatory.topics.records.Settlement;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
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
 * Compares sums, counts and receipts with {@code carry.pairs}.
 */
@Command(
        name = "receipt",
        mixinStandardHelpOptions = true,
        description =
                "Recomputes the 30-day pairs of an asset from the settlements topic and compares sums, counts and receipts.")
public final class ReceiptCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli injects it
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "ASSET", description = "The normalised asset name, for example BTC.")
    private String asset = "";

    @Mixin
    private BrokerOptions brokers = new BrokerOptions();

    /** One contract of one listing. */
    private record Listing(String venue, String symbol, long listingEpoch) {
        static Listing of(CarryLeg leg) {
            return new Listing(leg.venue(), leg.symbol(), leg.listingEpoch());
        }
    }

    private final Map<Listing, NavigableMap<Long, Settlement>> ledger = new HashMap<>();
    private @Nullable CarryTable table;

    @Override
    public Integer call() {
        try {
            readAll(Topics.CARRY_PAIRS, found -> table = found.asset().equals(asset) ? found : table);
            readAll(Topics.SETTLEMENTS, settlement -> {
                if (settlement.asset().equals(asset)) {
                    var listing = new Listing(settlement.venue(), settlement.symbol(), settlement.listingEpoch());
                    ledger.computeIfAbsent(listing, t -> new TreeMap<>()).put(settlement.settledMs(), settlement);
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
            String difference = pair.receipt() == null ? null : compare(found, pair);
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

    /** How a pair differs from its settlements; null when they agree. */
    private @Nullable String compare(CarryTable table, CarryPair pair) {
        long from = table.windowEndMs() - pair.days() * Duration.ofDays(1).toMillis();
        boolean shortFirst = (pair.shortLeg().venue() + '|' + pair.shortLeg().symbol())
                        .compareTo(pair.longLeg().venue() + '|' + pair.longLeg().symbol())
                < 0;
        List<CarryLeg> legs =
                shortFirst ? List.of(pair.shortLeg(), pair.longLeg()) : List.of(pair.longLeg(), pair.shortLeg());
        var lines = new StringBuilder();
        BigDecimal difference = BigDecimal.ZERO;
        for (CarryLeg leg : legs) {
            var settlements = ledger.getOrDefault(Listing.of(leg), new TreeMap<>())
                    .subMap(from, false, table.windowEndMs(), true)
                    .values();
            BigDecimal sum = BigDecimal.ZERO;
            for (Settlement s : settlements) {
                sum = sum.add(s.fundingRate());
                String rate = s.fundingRate().signum() == 0
                        ? "0"
                        : s.fundingRate().stripTrailingZeros().toPlainString();
                lines.append(leg.venue())
                        .append('|')
                        .append(leg.symbol())
                        .append('|')
                        .append(leg.listingEpoch());
                lines.append('|').append(s.settledMs()).append('|').append(rate).append('|');
                lines.append(s.basis().name().toLowerCase(Locale.ROOT)).append('\n');
            }
            difference = leg.equals(pair.shortLeg()) ? difference.add(sum) : difference.subtract(sum);
            if (settlements.size() != leg.settlements()) {
                return leg.venue() + ": " + settlements.size() + " settlements, not " + leg.settlements();
            }
            if (!sameDays(leg, table.windowEndMs())) {
                return leg.venue() + ": other daily sums";
            }
        }
        if (pair.fundingDifference() == null || difference.compareTo(pair.fundingDifference()) != 0) {
            return "the difference is " + difference.toPlainString();
        }
        return sha256(lines.toString()).equals(pair.receipt()) ? null : "another receipt";
    }

    private boolean sameDays(CarryLeg leg, long windowEndMs) {
        long dayMs = Duration.ofDays(1).toMillis();
        long endMs = windowEndMs;
        for (BigDecimal published : leg.dailySums().list().reversed()) {
            BigDecimal sum = ledger
                    .getOrDefault(Listing.of(leg), new TreeMap<>())
                    .subMap(endMs - dayMs, false, endMs, true)
                    .values()
                    .stream()
                    .map(Settlement::fundingRate)
                    .reduce(BigDecimal.ZERO, BigDecimal::add);
            if (sum.compareTo(published) != 0) {
                return false;
            }
            endMs -= dayMs;
        }
        return true;
    }

    private static String sha256(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    private <V> void readAll(Topic<V> topic, Consumer<V> each) {
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
            TopicReader.fromBeginning(consumer, topic.name()).toEnd(record -> {
                if (record.value() != null) {
                    each.accept(record.value());
                }
            });
        }
    }
}
