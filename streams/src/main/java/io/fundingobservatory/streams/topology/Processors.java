package io.fundingobservatory.streams.topology;

import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.VenueQuality;
import java.time.InstantSource;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.processor.api.FixedKeyProcessor;
import org.apache.kafka.streams.processor.api.FixedKeyProcessorSupplier;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/** The processors of the topology, each with the stores that are its own. */
final class Processors {
    private static final Serde<byte[]> BYTES = Serdes.ByteArray();

    private Processors() {}

    record ReadQuotes(Tally tally) implements FixedKeyProcessorSupplier<byte[], byte[], Step> {
        @Override
        public FixedKeyProcessor<byte[], byte[], Step> get() {
            return new ReadQuote(tally);
        }
    }

    record Normalisers(Tally tally) implements FixedKeyProcessorSupplier<byte[], Step, Step> {
        @Override
        public FixedKeyProcessor<byte[], Step, Step> get() {
            return new Normalise(tally);
        }
    }

    record NewestKeepers(Tally tally, InstantSource wall, LongSupplier steadyMs)
            implements ProcessorSupplier<byte[], Step, byte[], Update> {
        @Override
        public Processor<byte[], Step, byte[], Update> get() {
            return new KeepNewest(tally, new ArrivalClock(wall, steadyMs));
        }

        @Override
        public Set<StoreBuilder<?>> stores() {
            return Set.of(
                    Stores.keyValueStoreBuilder(Stores.persistentKeyValueStore(KeepNewest.STORE), BYTES, Kept.serde()));
        }
    }

    record ReadSettlements(Tally tally) implements FixedKeyProcessorSupplier<byte[], byte[], Heard> {
        @Override
        public FixedKeyProcessor<byte[], byte[], Heard> get() {
            return new ReadSettlement(tally);
        }
    }

    record Settlers(Tally tally) implements ProcessorSupplier<byte[], Heard, byte[], Finding> {
        @Override
        public Processor<byte[], Heard, byte[], Finding> get() {
            return new Settle(tally);
        }

        @Override
        public Set<StoreBuilder<?>> stores() {
            return Set.of(
                    Stores.keyValueStoreBuilder(
                            Stores.persistentKeyValueStore(Settle.LISTINGS), BYTES, ListingFormat.serde()),
                    byDay(Settle.PAYMENTS));
        }
    }

    record Pairers(Tally tally, InstantSource wall, LongSupplier steadyMs)
            implements ProcessorSupplier<byte[], Note, byte[], byte[]> {
        @Override
        public Processor<byte[], Note, byte[], byte[]> get() {
            return new PairUp(tally, new ArrivalClock(wall, steadyMs), steadyMs);
        }

        @Override
        public Set<StoreBuilder<?>> stores() {
            return Set.of(
                    Stores.keyValueStoreBuilder(
                            Stores.persistentKeyValueStore(PairUp.CONTRACTS), BYTES, NoteFormat.listedSerde()),
                    Stores.keyValueStoreBuilder(
                            Stores.persistentKeyValueStore(PairUp.TABLES), BYTES, TableMark.serde()),
                    byDay(PairUp.PAYMENTS));
        }
    }

    record Measurers(InstantSource wall, LongSupplier steadyMs)
            implements ProcessorSupplier<byte[], EstimateError, byte[], VenueQuality> {
        @Override
        public Processor<byte[], EstimateError, byte[], VenueQuality> get() {
            return new MeasureQuality(new ArrivalClock(wall, steadyMs), steadyMs);
        }

        @Override
        public Set<StoreBuilder<?>> stores() {
            return Set.of(
                    Stores.keyValueStoreBuilder(
                            Stores.persistentKeyValueStore(MeasureQuality.QUALITIES),
                            BYTES,
                            Topics.VENUES_QUALITY.serde()),
                    byDay(MeasureQuality.ERRORS));
        }
    }

    /** Days of payments; whole segments of days fall off the end, nothing is deleted one by one. */
    private static StoreBuilder<?> byDay(String name) {
        return Stores.windowStoreBuilder(
                Stores.persistentWindowStore(name, Settle.KEPT, Settle.DAY, false), BYTES, BYTES);
    }
}
