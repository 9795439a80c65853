package io.fundingobservatory.streams.topology;

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
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.jspecify.annotations.Nullable;

/** How values that only this topology reads are written: in stores and on its internal topics. */
final class Binary {
    private Binary() {}

    interface Writer<T> {
        void write(T value, DataOutput to) throws IOException;
    }

    interface Reader<T> {
        T read(DataInput from) throws IOException;
    }

    static <T> Serde<T> serde(Writer<T> writer, Reader<T> reader) {
        return Serdes.serdeFrom(
                (topic, value) -> value == null ? null : write(value, writer),
                (topic, bytes) -> bytes == null ? null : read(bytes, reader));
    }

    private static <T> byte[] write(T value, Writer<T> writer) {
        var bytes = new ByteArrayOutputStream(128);
        try (var to = new DataOutputStream(bytes)) {
            writer.write(value, to);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static <T> T read(byte[] bytes, Reader<T> reader) {
        try (var from = new DataInputStream(new ByteArrayInputStream(bytes))) {
            return reader.read(from);
        } catch (IOException e) {
            throw new UncheckedIOException("holds what was never written", e);
        }
    }

    static void decimal(DataOutput to, @Nullable BigDecimal value) throws IOException {
        if (value == null) {
            to.writeByte(0);
            return;
        }
        byte[] unscaled = value.unscaledValue().toByteArray();
        to.writeByte(unscaled.length);
        to.writeInt(value.scale());
        to.write(unscaled);
    }

    static @Nullable BigDecimal decimalOrNull(DataInput from) throws IOException {
        int length = from.readUnsignedByte();
        if (length == 0) {
            return null;
        }
        int scale = from.readInt();
        byte[] unscaled = new byte[length];
        from.readFully(unscaled);
        return new BigDecimal(new BigInteger(unscaled), scale);
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
}
