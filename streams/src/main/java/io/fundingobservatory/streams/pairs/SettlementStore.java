package io.fundingobservatory.streams.pairs;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.streams.processing.StoredJson;
import io.fundingobservatory.streams.settlements.ContractSettlements;
import io.fundingobservatory.streams.settlements.SettlementDay;
import io.fundingobservatory.streams.settlements.Window;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Settlements by contract and UTC day. A key is the contract's, a zero byte and the number of the day.
 *
 * <p>Old days are deleted one by one. A store that deletes by the time of records has a changelog from which brokers delete restored
 * settlements at once.
 */
final class SettlementStore {
    /** Two days more than are read, so that a day is never deleted while it is in use. */
    static final long KEPT_MS = ContractSettlements.KEPT_MS + 2 * Window.DAY_MS;

    private static final byte SEPARATOR = 0;

    private final KeyValueStore<byte[], SettlementDay> store;

    private long newestDayMs;
    private byte @Nullable [] sweptTo;

    SettlementStore(KeyValueStore<byte[], SettlementDay> store) {
        this.store = store;
    }

    /** The day of an instant, epoch ms; an empty one where nothing is known. */
    SettlementDay day(byte[] key, long settledMs) {
        byte[] at = storeKey(key, settledMs);
        SettlementDay known = store.get(at);
        return known == null ? new SettlementDay(dayMs(at)) : known;
    }

    void put(byte[] key, SettlementDay day) {
        store.put(storeKey(key, day.dayMs()), day);
        newestDayMs = Math.max(newestDayMs, day.dayMs());
    }

    void delete(byte[] key, SettlementDay day) {
        store.delete(storeKey(key, day.dayMs()));
    }

    /** The days of a contract from that of an instant to that of another one, epoch ms, oldest first. */
    List<SettlementDay> days(byte[] key, long fromMs, long toMs) {
        var found = new ArrayList<SettlementDay>();
        StoredJson.forEach(store.range(storeKey(key, fromMs), storeKey(key, toMs)), (at, day) -> found.add(day));
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
