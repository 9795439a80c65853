package io.fundingobservatory.streams.topology;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.streams.carry.AssetContracts;
import io.fundingobservatory.streams.carry.Contract;
import io.fundingobservatory.streams.carry.Ledger;
import io.fundingobservatory.streams.carry.Payment;
import io.fundingobservatory.streams.carry.PaymentDay;
import io.fundingobservatory.streams.carry.Window;
import io.fundingobservatory.topics.CarryTable;
import io.fundingobservatory.topics.ContractKey;
import io.fundingobservatory.topics.Settlement;
import io.fundingobservatory.topics.Topics;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.WindowStore;
import org.apache.kafka.streams.state.WindowStoreIterator;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the payments of each asset's contracts and makes its pair table anew when one of them changes or the window moves on. What
 * equals the table before is not published again.
 *
 * <p>Payments stay in the store, a day of a contract to a value: 3 million of them would not fit into memory, and reading 31 values
 * is quick. In memory is only what the contracts are.
 */
final class PairUp implements Processor<byte[], Note, byte[], byte[]> {
    static final String NAME = "pair-up";
    static final String CONTRACTS = "carry-contracts";
    static final String PAYMENTS = "carry-payments";
    static final String TABLES = "carry-tables";

    /** An asset's changes of so long make one table. */
    static final Duration GATHERING = Duration.ofSeconds(10);

    /** With its key and headers it still has to fit into what the topic takes. */
    private static final int LARGEST_TABLE = Topics.LARGEST_TABLE - 4_096;

    private final Tally tally;
    private final ArrivalClock clock;
    private final Map<String, AssetContracts> books = new HashMap<>();
    private final Rota rota;

    @SuppressWarnings("NullAway.Init") // given by init, before the first record
    private ProcessorContext<byte[], byte[]> context;

    @SuppressWarnings("NullAway.Init")
    private KeyValueStore<byte[], Note.Listed> contracts;

    @SuppressWarnings("NullAway.Init")
    private WindowStore<byte[], byte[]> payments;

    @SuppressWarnings("NullAway.Init")
    private KeyValueStore<byte[], TableMark> tables;

    PairUp(Tally tally, ArrivalClock clock, LongSupplier steadyMs) {
        this.tally = tally;
        this.clock = clock;
        this.rota = new Rota(clock, steadyMs, GATHERING);
    }

    @Override
    public void init(ProcessorContext<byte[], byte[]> context) {
        this.context = context;
        this.contracts = context.getStateStore(CONTRACTS);
        this.payments = context.getStateStore(PAYMENTS);
        this.tables = context.getStateStore(TABLES);
        try (KeyValueIterator<byte[], Note.Listed> all = contracts.all()) {
            all.forEachRemaining(row -> book(row.value.asset()).list(row.value.contract(), row.value.atMs()));
        }
        var tabled = new LinkedHashSet<String>();
        try (KeyValueIterator<byte[], TableMark> all = tables.all()) {
            all.forEachRemaining(row -> {
                rota.made(row.value.windowEndMs());
                tabled.add(new String(row.key, UTF_8));
            });
        }
        tabled.addAll(books.keySet());
        rota.begin(tabled);
        context.schedule(Rota.TICK, PunctuationType.WALL_CLOCK_TIME, tick -> rota.tick(books::keySet, this::tabulate));
    }

    private AssetContracts book(String asset) {
        return books.computeIfAbsent(asset, AssetContracts::new);
    }

    @Override
    public void process(Record<byte[], Note> record) {
        rota.arrived(record.timestamp());
        Note note = record.value();
        boolean changes = switch (note) {
            case Note.Listed listed -> list(listed);
            case Note.Gone(ContractKey key, String asset) -> strike(asset, key);
            case Note.Paid(Settlement s) -> {
                var payment =
                        new Payment(s.settledMs(), s.fundingRate(), s.basis(), s.fundingIntervalH(), s.observedAtMs());
                yield enter(
                        s.asset(),
                        s.key(),
                        s.listingEpoch(),
                        s.settledMs(),
                        day -> day.add(s.listingEpoch(), payment, s.settledMs()));
            }
            case Note.Expected(ContractKey key, long epoch, String asset, long settledMs) ->
                enter(asset, key, epoch, settledMs, day -> day.expect(epoch, settledMs, null));
        };
        if (changes) {
            rota.changed(note.asset());
        }
    }

    private boolean list(Note.Listed listed) {
        contracts.put(storeKey(listed.asset(), listed.contract().key()), listed);
        return book(listed.asset()).list(listed.contract(), listed.atMs());
    }

    private boolean strike(String asset, ContractKey key) {
        contracts.delete(storeKey(asset, key));
        return book(asset).remove(key);
    }

    private boolean enter(String asset, ContractKey key, long epoch, long settledMs, Predicate<PaymentDay> entry) {
        Long listed = book(asset).epoch(key);
        if (listed == null || listed != epoch) {
            return false;
        }
        byte[] storeKey = storeKey(asset, key);
        long dayMs = PaymentDay.of(settledMs);
        PaymentDay day = PaymentDay.read(dayMs, payments.fetch(storeKey, dayMs));
        if (!entry.test(day)) {
            return false;
        }
        payments.put(storeKey, day.write(), dayMs);
        return true;
    }

    private void tabulate(String asset, Window window) {
        tally.tabled();
        AssetContracts book = book(asset);
        AssetContracts.Result result = book.tabulate(window, contract -> ledger(contract, window));
        for (ContractKey inactive : result.inactive()) {
            strike(asset, inactive);
        }
        byte[] key = asset.getBytes(UTF_8);
        if (book.isEmpty()) {
            books.remove(asset);
            if (tables.delete(key) != null) {
                context.forward(new Record<>(key, null, clock.nowMs()));
            }
            return;
        }
        byte[] table = CarryTable.CODEC.encode(result.table());
        TableMark mark = TableMark.of(window.endMs(), table);
        if (mark.equals(tables.get(key))) {
            return;
        }
        if (table.length > LARGEST_TABLE) {
            tally.tooLarge();
            return;
        }
        tables.put(key, mark);
        context.forward(new Record<>(key, table, clock.nowMs(), schema()));
    }

    private static Headers schema() {
        return new RecordHeaders().add(Topics.CARRY_PAIRS.schemaHeader());
    }

    private Ledger ledger(Contract contract, Window window) {
        var ledger = new Ledger();
        long oldestMs = window.endMs() - Ledger.KEPT_MS;
        byte[] key = storeKey(contract.asset(), contract.key());
        try (WindowStoreIterator<byte[]> days = payments.fetch(key, PaymentDay.of(oldestMs), Long.MAX_VALUE)) {
            while (days.hasNext()) {
                KeyValue<Long, byte[]> day = days.next();
                PaymentDay.read(day.key, day.value).entries().forEach((settledMs, entry) -> {
                    if (entry.epoch() == contract.listingEpoch() && settledMs >= oldestMs) {
                        enter(ledger, settledMs, entry.settlement());
                    }
                });
            }
        }
        return ledger;
    }

    private static void enter(Ledger ledger, long settledMs, @Nullable Payment payment) {
        if (payment == null) {
            ledger.expect(settledMs);
        } else {
            ledger.add(payment);
        }
    }

    private static byte[] storeKey(String asset, ContractKey key) {
        return (asset + '\0' + key).getBytes(UTF_8);
    }
}
