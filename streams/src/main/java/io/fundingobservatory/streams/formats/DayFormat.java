package io.fundingobservatory.streams.formats;

import io.fundingobservatory.streams.settlements.SettlementDay;
import java.io.DataInput;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import org.apache.kafka.common.serialization.Serde;
import org.jspecify.annotations.Nullable;

/** How the days of a contract's settlements are stored. */
public final class DayFormat {
    private static final int MOST_BYTES = 1 << 20;
    private static final Format<byte[]> SETTLEMENTS =
            new Format<>("payment-day", 1, (day, to) -> to.write(day), DayFormat::rest);

    private DayFormat() {}

    /** The value without its version byte; null when it is of another version. */
    public static Serde<byte[]> settlements() {
        return SETTLEMENTS.serde();
    }

    /** A day without entries where the bytes cannot be read: its settlements come back from the topics. */
    public static SettlementDay settlementDay(long dayMs, byte @Nullable [] bytes) {
        try {
            return SettlementDay.read(dayMs, bytes);
        } catch (BufferUnderflowException | IllegalStateException e) {
            return SettlementDay.read(dayMs, null);
        }
    }

    private static byte[] rest(DataInput from) throws IOException {
        return ((java.io.DataInputStream) from).readNBytes(MOST_BYTES);
    }
}
