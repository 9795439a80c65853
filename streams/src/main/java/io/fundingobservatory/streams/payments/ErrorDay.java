package io.fundingobservatory.streams.payments;

import io.fundingobservatory.streams.core.Decimals;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** How far our last reading was from what the exchange then settled: one contract's payments of one UTC day, as a store keeps them. */
public final class ErrorDay {
    private static final int MINUTE_MS = 60_000;

    private final long dayMs;
    private final TreeMap<Long, BigDecimal> errors = new TreeMap<>();

    private ErrorDay(long dayMs) {
        this.dayMs = dayMs;
    }

    /**
     * Reads a day.
     *
     * @param bytes as written; null for a day without entries
     */
    public static ErrorDay read(long dayMs, byte @Nullable [] bytes) {
        var day = new ErrorDay(dayMs);
        ByteBuffer from = ByteBuffer.wrap(bytes == null ? new byte[0] : bytes);
        while (from.hasRemaining()) {
            long settledMs = dayMs + (long) from.getShort() * MINUTE_MS;
            BigDecimal error = DecimalBytes.read(from);
            if (error == null) {
                throw new IllegalStateException("an unknown error was never written");
            }
            day.errors.put(settledMs, error);
        }
        return day;
    }

    public byte[] write() {
        int most = 0;
        for (BigDecimal error : errors.values()) {
            most += Short.BYTES + DecimalBytes.most(error);
        }
        ByteBuffer to = ByteBuffer.allocate(most);
        errors.forEach((settledMs, error) -> {
            to.putShort((short) ((settledMs - dayMs) / MINUTE_MS));
            DecimalBytes.put(to, error);
        });
        byte[] written = new byte[to.flip().remaining()];
        to.get(written);
        return written;
    }

    /**
     * Puts the error of an instant, instead of the one known for it.
     *
     * @param error |settled − estimate|, fraction of notional per 8 hours
     * @return whether that changed anything
     */
    public boolean put(long settledMs, BigDecimal error) {
        return !Decimals.same(errors.put(settledMs, error), error);
    }

    /** By instant, the oldest first. */
    public Map<Long, BigDecimal> errors() {
        return errors;
    }
}
