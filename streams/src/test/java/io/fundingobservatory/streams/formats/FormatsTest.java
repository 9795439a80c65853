package io.fundingobservatory.streams.formats;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.streams.carry.Contract;
import io.fundingobservatory.streams.carry.Identity;
import io.fundingobservatory.streams.carry.Listing;
import io.fundingobservatory.streams.carry.Observation;
import io.fundingobservatory.streams.carry.PricedContract;
import io.fundingobservatory.streams.carry.PricedContract.MarkComparison;
import io.fundingobservatory.streams.core.LateObservation;
import io.fundingobservatory.streams.pairs.EstimateError;
import io.fundingobservatory.streams.pairs.MovedDay;
import io.fundingobservatory.streams.pairs.PairsStores;
import io.fundingobservatory.streams.pairs.TableDigest;
import io.fundingobservatory.streams.settlements.ErrorHistogram;
import io.fundingobservatory.streams.settlements.LedgerSettlement;
import io.fundingobservatory.streams.settlements.SettlementDay;
import io.fundingobservatory.testbed.SampleRecords;
import io.fundingobservatory.topics.records.Basis;
import io.fundingobservatory.topics.records.ContractKey;
import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.IntervalSource;
import io.fundingobservatory.topics.records.Rate;
import io.fundingobservatory.topics.records.RateKind;
import java.math.BigDecimal;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The bytes of every format, as stores and internal topics of running installations have them. A change of a
 * format needs a new version, and its store a new name.
 */
class FormatsTest {
    private static final long T = 1_790_000_000_000L;
    private static final ContractKey KEY = new ContractKey("okx", "BTC-USDT-SWAP");

    private static Rate rate() {
        return SampleRecords.rate(
                "venue",
                "okx",
                "symbol",
                "BTC-USDT-SWAP",
                "asset",
                "BTC",
                "quote",
                "USDT",
                "contract_type",
                ContractType.LINEAR,
                "asset_class",
                null,
                "dex",
                null,
                "funding_rate_8h",
                new BigDecimal("-0.000130416"),
                "funding_interval_h",
                new BigDecimal("4"),
                "funding_interval_source",
                IntervalSource.ANNOUNCED_SETTLEMENTS,
                "funding_rate",
                new BigDecimal("-0.000065208"),
                "rate_kind",
                RateKind.ESTIMATE,
                "funding_rate_annualised",
                new BigDecimal("-0.14280552"),
                "next_funding_ms",
                T + 1_000,
                "mark_price",
                new BigDecimal("92517.25"),
                "index_price",
                null,
                "price_scale",
                BigDecimal.ONE,
                "venue_time_ms",
                T,
                "observed_at_ms",
                T + 164,
                "stale",
                false);
    }

    private static Listing listing() {
        return Listing.first(
                0, Long.MIN_VALUE, Identity.of("BTC", rate()), Observation.of(rate()), 86_400_000, T + 200);
    }

    private static ErrorHistogram histogram() {
        var histogram = new ErrorHistogram();
        histogram.replace(null, new BigDecimal("0.0001234"));
        return histogram;
    }

    static Stream<Arguments> formats() {
        Listing listing = listing();
        var changing = new Listing(
                1,
                T - 5,
                listing.identity(),
                listing.last(),
                T - 3_600_000,
                600_000,
                new Listing.Pending(
                        new Identity("1000XBT", "BTC", ContractType.INVERSE, new BigDecimal(1000), "USD"),
                        T + 60_000,
                        T + 120_000),
                listing.published());
        var contract = new Contract(
                KEY, 1, T - 7, "BTC", "USD", ContractType.INVERSE, new BigDecimal("8"), new BigDecimal("92517.25"));
        return Stream.of(
                Arguments.of("contract", ContractState.FORMAT, new ContractState(listing, null, null, true)),
                Arguments.of("contract-changing", ContractState.FORMAT, new ContractState(changing, null, null, true)),
                Arguments.of(
                        "contract-restored",
                        ContractState.FORMAT,
                        new ContractState(
                                null,
                                new ContractState.Restored(3, "BTC", T, T + 1),
                                new LateObservation(T, T + 5, 2),
                                false)),
                Arguments.of(
                        "asset-contract",
                        PairsStores.PRICED_CONTRACT,
                        new PricedContract(
                                contract,
                                T,
                                T - 9,
                                List.of(new MarkComparison(
                                        new BigDecimal("92000"),
                                        new ContractKey("gate", "BTC_USDT"),
                                        3,
                                        new BigDecimal("92001.5"),
                                        T - 8)))),
                Arguments.of(
                        "estimate-error",
                        EstimateError.FORMAT,
                        new EstimateError(KEY, T, new BigDecimal("0.1"), null, 2)),
                Arguments.of(
                        "estimate-error-again",
                        EstimateError.FORMAT,
                        new EstimateError(KEY, T, new BigDecimal("0.1"), new BigDecimal("0.2"), EstimateError.UNTIMED)),
                Arguments.of("moved-day", MovedDay.FORMAT, new MovedDay(KEY, 1, T - 7, day())),
                Arguments.of("settlement-day", Format.SETTLEMENT_DAY, day()),
                Arguments.of("error-histogram", Format.ERROR_HISTOGRAM, histogram()),
                Arguments.of("table-digest", TableDigest.FORMAT, new TableDigest(T, Bytes.wrap(new byte[32]), true)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("formats")
    <V> void readsWhatItWritesAndTheBytesStay(String name, Format<V> format, V value) throws Exception {
        byte[] bytes = format.write(value);
        assertEquals(value, format.read(bytes));
        assertEquals(golden(name), HexFormat.of().formatHex(bytes), name);
    }

    /** A downgrade meets a newer version, a disk hands back half a value: absent, never an exception. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("formats")
    <V> void anUnknownVersionOrACutValueReadsAsAbsent(String name, Format<V> format, V value) {
        byte[] bytes = format.write(value);
        for (int cut = 0; cut < bytes.length; cut++) {
            assertNull(format.read(java.util.Arrays.copyOf(bytes, cut)), name + " cut to " + cut);
        }
        bytes[0] = 9;
        assertNull(format.read(bytes));
        assertNull(format.serde().deserializer().deserialize("t", bytes));
    }

    private static SettlementDay day() {
        var day = new SettlementDay(SettlementDay.of(T));
        long at = SettlementDay.of(T) + 3_600_000;
        var settled = new LedgerSettlement(at, new BigDecimal("0.0001"), Basis.SETTLED, new BigDecimal("8"), at + 5);
        var estimate = new LedgerSettlement(at, new BigDecimal("0.00011"), Basis.ESTIMATE, new BigDecimal("8"), at - 5);
        day.enter(at, SettlementDay.Entry.of(0, settled, at + 2));
        day.enter(at, SettlementDay.Entry.of(0, estimate, at));
        day.enter(at + 3_600_000, SettlementDay.Entry.expected(0, at + 3_600_000, BigDecimal.ONE));
        return day;
    }

    /** What is written once for every quote, with its key. */
    @Test
    void aContractTakesAtMost200Bytes() {
        byte[] state =
                ContractState.FORMAT.write(new ContractState(listing(), null, new LateObservation(T, T, 1), true));
        assertTrue(state.length + KEY.toString().length() <= 200, "bytes: " + state.length);
    }

    private static String golden(String name) throws Exception {
        try (var in = FormatsTest.class.getResourceAsStream("/formats.txt")) {
            return new String(in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> line.startsWith(name + " "))
                    .map(line -> line.substring(name.length() + 1))
                    .findFirst()
                    .orElse("no golden bytes of " + name);
        }
    }

    @Test
    void numbersBeyondTwoBytesAreNotCut() {
        assertThrows(
                IllegalStateException.class,
                () -> EstimateError.FORMAT.write(new EstimateError(KEY, T, BigDecimal.ONE, null, 40_000)));
    }
}
