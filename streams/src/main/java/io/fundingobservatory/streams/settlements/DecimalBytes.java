package io.fundingobservatory.streams.settlements;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Format of exact decimals in the days of a store: length, scale, unscaled value; a length of zero is null.
 */
final class DecimalBytes {
    private DecimalBytes() {}

    /** How many bytes a value takes at most. */
    static int most(@Nullable BigDecimal value) {
        return value == null ? 1 : 2 + value.unscaledValue().bitLength() / 8 + 1;
    }

    static void put(ByteBuffer to, @Nullable BigDecimal value) {
        if (value == null) {
            to.put((byte) 0);
            return;
        }
        byte[] unscaled = value.unscaledValue().toByteArray();
        to.put((byte) unscaled.length).put((byte) value.scale()).put(unscaled);
    }

    static @Nullable BigDecimal read(ByteBuffer from) {
        int length = from.get();
        if (length == 0) {
            return null;
        }
        int scale = from.get();
        if (length <= Long.BYTES) {
            long unscaled = from.get();
            for (int i = 1; i < length; i++) {
                unscaled = (unscaled << 8) | (from.get() & 0xff);
            }
            return BigDecimal.valueOf(unscaled, scale);
        }
        byte[] unscaled = new byte[length];
        from.get(unscaled);
        return new BigDecimal(new BigInteger(unscaled), scale);
    }
}
