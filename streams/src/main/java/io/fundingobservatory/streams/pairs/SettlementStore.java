package io.fundingobservatory.streams.pairs;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.streams.settlements.ContractSettlements;
import io.fundingobservatory.streams.settlements.SettlementDay;
import io.fundingobservatory.streams.settlements.Window;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.apache.kafka.common.utils.Bytes;
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
    static final long KEPT_MS = ContractSettlements.KEPT_MS + 2 * Window.DAY_MS;

    private static final byte SEPARATOR = 0;

    private final KeyValueStore<byte[], SettlementDay> store;
    /** What the present record changes, by key of the store; null where it deletes. */
    private final TreeMap<Bytes, @Nullable SettlementDay> changes = new TreeMap<>();

    private long newestDayMs;
    private byte @Nullable [] sweptTo;

    SettlementStore(KeyValueStore<byte[], SettlementDay> store) {
        this.store = store;
    }

    /** The day of an instant, with what was changed and is not written yet. */
    SettlementDay day(byte[] key, long settledMs) {
        byte[] at = storeKey(key, settledMs);
        SettlementDay changed = changes.get(Bytes.wrap(at));
        SettlementDay known = changed == null ? store.get(at) : changed;
        return known == null ? new SettlementDay(dayMs(at)) : known;
    }

    /** The day of that instant (epoch ms) has changed; stored by {@link #write}. */
    void change(byte[] key, SettlementDay day) {
        changes.put(Bytes.wrap(storeKey(key, day.dayMs())), day);
    }

    void discard() {
        changes.clear();
    }

    void write() {
        changes.forEach((at, day) -> {
            store.put(at.get(), day);
            newestDayMs = day == null ? newestDayMs : Math.max(newestDayMs, dayMs(at.get()));
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
            changes.put(Bytes.wrap(storeKey(key, day)), null);
        }
    }

    /** Everything known of a contract between two instants, whole days, with what was changed and is not written yet. */
    void between(byte[] key, long fromMs, long toMs, BiConsumer<Long, SettlementDay.Entry> each) {
        days(key, fromMs, toMs).values().forEach(day -> day.entries().forEach(each));
    }

    private Map<Long, SettlementDay> days(byte[] key, long fromMs, long toMs) {
        var found = new TreeMap<Long, SettlementDay>();
        byte[] from = storeKey(key, fromMs);
        byte[] to = storeKey(key, toMs);
        try (KeyValueIterator<byte[], SettlementDay> stored = store.range(from, to)) {
            stored.forEachRemaining(day -> found.put(dayMs(day.key), day.value));
        }
        changes.subMap(Bytes.wrap(from), true, Bytes.wrap(to), true)
                .forEach((at, day) -> found.put(dayMs(at.get()), day));
        found.values().removeIf(Objects::isNull);
        return found;
    }

    /**
     * Deletes days that nothing reads any more, counted back from the newest that was seen: no clock can delete a ledger. Looks at so
     * many days at most, and goes on behind them the next time.
     */
    void sweep(int most) {
        var old = new ArrayList<byte[]>();
        try (KeyValueIterator<byte[], SettlementDay> all = sweptTo == null ? store.all() : store.range(sweptTo, null)) {
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

    /** The key of what belongs to a name on the UTC day of an instant. */
    static byte[] storeKey(byte[] key, long epochMs) {
        long day = Math.clamp(Math.floorDiv(epochMs, Window.DAY_MS), 0, Integer.MAX_VALUE);
        return ByteBuffer.allocate(key.length + 1 + Integer.BYTES)
                .put(key)
                .put(SEPARATOR)
                .putInt((int) day)
                .array();
    }

    /** What a key of the store belongs to. */
    static String name(byte[] storeKey) {
        return new String(storeKey, 0, storeKey.length - Integer.BYTES - 1, UTF_8);
    }

    static long dayMs(byte[] storeKey) {
        return ByteBuffer.wrap(storeKey).getInt(storeKey.length - Integer.BYTES) * Window.DAY_MS;
    }
}
