package io.fundingobservatory.streams.formats;

import io.fundingobservatory.topics.records.ContractKey;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** Encoding of single fields, the same in every format. */
final class Fields {
    private Fields() {}

    /** Length of the unscaled value, scale, unscaled value; a length of zero is null. */
    static void decimal(DataOutput to, @Nullable BigDecimal value) throws IOException {
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

    static @Nullable BigDecimal decimalOrNull(DataInput from) throws IOException {
        int length = from.readUnsignedByte();
        if (length == 0) {
            return null;
        }
        int scale = from.readShort();
        if (length > Long.BYTES) {
            byte[] unscaled = new byte[length];
            from.readFully(unscaled);
            return new BigDecimal(new BigInteger(unscaled), scale);
        }
        long unscaled = from.readByte();
        for (int i = 1; i < length; i++) {
            unscaled = unscaled << 8 | from.readUnsignedByte();
        }
        return BigDecimal.valueOf(unscaled, scale);
    }

    static BigDecimal decimal(DataInput from) throws IOException {
        BigDecimal value = decimalOrNull(from);
        if (value == null) {
            throw new IOException("a number is missing");
        }
        return value;
    }

    static void instant(DataOutput to, @Nullable Long epochMs) throws IOException {
        to.writeBoolean(epochMs != null);
        if (epochMs != null) {
            to.writeLong(epochMs);
        }
    }

    static @Nullable Long instantOrNull(DataInput from) throws IOException {
        return from.readBoolean() ? Long.valueOf(from.readLong()) : null;
    }

    /** One byte: the place of the word among its kind. A word may be added at the end, never moved; golden bytes hold that. */
    @SuppressWarnings("EnumOrdinal") // names would take a tenth of a contract's bytes
    static void word(DataOutput to, Enum<?> word) throws IOException {
        to.writeByte(word.ordinal());
    }

    static <E extends Enum<E>> E word(DataInput from, Class<E> words) throws IOException {
        int ordinal = from.readUnsignedByte();
        E[] known = words.getEnumConstants();
        if (ordinal >= known.length) {
            throw new IOException("no such word");
        }
        return known[ordinal];
    }

    static void key(DataOutput to, ContractKey key) throws IOException {
        to.writeUTF(key.toString());
    }

    static ContractKey key(DataInput from) throws IOException {
        return ContractKey.parse(from.readUTF());
    }
}
