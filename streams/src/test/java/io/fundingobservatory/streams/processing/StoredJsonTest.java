package io.fundingobservatory.streams.processing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.fundingobservatory.streams.carry.Contract;
import io.fundingobservatory.streams.carry.PricedContract;
import io.fundingobservatory.streams.carry.PricedContract.MarkComparison;
import io.fundingobservatory.streams.listings.Identity;
import io.fundingobservatory.streams.listings.Listing;
import io.fundingobservatory.streams.listings.Observation;
import io.fundingobservatory.streams.pairs.QualityProcessor.EstimateError;
import io.fundingobservatory.streams.pairs.TableDigest;
import io.fundingobservatory.topics.json.JsonCodec;
import io.fundingobservatory.topics.records.ContractKey;
import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.RateKind;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Stored values are read as they were written; what was cut counts as absent. */
class StoredJsonTest {
    private static final long T = 1_790_000_000_000L;
    private static final ContractKey KEY = new ContractKey("okx", "BTC-USDT-SWAP");

    static Stream<Arguments> values() {
        var identity = new Identity("1000XBT", "BTC", ContractType.INVERSE, new BigDecimal(1000), "USD");
        var observation = new Observation(
                T,
                RateKind.CONTINUOUS,
                new BigDecimal("-0.000065208"),
                new BigDecimal("-0.000130416"),
                new BigDecimal(4),
                T + 1_000,
                new BigDecimal("92517.25"));
        var bare = new Observation(T, RateKind.ESTIMATE, null, null, null, null, null);
        Listing first = Listing.first(0, Long.MIN_VALUE, identity, bare, 0, T);
        var changing = new Listing(
                1,
                T - 5,
                identity,
                observation,
                T - 3_600_000,
                600_000,
                new Listing.Pending(
                        new Identity("XBT", "BTC", ContractType.LINEAR, BigDecimal.ONE, "USDT"),
                        T + 60_000,
                        T + 120_000),
                first.published());
        var contract = new Contract(
                KEY,
                1,
                Long.MIN_VALUE,
                "BTC",
                "USD",
                ContractType.INVERSE,
                new BigDecimal(8),
                new BigDecimal("92517.25"));
        var comparison = new MarkComparison(
                new BigDecimal(92_000), new ContractKey("gate", "BTC_USDT"), 3, new BigDecimal("92001.5"), T - 8);
        return Stream.of(
                Arguments.of(Listing.CODEC, first),
                Arguments.of(Listing.CODEC, changing),
                Arguments.of(PricedContract.CODEC, new PricedContract(contract, T, T - 9, List.of(comparison))),
                Arguments.of(EstimateError.CODEC, new EstimateError(KEY, T, new BigDecimal("0.1"), null)),
                Arguments.of(TableDigest.CODEC, new TableDigest(T, "00ff", true)));
    }

    @ParameterizedTest
    @MethodSource("values")
    <V> void readsWhatItWrites(JsonCodec<V> codec, V value) {
        assertEquals(value, StoredJson.read(codec, codec.encode(value)));
    }

    @ParameterizedTest
    @MethodSource("values")
    <V> void cutValueCountsAsAbsent(JsonCodec<V> codec, V value) {
        byte[] bytes = codec.encode(value);
        for (int cut = 0; cut < bytes.length; cut += 7) {
            assertNull(StoredJson.serde(codec).deserializer().deserialize("t", Arrays.copyOf(bytes, cut)));
        }
    }
}
