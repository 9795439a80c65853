package io.fundingobservatory.streams.processors;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.streams.carry.AssetContracts;
import io.fundingobservatory.streams.carry.Payment;
import io.fundingobservatory.streams.carry.PaymentDay;
import io.fundingobservatory.streams.carry.Window;
import io.fundingobservatory.streams.formats.PairEvent;
import io.fundingobservatory.streams.formats.PairEventFormat;
import io.fundingobservatory.streams.formats.Routed;
import io.fundingobservatory.topics.ContractKey;
import io.fundingobservatory.topics.Settlement;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Keeps the payments of each asset's contracts and makes its pair table anew when one of them changes or the window moves on. What
 * equals the table before is not published again.
 *
 * <p>Payments stay in the store, a day of a contract to a value: 3 million of them would not fit into memory, and reading 31 values
 * is quick. In memory is only what the contracts are.
 */
public final class PairTableProcessor implements Processor<byte[], byte[], byte[], byte[]> {
    /** An asset's changes of so long make one table. */
    static final Duration GATHERING = Duration.ofSeconds(10);

    private final StreamsMetrics metrics;
    private final BrokerClock clock;
    private final RecomputeSchedule schedule;
    private final Map<String, AssetContracts> assets = new HashMap<>();

    @SuppressWarnings("NullAway.Init") // given by init, before the first record
    private KeyValueStore<byte[], PairEvent.ContractListed> contracts;

    @SuppressWarnings("NullAway.Init")
    private PaymentStore payments;

    @SuppressWarnings("NullAway.Init")
    private PairTablePublisher tables;

    public PairTableProcessor(StreamsMetrics metrics, BrokerClock clock, WorkBudget budget) {
        this.metrics = metrics;
        this.clock = clock;
        this.schedule = new RecomputeSchedule(clock, budget, GATHERING);
    }

    /** Also of a revived task, with what an aborted transaction left in memory: all of it comes from the stores again. */
    @Override
    public void init(ProcessorContext<byte[], byte[]> context) {
        contracts = context.getStateStore(Stores.ASSET_CONTRACTS);
        payments = new PaymentStore(context.getStateStore(Stores.ASSET_PAYMENTS));
        tables = new PairTablePublisher(metrics, clock, context, payments);
        assets.clear();
        schedule.clear();
        try (KeyValueIterator<byte[], PairEvent.ContractListed> all = contracts.all()) {
            all.forEachRemaining(row -> {
                if (row.value != null) {
                    contractsOf(row.value.asset()).list(row.value.contract(), row.value.atMs());
                }
            });
        }
        tables.eachPublished((asset, windowEndMs) -> {
            schedule.made(windowEndMs);
            contractsOf(asset);
        });
        schedule.start(context, assets::keySet, this::tabulate);
    }

    @Override
    public void close() {
        schedule.stop();
    }

    private AssetContracts contractsOf(String asset) {
        return assets.computeIfAbsent(asset, AssetContracts::new);
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        Routed<PairEvent> routed = PairEventFormat.EVENTS.read(record.value());
        if (routed == null) {
            metrics.refused("pair-table", "unknown_format");
            return;
        }
        if (routed.input() != Routed.UNTIMED) {
            clock.arrived(routed.input(), record.timestamp());
        }
        payments.discard();
        boolean changes = switch (routed.event()) {
            case PairEvent.ContractListed listed -> list(listed);
            case PairEvent.ContractRemoved(ContractKey key, String asset) -> remove(asset, key);
            case PairEvent.SettlementRecorded(Settlement s) -> {
                var payment =
                        new Payment(s.settledMs(), s.fundingRate(), s.basis(), s.fundingIntervalH(), s.observedAtMs());
                yield enter(
                        s.asset(),
                        s.key(),
                        s.listingEpoch(),
                        s.settledMs(),
                        day -> day.add(s.listingEpoch(), payment, s.settledMs()));
            }
            case PairEvent.SettlementExpected(ContractKey key, long epoch, String asset, long settledMs) ->
                enter(asset, key, epoch, settledMs, day -> day.expect(epoch, settledMs, null));
        };
        payments.write();
        if (changes) {
            schedule.changed(routed.event().asset());
        }
    }

    private boolean list(PairEvent.ContractListed listed) {
        boolean changes = contractsOf(listed.asset()).list(listed.contract(), listed.atMs());
        contracts.put(storeKey(listed.asset(), listed.contract().key()), listed);
        return changes;
    }

    private boolean remove(String asset, ContractKey key) {
        contracts.delete(storeKey(asset, key));
        return contractsOf(asset).remove(key);
    }

    private boolean enter(String asset, ContractKey key, long epoch, long settledMs, Predicate<PaymentDay> entry) {
        Long listed = contractsOf(asset).epoch(key);
        if (listed == null || listed != epoch) {
            return false;
        }
        byte[] storeKey = storeKey(asset, key);
        PaymentDay day = payments.day(storeKey, settledMs);
        if (!entry.test(day)) {
            return false;
        }
        payments.change(storeKey, settledMs, day);
        return true;
    }

    private void tabulate(String asset, Window window) {
        AssetContracts listed = contractsOf(asset);
        for (ContractKey inactive : tables.publish(listed, window)) {
            remove(asset, inactive);
        }
        if (listed.isEmpty()) {
            assets.remove(asset);
            tables.withdraw(asset);
        }
    }

    static byte[] storeKey(String asset, ContractKey key) {
        return (asset + '\0' + key).getBytes(UTF_8);
    }
}
