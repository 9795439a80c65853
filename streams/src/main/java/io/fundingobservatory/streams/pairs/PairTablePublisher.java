package io.fundingobservatory.streams.pairs;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.streams.carry.Contract;
import io.fundingobservatory.streams.carry.PairTable;
import io.fundingobservatory.streams.carry.PricedContract;
import io.fundingobservatory.streams.processing.StoredJson;
import io.fundingobservatory.streams.processing.StreamsMetrics;
import io.fundingobservatory.streams.processing.StreamsMetrics.Count;
import io.fundingobservatory.streams.processing.TaskTime;
import io.fundingobservatory.streams.settlements.ContractSettlements;
import io.fundingobservatory.streams.settlements.KnownSettlement;
import io.fundingobservatory.streams.settlements.SettlementDay;
import io.fundingobservatory.streams.settlements.Window;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.carry.CarryTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;

/** Makes the pair table of an asset from its stored settlements and publishes it, unless it equals the one before. */
final class PairTablePublisher {
    /** With its key and headers it still has to fit into what the topic takes. */
    private static final int LARGEST_TABLE = Topics.CARRY_PAIRS.largestRecord() - 4_096;

    private static final Headers TABLE_SCHEMA = new RecordHeaders().add(Topics.CARRY_PAIRS.schemaHeader());

    private final StreamsMetrics metrics;
    private final TaskTime time;
    private final ProcessorContext<byte[], byte[]> context;
    private final StoredContracts contracts;
    private final SettlementStore settlements;
    private final KeyValueStore<byte[], TableDigest> digests;

    PairTablePublisher(
            StreamsMetrics metrics,
            TaskTime time,
            ProcessorContext<byte[], byte[]> context,
            StoredContracts contracts,
            SettlementStore settlements) {
        this.metrics = metrics;
        this.time = time;
        this.context = context;
        this.contracts = contracts;
        this.settlements = settlements;
        this.digests = context.getStateStore(PairsStores.TABLE_DIGESTS);
    }

    /** Returns every asset with a published table, and the end of its window, epoch ms. */
    Map<String, Long> published() {
        var published = new HashMap<String, Long>();
        StoredJson.forEach(
                digests.all(), (asset, digest) -> published.put(new String(asset, UTF_8), digest.windowEndMs()));
        return published;
    }

    /** Whether the asset has no published table, or one of other settlements or contracts than it has now, or of another window. */
    boolean isOutdated(String asset, Window window) {
        TableDigest digest = digests.get(asset.getBytes(UTF_8));
        return digest == null || digest.outdated() || digest.windowEndMs() != window.endMs();
    }

    /** Remembers, over a restart, that the published table is not that of the asset any more. */
    void outdate(String asset) {
        byte[] key = asset.getBytes(UTF_8);
        TableDigest digest = digests.get(key);
        if (digest != null && !digest.outdated()) {
            digests.put(key, new TableDigest(digest.windowEndMs(), digest.digest(), true));
        }
    }

    /**
     * Publishes the table of an asset, or withdraws it where no contract is left. Contracts of which nothing is known for as long as
     * settlements are kept are removed.
     *
     * @return whether a contract is left
     */
    boolean publish(String asset, Window window) {
        metrics.count(Count.TABLED);
        var inputs = new ArrayList<PairTable.Input>();
        for (PricedContract listed : contracts.of(asset).values()) {
            ContractSettlements known = known(listed.contract(), window);
            if (listed.publishedMs() >= window.endMs() - ContractSettlements.KEPT_MS || !known.isEmpty()) {
                inputs.add(new PairTable.Input(listed, known));
            } else {
                contracts.remove(asset, listed.contract().key());
            }
        }
        if (inputs.isEmpty()) {
            withdraw(asset);
            return false;
        }
        byte[] table = CarryTable.CODEC.encode(PairTable.of(asset, inputs, window));
        if (table.length > LARGEST_TABLE) {
            // The table before would remain with its old window, and look current.
            metrics.count(Count.TOO_LARGE);
            withdraw(asset);
        } else {
            replace(asset, TableDigest.of(window.endMs(), table), table);
        }
        return true;
    }

    private void replace(String asset, TableDigest digest, byte[] table) {
        byte[] key = asset.getBytes(UTF_8);
        TableDigest before = digests.get(key);
        if (digest.equals(before)) {
            return;
        }
        digests.put(key, digest);
        if (before == null || !before.digest().equals(digest.digest())) {
            context.forward(new Record<>(key, table, time.nowMs(), TABLE_SCHEMA));
        }
    }

    private void withdraw(String asset) {
        byte[] key = asset.getBytes(UTF_8);
        if (digests.delete(key) != null) {
            context.forward(new Record<>(key, null, time.nowMs()));
        }
    }

    private ContractSettlements known(Contract contract, Window window) {
        var known = new ContractSettlements();
        long oldestMs = window.endMs() - ContractSettlements.KEPT_MS;
        byte[] key = StoredContracts.key(contract.asset(), contract.key());
        // A stamp after T can be that of the settlement at T, so those are read as well.
        for (SettlementDay day : settlements.days(key, oldestMs, window.endMs() + Window.DAY_MS)) {
            day.entries().tailMap(oldestMs, true).forEach((settledMs, entry) -> {
                KnownSettlement settlement = entry.withInterval();
                if (entry.listingEpoch() != contract.listingEpoch()) {
                    return;
                }
                if (settlement == null) {
                    known.expect(settledMs);
                } else {
                    known.add(settlement);
                }
            });
        }
        return known;
    }
}
