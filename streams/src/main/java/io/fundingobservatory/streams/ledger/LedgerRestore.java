package io.fundingobservatory.streams.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.streams.core.Plausibility;
import io.fundingobservatory.streams.core.RecordReading;
import io.fundingobservatory.streams.formats.ContractState;
import io.fundingobservatory.streams.formats.ContractState.Restored;
import io.fundingobservatory.streams.formats.Routed;
import io.fundingobservatory.streams.payments.Payment;
import io.fundingobservatory.topics.json.MalformedRecord;
import io.fundingobservatory.topics.records.Settlement;
import java.util.Arrays;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Reads the published ledger back. Once the stores and their changelogs are gone, only the ledger has the
 * estimates and accruals that no venue publishes. The same is true of the listing numbers of symbols. In
 * steady state all of it is known and nothing changes.
 */
public final class LedgerRestore {
    private static final String STAGE = "ledger-restore";
    private static final String IMPLAUSIBLE = "implausible";

    private final StreamsMetrics metrics;
    private final KeyValueStore<byte[], ContractState> contracts;
    private final ContractLedger ledger;

    /** Reads back what the published ledger tells of the contracts of one task. */
    public LedgerRestore(
            StreamsMetrics metrics, KeyValueStore<byte[], ContractState> contracts, ContractLedger ledger) {
        this.metrics = metrics;
        this.contracts = contracts;
        this.ledger = ledger;
    }

    /**
     * Reads a record of {@code settlements}. Records that are not settlements as this topology writes them
     * are counted and skipped.
     */
    public void read(Record<byte[], byte[]> record) {
        byte @Nullable [] key = record.key();
        byte @Nullable [] value = record.value();
        Settlement settlement = null;
        try {
            settlement = value == null ? null : Settlement.CODEC.decode(value);
        } catch (MalformedRecord e) {
            // Counted below: the record is of another writer.
        }
        if (settlement == null
                || !Arrays.equals(key, settlement.key().toString().getBytes(UTF_8))) {
            metrics.refused(STAGE, RecordReading.UNREADABLE);
        } else if (!couldBeOurs(settlement)) {
            metrics.refused(STAGE, IMPLAUSIBLE);
        } else {
            restore(record.key(), settlement);
        }
    }

    private static boolean couldBeOurs(Settlement settlement) {
        return Plausibility.flaw(settlement) == null
                && settlement.settledMs() == Payment.onTheMinute(settlement.settledRawMs())
                && settlement.listingEpoch() >= 0
                && settlement.listingEpoch() < Integer.MAX_VALUE;
    }

    private void restore(byte[] key, Settlement settlement) {
        ContractState state = contracts.get(key);
        boolean listed = state != null && state.listing() != null;
        Restored restored = listed ? null : after(state == null ? null : state.restored(), settlement);
        TickerIdentity ticker = restored == null
                ? TickerIdentity.of(state)
                : new TickerIdentity(restored.epoch(), restored.asset(), restored.sinceMs());
        ledger.begin(key, settlement.key(), Math.max(0, settlement.observedAtMs()), Routed.UNTIMED);
        if (ticker != null
                && ticker.epoch() == settlement.listingEpoch()
                && settlement.settledMs() > ticker.sinceMs()) {
            ledger.restore(settlement, listed);
        }
        ledger.write();
        if (restored != null && (state == null || !restored.equals(state.restored()))) {
            contracts.put(key, new ContractState(null, restored, null, false));
        }
    }

    private static Restored after(@Nullable Restored before, Settlement s) {
        if (before == null) {
            return new Restored(s.listingEpoch(), s.asset(), Long.MIN_VALUE, s.settledMs());
        }
        if (s.listingEpoch() > before.epoch()) {
            return new Restored(s.listingEpoch(), s.asset(), before.newestMs(), s.settledMs());
        }
        return s.listingEpoch() == before.epoch()
                ? new Restored(before.epoch(), s.asset(), before.sinceMs(), Math.max(before.newestMs(), s.settledMs()))
                : new Restored(
                        before.epoch(), before.asset(), Math.max(before.sinceMs(), s.settledMs()), before.newestMs());
    }
}
