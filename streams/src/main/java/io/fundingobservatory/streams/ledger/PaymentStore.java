package io.fundingobservatory.streams.ledger;

import io.fundingobservatory.streams.formats.DayFormat;
import io.fundingobservatory.streams.payments.PaymentDay;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.WindowStore;
import org.apache.kafka.streams.state.WindowStoreIterator;

/**
 * Payments by contract and UTC day. What a record changes is gathered and written at once, so that a record at which the computing
 * fails leaves no part of itself behind.
 */
public final class PaymentStore {
    private final WindowStore<byte[], byte[]> store;
    private final Map<ContractDay, PaymentDay> days = new HashMap<>();
    private final Map<ContractDay, PaymentDay> changed = new HashMap<>();

    private record ContractDay(Bytes key, long dayMs) {}

    /** Over a store by key and UTC day; changes are gathered and written together. */
    public PaymentStore(WindowStore<byte[], byte[]> store) {
        this.store = store;
    }

    /** The day of an instant, with what was changed and is not written yet. */
    public PaymentDay day(byte[] key, long settledMs) {
        long dayMs = PaymentDay.of(settledMs);
        return days.computeIfAbsent(
                new ContractDay(Bytes.wrap(key), dayMs), day -> DayFormat.paymentDay(dayMs, store.fetch(key, dayMs)));
    }

    /** Sets the payments of the UTC day of that instant (epoch ms); stored by {@link #write}. */
    public void change(byte[] key, long settledMs, PaymentDay day) {
        changed.put(new ContractDay(Bytes.wrap(key), PaymentDay.of(settledMs)), day);
    }

    /** Forgets what was changed and is not written. */
    public void discard() {
        days.clear();
        changed.clear();
    }

    /** Stores what was changed. */
    public void write() {
        changed.forEach((at, day) -> store.put(at.key.get(), day.write(), at.dayMs));
        discard();
    }

    /** Everything known of a contract between two instants, whole days, as it is written. */
    public void between(byte[] key, long fromMs, long toMs, BiConsumer<Long, PaymentDay.Entry> each) {
        try (WindowStoreIterator<byte[]> stored = store.fetch(key, PaymentDay.of(fromMs), toMs)) {
            while (stored.hasNext()) {
                KeyValue<Long, byte[]> day = stored.next();
                DayFormat.paymentDay(day.key, day.value).entries().forEach(each);
            }
        }
    }
}
