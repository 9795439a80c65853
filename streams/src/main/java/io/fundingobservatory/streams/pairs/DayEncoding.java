package io.fundingobservatory.streams.pairs;

import io.fundingobservatory.streams.settlements.KnownSettlement;
import io.fundingobservatory.streams.settlements.SettlementDay;
import io.fundingobservatory.streams.settlements.Window;
import io.fundingobservatory.topics.records.Basis;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Encodes the settlements of a UTC day. A store has millions of them: component by component, each would take half
 * as many bytes again.
 */
public final class DayEncoding {
    /** Stored as their places; the place after them means that the rate is not known. */
    private static final List<Basis> BASES = List.of(Basis.SETTLED, Basis.ACCRUED, Basis.ESTIMATE);

    private static final int MINUTE_MS = 60_000;
    private static final Logger LOG = LoggerFactory.getLogger(DayEncoding.class);

    private DayEncoding() {}

    /** The serde of a store's values. A value that cannot be read counts as absent. */
    public static Serde<SettlementDay> serde() {
        return Serdes.serdeFrom((topic, day) -> day == null ? null : bytes(day), (topic, bytes) -> {
            if (bytes == null) {
                return null;
            }
            try {
                return read(new DataInputStream(new ByteArrayInputStream(bytes)));
            } catch (IOException | IllegalArgumentException e) {
                LOG.warn("stored day is unreadable and counts as absent cause={}", e.toString());
                return null;
            }
        });
    }

    private static byte[] bytes(SettlementDay day) {
        var bytes = new ByteArrayOutputStream();
        try {
            write(day, new DataOutputStream(bytes));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static void write(SettlementDay day, DataOutput to) throws IOException {
        to.writeInt((int) (day.dayMs() / Window.DAY_MS));
        to.writeShort(day.entries().size());
        for (Map.Entry<Long, SettlementDay.Entry> instant : day.entries().entrySet()) {
            SettlementDay.Entry entry = instant.getValue();
            KnownSettlement settlement = entry.settlement();
            to.writeShort((int) ((instant.getKey() - day.dayMs()) / MINUTE_MS));
            to.writeByte(settlement == null ? BASES.size() : BASES.indexOf(settlement.basis()));
            to.writeInt(Math.toIntExact(entry.listingEpoch()));
            writeDecimal(entry.announcedH(), to);
            if (settlement != null) {
                to.writeLong(settlement.observedAtMs());
                to.writeInt(Math.toIntExact(entry.rawMs() - settlement.settledMs()));
                writeDecimal(settlement.rate(), to);
                writeDecimal(settlement.intervalH(), to);
                writeDecimal(entry.estimate(), to);
            }
        }
    }

    private static SettlementDay read(DataInput from) throws IOException {
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
        BigDecimal announcedH = readDecimal(from);
        if (basis == BASES.size()) {
            return new SettlementDay.Entry(listingEpoch, null, settledMs, null, announcedH);
        }
        long observedAtMs = from.readLong();
        long rawMs = settledMs + from.readInt();
        BigDecimal rate = readDecimal(from);
        BigDecimal intervalH = readDecimal(from);
        if (rate == null || basis > BASES.size()) {
            throw new IOException("not a settlement");
        }
        var settlement = new KnownSettlement(settledMs, rate, BASES.get(basis), intervalH, observedAtMs);
        return new SettlementDay.Entry(listingEpoch, settlement, rawMs, readDecimal(from), announcedH);
    }

    /** Length of the unscaled value, scale, unscaled value; a length of zero is null. */
    private static void writeDecimal(@Nullable BigDecimal value, DataOutput to) throws IOException {
        if (value == null) {
            to.writeByte(0);
            return;
        }
        byte[] unscaled = value.unscaledValue().toByteArray();
        if (unscaled.length > 255 || value.scale() != (short) value.scale()) {
            throw new IOException("a decimal beyond what the topics take");
        }
        to.writeByte(unscaled.length);
        to.writeShort(value.scale());
        to.write(unscaled);
    }

    private static @Nullable BigDecimal readDecimal(DataInput from) throws IOException {
        int length = from.readUnsignedByte();
        if (length == 0) {
            return null;
        }
        int scale = from.readShort();
        byte[] unscaled = new byte[length];
        from.readFully(unscaled);
        return new BigDecimal(new BigInteger(unscaled), scale);
    }
}
