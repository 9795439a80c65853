package io.fundingobservatory.streams.formats;

import io.fundingobservatory.streams.settlements.ErrorHistogram;
import io.fundingobservatory.streams.settlements.SettlementDay;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One binary format of values that only this topology reads: a version byte, then the fields.
 *
 * <p>Bytes of another version, or that end too early, read as null; it is logged once. Stores carry their
 * version in their names as well ({@code contracts-v3}). A new version therefore begins with an empty store
 * that is rebuilt from the topics.
 */
public final class Format<T> {
    private static final Logger LOG = LoggerFactory.getLogger(Format.class);

    /** A contract's state fits. */
    private static final int MOST_OFTEN_BYTES = 256;

    public static final Format<SettlementDay> SETTLEMENT_DAY =
            new Format<>("settlement-day", 2, new Encoding<>(DayEncoding::write, DayEncoding::read));
    public static final Format<ErrorHistogram> ERROR_HISTOGRAM =
            new Format<>("error-histogram", 1, new Encoding<>(Encoding::writeHistogram, Encoding::readHistogram));

    private final String name;
    private final int version;
    private final Encoding<T> encoding;
    private final AtomicBoolean logged = new AtomicBoolean();

    private Format(String name, int version, Encoding<T> encoding) {
        this.name = name;
        this.version = version;
        this.encoding = encoding;
    }

    /** The format of a record's components, in their order. */
    public static <R> Format<R> of(String name, int version, Class<R> type) {
        return new Format<>(name, version, Encoding.of(type));
    }

    public byte[] write(T value) {
        var bytes = new ByteArrayOutputStream(MOST_OFTEN_BYTES);
        try (var to = new DataOutputStream(bytes)) {
            to.writeByte(version);
            encoding.writer().write(value, to);
        } catch (IOException | ReflectiveOperationException e) {
            throw new IllegalStateException("a value of " + name + " that cannot be written", e);
        }
        return bytes.toByteArray();
    }

    /** The value; null when the bytes are not of this version or are cut. */
    public @Nullable T read(byte[] bytes) {
        try (var from = new DataInputStream(new ByteArrayInputStream(bytes))) {
            int found = from.readUnsignedByte();
            if (found == version) {
                return encoding.reader().read(from);
            }
            tell("version " + found);
        } catch (IOException | ReflectiveOperationException | IllegalArgumentException e) {
            tell(e.getClass().getSimpleName());
        }
        return null;
    }

    private void tell(String what) {
        if (logged.compareAndSet(false, true)) {
            LOG.warn(
                    "stored value is unreadable and taken as absent format={} version={} found={}",
                    name,
                    version,
                    what);
        }
    }

    public Serde<T> serde() {
        return Serdes.serdeFrom(
                (topic, value) -> value == null ? null : write(value),
                (topic, bytes) -> bytes == null ? null : read(bytes));
    }
}
