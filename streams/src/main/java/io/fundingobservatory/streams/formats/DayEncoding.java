package io.fundingobservatory.streams.formats;

import io.fundingobservatory.streams.settlements.LedgerSettlement;
import io.fundingobservatory.streams.settlements.SettlementDay;
import io.fundingobservatory.streams.settlements.Window;
import io.fundingobservatory.topics.records.Basis;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

/**
 * Encodes the settlements of a UTC day. A store has millions of them: component by component, each would take half
 * as many bytes again.
 */
final class DayEncoding {
    /** Stored as their places; the place after them means that the rate is not known. */
    private static final List<Basis> BASES = List.of(Basis.SETTLED, Basis.ACCRUED, Basis.ESTIMATE);

    private static final int MINUTE_MS = 60_000;

    private DayEncoding() {}

    static void write(SettlementDay day, DataOutput to) throws IOException {
        to.writeInt((int) (day.dayMs() / Window.DAY_MS));
        to.writeShort(day.entries().size());
        for (Map.Entry<Long, SettlementDay.Entry> instant : day.entries().entrySet()) {
            SettlementDay.Entry entry = instant.getValue();
            LedgerSettlement settlement = entry.settlement();
            to.writeShort((int) ((instant.getKey() - day.dayMs()) / MINUTE_MS));
            to.writeByte(settlement == null ? BASES.size() : BASES.indexOf(settlement.basis()));
            to.writeInt(Math.toIntExact(entry.listingEpoch()));
            Encoding.writeDecimal(entry.announcedH(), to);
            if (settlement != null) {
                to.writeLong(settlement.observedAtMs());
                to.writeInt(Math.toIntExact(entry.rawMs() - settlement.settledMs()));
                Encoding.writeDecimal(settlement.rate(), to);
                Encoding.writeDecimal(settlement.intervalH(), to);
                Encoding.writeDecimal(entry.estimate(), to);
            }
        }
    }

    static SettlementDay read(DataInput from) throws IOException {
        var day = new SettlementDay(from.readInt() * Window.DAY_MS);
        for (int i = from.readShort(); i > 0; i--) {
            long settledMs = day.dayMs() + (long) from.readShort() * MINUTE_MS;
            day.entries().put(settledMs, entry(settledMs, from));
        }
        return day;
    }

    private static SettlementDay.Entry entry(long settledMs, DataInput from) throws IOException {
        int basis = from.readUnsignedByte();
        long listingEpoch = from.readInt();
        BigDecimal announcedH = Encoding.readDecimal(from);
        if (basis == BASES.size()) {
            return new SettlementDay.Entry(listingEpoch, null, settledMs, null, announcedH);
        }
        long observedAtMs = from.readLong();
        long rawMs = settledMs + from.readInt();
        BigDecimal rate = Encoding.readDecimal(from);
        BigDecimal intervalH = Encoding.readDecimal(from);
        if (rate == null || basis > BASES.size()) {
            throw new IOException("not a settlement");
        }
        var settlement = new LedgerSettlement(settledMs, rate, BASES.get(basis), intervalH, observedAtMs);
        return new SettlementDay.Entry(listingEpoch, settlement, rawMs, Encoding.readDecimal(from), announcedH);
    }
}
