package io.fundingobservatory.streams.pairs;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.streams.formats.Format;
import io.fundingobservatory.streams.settlements.ErrorHistogram;
import io.fundingobservatory.streams.settlements.LedgerSettlement;
import io.fundingobservatory.streams.settlements.SettlementDay;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.records.ContractKey;
import io.fundingobservatory.topics.records.Settlement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.common.utils.Bytes;

/**
 * What the stores hold of published settlements, as records of their changelogs. Kafka Streams restores lost stores
 * from these.
 *
 * <p>Settlements are gathered as the bytes of their format, which take less memory than objects.
 */
public final class PublishedLedger {
    private static final int DAYS = Topics.CONTRACT_EVENTS.partitions();
    private static final int ERRORS = Topics.VENUES_QUALITY.partitions();

    /** The partitions of the changelogs that are written here, by store: those of the tasks that read them. */
    public static final Map<String, Integer> PARTITIONS =
            Map.of(PairsStores.LEDGER, DAYS, PairsStores.ERROR_HISTOGRAMS, ERRORS);

    private final long oldestMs;
    private final Map<Bytes, List<byte[]>> days = new HashMap<>();
    private final Map<Bytes, ErrorHistogram> errors = new HashMap<>();

    /** Receives records of changelogs. */
    @FunctionalInterface
    public interface Changelogs {
        void put(String store, int partition, byte[] key, byte[] value);
    }

    /** {@code newestMs} is the newest settlement's instant, epoch ms UTC. Settlements that are too old for the stores by then are left out. */
    public PublishedLedger(long newestMs) {
        oldestMs = newestMs - SettlementStore.KEPT_MS;
    }

    /** Adds a settlement of the contract's present listing, under its present asset. */
    public void add(Settlement settlement, String asset) {
        if (settlement.settledMs() < oldestMs) {
            return;
        }
        byte[] at = SettlementStore.storeKey(StoredContracts.key(asset, settlement.key()), settlement.settledMs());
        var settled = new LedgerSettlement(
                settlement.settledMs(),
                settlement.fundingRate(),
                settlement.basis(),
                settlement.fundingIntervalH(),
                settlement.observedAtMs());
        var day = new SettlementDay(SettlementStore.dayMs(at));
        day.enter(
                settlement.settledMs(),
                SettlementDay.Entry.of(settlement.listingEpoch(), settled, settlement.settledRawMs()));
        days.computeIfAbsent(Bytes.wrap(at), one -> new ArrayList<>()).add(Format.SETTLEMENT_DAY.write(day));
    }

    /** Passes the gathered days on and discards them. All settlements of their contracts must have been added. */
    public void putDays(Changelogs to) {
        days.forEach((at, parts) -> {
            var day = new SettlementDay(SettlementStore.dayMs(at.get()));
            parts.stream()
                    .map(Format.SETTLEMENT_DAY::read)
                    .filter(Objects::nonNull)
                    .forEach(part -> part.entries().forEach(day::enter));
            String contract = SettlementStore.name(at.get());
            to.put(
                    PairsStores.LEDGER,
                    PairsStores.partition(StoredContracts.asset(contract), DAYS),
                    at.get(),
                    Format.SETTLEMENT_DAY.write(day));
            measure(StoredContracts.contract(contract), day);
        });
        days.clear();
    }

    private void measure(ContractKey contract, SettlementDay day) {
        byte[] at = SettlementStore.storeKey(contract.venue().getBytes(UTF_8), day.dayMs());
        day.entries().values().forEach(entry -> {
            var error = entry.estimateError8h();
            if (error != null) {
                errors.computeIfAbsent(Bytes.wrap(at), venueDay -> new ErrorHistogram())
                        .replace(null, error);
            }
        });
    }

    /** Passes on how far estimates were off, by venue and day, of all days that were passed on. */
    public void putErrors(Changelogs to) {
        errors.forEach((at, histogram) -> to.put(
                PairsStores.ERROR_HISTOGRAMS,
                PairsStores.partition(SettlementStore.name(at.get()), ERRORS),
                at.get(),
                Format.ERROR_HISTOGRAM.write(histogram)));
    }
}
