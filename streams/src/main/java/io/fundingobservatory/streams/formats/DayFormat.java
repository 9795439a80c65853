package io.fundingobservatory.streams.formats;

import io.fundingobservatory.streams.payments.PaymentDay;
import java.io.DataInput;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import org.apache.kafka.common.serialization.Serde;
import org.jspecify.annotations.Nullable;

/** How the days of a contract's payments are stored. */
public final class DayFormat {
    private static final int MOST_BYTES = 1 << 20;
    private static final Format<byte[]> PAYMENTS =
            new Format<>("payment-day", 1, (day, to) -> to.write(day), DayFormat::rest);

    private DayFormat() {}

    /** The value without its version byte; null when it is of another version. */
    public static Serde<byte[]> payments() {
        return PAYMENTS.serde();
    }

    /** A day without entries where the bytes cannot be read: its payments come back from the topics. */
    public static PaymentDay paymentDay(long dayMs, byte @Nullable [] bytes) {
        try {
            return PaymentDay.read(dayMs, bytes);
        } catch (BufferUnderflowException | IllegalStateException e) {
            return PaymentDay.read(dayMs, null);
        }
    }

    private static byte[] rest(DataInput from) throws IOException {
        return ((java.io.DataInputStream) from).readNBytes(MOST_BYTES);
    }
}
