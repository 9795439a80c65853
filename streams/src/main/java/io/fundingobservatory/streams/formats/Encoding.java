package io.fundingobservatory.streams.formats;

import io.fundingobservatory.streams.settlements.ErrorHistogram;
import io.fundingobservatory.streams.settlements.SettlementDay;
import io.fundingobservatory.topics.records.ContractKey;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Encodes a value by its type. A record is its components in their order; golden bytes protect that order. A
 * component can be null where it is declared {@code @Nullable}.
 */
record Encoding<V>(Writer<V> writer, Reader<V> reader) {
    private static final int MOST_BYTES = 1 << 20;

    private static final Encoding<Long> LONG = new Encoding<>((value, to) -> to.writeLong(value), DataInput::readLong);

    private static final Map<Type, Encoding<?>> BY_TYPE = Map.of(
            long.class,
            LONG,
            Long.class,
            LONG,
            int.class,
            new Encoding<Integer>(Encoding::writeSmall, from -> (int) from.readShort()),
            boolean.class,
            new Encoding<Boolean>((value, to) -> to.writeBoolean(value), DataInput::readBoolean),
            String.class,
            new Encoding<String>((value, to) -> to.writeUTF(value), DataInput::readUTF),
            Bytes.class,
            new Encoding<>(Encoding::writeBytes, Encoding::readBytes),
            SettlementDay.class,
            new Encoding<>(DayEncoding::write, DayEncoding::read),
            ContractKey.class,
            new Encoding<ContractKey>(
                    (value, to) -> to.writeUTF(value.toString()), from -> ContractKey.parse(from.readUTF())),
            BigDecimal.class,
            new Encoding<>(Encoding::writeDecimal, Encoding::readDecimal));

    @FunctionalInterface
    interface Writer<V> {
        void write(V value, DataOutput to) throws IOException, ReflectiveOperationException;
    }

    @FunctionalInterface
    interface Reader<V> {
        @Nullable
        V read(DataInput from) throws IOException, ReflectiveOperationException;
    }

    static <R> Encoding<R> of(Class<R> type) {
        List<RecordComponent> components = List.of(type.getRecordComponents());
        List<Encoding<Object>> fields = components.stream()
                .map(component -> of(component.getAnnotatedType()))
                .toList();
        @SuppressWarnings("unchecked") // a record has one constructor: the canonical one
        var constructor = (Constructor<R>) type.getDeclaredConstructors()[0];
        return new Encoding<>(
                (value, to) -> {
                    for (int i = 0; i < fields.size(); i++) {
                        fields.get(i)
                                .writer
                                .write(components.get(i).getAccessor().invoke(value), to);
                    }
                },
                from -> {
                    var values = new ArrayList<@Nullable Object>();
                    for (Encoding<Object> field : fields) {
                        values.add(field.reader.read(from));
                    }
                    return constructor.newInstance(values.toArray());
                });
    }

    @SuppressWarnings("unchecked") // a component is only written and read by the encoding of its type
    private static Encoding<Object> of(AnnotatedType component) {
        var encoding = (Encoding<Object>) of(component.getType());
        // A decimal has its own null.
        return component.isAnnotationPresent(Nullable.class) && component.getType() != BigDecimal.class
                ? encoding.orNull()
                : encoding;
    }

    private static Encoding<?> of(Type type) {
        Encoding<?> known = BY_TYPE.get(type);
        if (known != null) {
            return known;
        }
        if (type instanceof ParameterizedType list) {
            return of(list.getActualTypeArguments()[0]).repeated();
        }
        var named = (Class<?>) type;
        return named.isEnum() ? word(named.getEnumConstants()) : of(named);
    }

    private Encoding<V> orNull() {
        return new Encoding<>(
                (value, to) -> {
                    to.writeBoolean(value != null);
                    if (value != null) {
                        writer.write(value, to);
                    }
                },
                from -> from.readBoolean() ? reader.read(from) : null);
    }

    private Encoding<List<@Nullable V>> repeated() {
        return new Encoding<>(
                (list, to) -> {
                    writeSmall(list.size(), to);
                    for (V element : list) {
                        writer.write(element, to);
                    }
                },
                from -> {
                    var list = new ArrayList<@Nullable V>();
                    for (int i = from.readShort(); i > 0; i--) {
                        list.add(reader.read(from));
                    }
                    return list;
                });
    }

    /** One byte: the place of the word among its kind. A word may be added at the end, never moved. */
    @SuppressWarnings("EnumOrdinal") // names would take a tenth of a contract's bytes
    private static Encoding<?> word(Object[] words) {
        return new Encoding<Enum<?>>((word, to) -> to.writeByte(word.ordinal()), from -> {
            int ordinal = from.readUnsignedByte();
            if (ordinal >= words.length) {
                throw new IOException("no such word");
            }
            return (Enum<?>) words[ordinal];
        });
    }

    /** Two bytes: an {@code int} is a partition, a scale or the length of a list. */
    private static void writeSmall(int value, DataOutput to) throws IOException {
        if (value != (short) value) {
            throw new IOException("a number beyond two bytes: " + value);
        }
        to.writeShort(value);
    }

    private static void writeBytes(Bytes value, DataOutput to) throws IOException {
        to.writeInt(value.get().length);
        to.write(value.get());
    }

    private static Bytes readBytes(DataInput from) throws IOException {
        int length = from.readInt();
        if (length < 0 || length > MOST_BYTES) {
            throw new IOException("no length");
        }
        byte[] bytes = new byte[length];
        from.readFully(bytes);
        return Bytes.wrap(bytes);
    }

    /** The number of buckets, then each with its count. */
    static void writeHistogram(ErrorHistogram histogram, DataOutput to) throws IOException {
        long[] cells = histogram.cells();
        var bytes = ByteBuffer.allocate(cells.length * Long.BYTES);
        bytes.asLongBuffer().put(cells);
        to.writeInt(cells.length);
        to.write(bytes.array());
    }

    static ErrorHistogram readHistogram(DataInput from) throws IOException {
        int count = from.readInt();
        if (count < 0 || count > MOST_BYTES / Long.BYTES) {
            throw new IOException("no length");
        }
        var bytes = new byte[count * Long.BYTES];
        from.readFully(bytes);
        var cells = new long[count];
        ByteBuffer.wrap(bytes).asLongBuffer().get(cells);
        return new ErrorHistogram(cells);
    }

    /** Length of the unscaled value, scale, unscaled value; a length of zero is null. */
    static void writeDecimal(@Nullable BigDecimal value, DataOutput to) throws IOException {
        if (value == null) {
            to.writeByte(0);
            return;
        }
        byte[] unscaled = value.unscaledValue().toByteArray();
        if (unscaled.length > 255) {
            throw new IOException("a decimal beyond what the topics take");
        }
        to.writeByte(unscaled.length);
        writeSmall(value.scale(), to);
        to.write(unscaled);
    }

    static @Nullable BigDecimal readDecimal(DataInput from) throws IOException {
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
