package io.fundingobservatory.streams.formats;

import io.fundingobservatory.streams.carry.PricedContract;
import io.fundingobservatory.streams.settlements.ErrorHistogram;
import io.fundingobservatory.streams.settlements.SettlementDay;
import io.fundingobservatory.topics.records.VenueQuality;
import java.io.DataInputStream;
import java.nio.BufferUnderflowException;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The formats of values in stores and on internal topics, each with its version. */
public final class Formats {
    private static final int LONGEST_DAY_BYTES = 1 << 20;

    public static final Format<ContractState> CONTRACT =
            new Format<>("contract", 2, new Encoding<>(ContractState::write, ContractState::read));
    public static final Format<PricedContract> PRICED_CONTRACT =
            new Format<>("priced-contract", 2, Encoding.of(PricedContract.class));
    public static final Format<EstimateError> ESTIMATE_ERROR =
            new Format<>("estimate-error", 3, Encoding.of(EstimateError.class));
    public static final Format<MovedDay> MOVED_DAY = new Format<>("moved-day", 1, Encoding.of(MovedDay.class));
    public static final Format<TableDigest> TABLE_DIGEST =
            new Format<>("table-digest", 3, Encoding.of(TableDigest.class));
    public static final Format<VenueQuality> VENUE_QUALITY =
            new Format<>("venue-quality", 1, Encoding.of(VenueQuality.class));

    /** The number of buckets, then each with its count. */
    public static final Format<ErrorHistogram> ERROR_HISTOGRAM = new Format<>(
            "error-histogram",
            1,
            new Encoding<>(
                    (histogram, to) -> {
                        to.writeInt(histogram.counts().size());
                        for (var bucket : histogram.counts().entrySet()) {
                            to.writeInt(bucket.getKey());
                            to.writeInt(bucket.getValue());
                        }
                    },
                    from -> {
                        var counts = new TreeMap<Integer, Integer>();
                        for (int i = from.readInt(); i > 0; i--) {
                            counts.put(from.readInt(), from.readInt());
                        }
                        return ErrorHistogram.of(counts);
                    }));

    /** The bytes of a {@link SettlementDay}, whose beginning is in its key. */
    public static final Format<byte[]> SETTLEMENT_DAY = new Format<>(
            "payment-day",
            1,
            new Encoding<>((day, to) -> to.write(day), from -> ((DataInputStream) from).readNBytes(LONGEST_DAY_BYTES)));

    private Formats() {}

    /** A day without entries where the bytes cannot be read: its settlements come back from the topics. */
    public static SettlementDay settlementDay(long dayMs, byte @Nullable [] bytes) {
        try {
            return SettlementDay.read(dayMs, bytes);
        } catch (BufferUnderflowException | IndexOutOfBoundsException | IllegalStateException e) {
            return SettlementDay.read(dayMs, null);
        }
    }
}
