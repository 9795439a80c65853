package io.fundingobservatory.streams.pairs;

import io.fundingobservatory.streams.formats.DayFormat;
import io.fundingobservatory.streams.settlements.Ledger;
import io.fundingobservatory.streams.settlements.SettlementDay;
import io.fundingobservatory.streams.settlements.Window;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Settlements by contract and UTC day. The changes of a record are gathered and written at once. A record whose
 * computation fails therefore leaves no partial change.
 *
 * <p>A key is the contract's, a zero byte and the number of the day. Old days are deleted one by one. A store
 * that deletes by the time of records has a changelog from which brokers delete restored settlements at once.
 */
final class SettlementStore {
    /** Two days more than are read, so that a day is never deleted while it is in use. */
    private static final long KEPT_MS = Ledger.KEPT_MS + 2 * Window.DAY_MS;

    private static final byte SEPARATOR = 0;

    private final KeyValueStore<byte[], byte[]> store;
    private final Map<ContractDay, SettlementDay> days = new HashMap<>();
    private final Map<ContractDay, byte[]> changed = new HashMap<>();
    private final Set<ContractDay> deleted = new HashSet<>();
    private long newestDayMs;
    private byte @Nullable [] sweptTo;

    private record ContractDay(Bytes key, long dayMs) {
        byte[] storeKey() {
            return SettlementStore.storeKey(key.get(), dayMs);
        }
    }

    /** Over a store by key and UTC day; changes are gathered and written together. */
    SettlementStore(KeyValueStore<byte[], byte[]> store) {
        this.store = store;
    }

    /** The day of an instant, with what was changed and is not written yet. */
    SettlementDay day(byte[] key, long settledMs) {
        return days.computeIfAbsent(
                new ContractDay(Bytes.wrap(key), SettlementDay.of(settledMs)),
                day -> DayFormat.settlementDay(day.dayMs, store.get(day.storeKey())));
    }

    /** Sets the settlements of the UTC day of that instant (epoch ms); stored by {@link #write}. */
    void change(byte[] key, long settledMs, SettlementDay day) {
        var at = new ContractDay(Bytes.wrap(key), SettlementDay.of(settledMs));
        days.put(at, day);
        changed.put(at, day.write());
    }

    /** Forgets what was changed and is not written. */
    void discard() {
        days.clear();
        changed.clear();
        deleted.clear();
    }

    /** Stores what was changed. */
    void write() {
        deleted.forEach(at -> store.delete(at.storeKey()));
        changed.forEach((at, day) -> {
            store.put(at.storeKey(), day);
            newestDayMs = Math.max(newestDayMs, at.dayMs);
        });
        discard();
    }

    /** The days of a contract from an instant on, oldest first, as {@link #between} reads them. */
    Map<Long, SettlementDay> daysFrom(byte[] key, long fromMs) {
        return days(key, fromMs, Long.MAX_VALUE);
    }

    /** Deletes days of a contract, with what was changed and is not written yet; deleted by {@link #write}. */
    void delete(byte[] key, Iterable<Long> dayMs) {
        for (long day : dayMs) {
            var at = new ContractDay(Bytes.wrap(key), day);
            days.remove(at);
            changed.remove(at);
            deleted.add(at);
        }
    }

    /** Everything known of a contract between two instants, whole days, with what was changed and is not written yet. */
    void between(byte[] key, long fromMs, long toMs, BiConsumer<Long, SettlementDay.Entry> each) {
        days(key, fromMs, toMs).values().forEach(day -> day.entries().forEach(each));
    }

    private Map<Long, SettlementDay> days(byte[] key, long fromMs, long toMs) {
        var found = new TreeMap<Long, SettlementDay>();
        try (KeyValueIterator<byte[], byte[]> stored = store.range(storeKey(key, fromMs), storeKey(key, toMs))) {
            while (stored.hasNext()) {
                KeyValue<byte[], byte[]> day = stored.next();
                found.put(dayMs(day.key), DayFormat.settlementDay(dayMs(day.key), day.value));
            }
        }
        for (ContractDay at : changed.keySet()) {
            SettlementDay day = days.get(at);
            if (day != null
                    && at.key.equals(Bytes.wrap(key))
                    && at.dayMs >= SettlementDay.of(fromMs)
                    && at.dayMs <= toMs) {
                found.put(at.dayMs, day);
            }
        }
        return found;
    }

    /**
     * Deletes days that nothing reads any more, counted back from the newest that was seen: no clock can delete a ledger. Looks at so
     * many days at most, and goes on behind them the next time.
     */
    void sweep(int most) {
        var old = new ArrayList<byte[]>();
        try (KeyValueIterator<byte[], byte[]> all = sweptTo == null ? store.all() : store.range(sweptTo, null)) {
            for (int i = 0; i < most && all.hasNext(); i++) {
                byte[] key = all.next().key;
                newestDayMs = Math.max(newestDayMs, dayMs(key));
                if (dayMs(key) < newestDayMs - KEPT_MS) {
                    old.add(key);
                }
            }
            sweptTo = all.hasNext() ? all.peekNextKey() : null;
        }
        old.forEach(store::delete);
    }

    private static byte[] storeKey(byte[] key, long epochMs) {
        long day = Math.clamp(Math.floorDiv(epochMs, Window.DAY_MS), 0, Integer.MAX_VALUE);
        return ByteBuffer.allocate(key.length + 1 + Integer.BYTES)
                .put(key)
                .put(SEPARATOR)
                .putInt((int) day)
                .array();
    }

    private static long dayMs(byte[] storeKey) {
        return ByteBuffer.wrap(storeKey).getInt(storeKey.length - Integer.BYTES) * Window.DAY_MS;
    }
}
