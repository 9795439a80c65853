package io.fundingobservatory.streams.normalisation;

import static io.fundingobservatory.testbed.SampleRecords.fields;
import static java.math.BigDecimal.ONE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.oracle.Json;
import io.fundingobservatory.oracle.RowModel;
import io.fundingobservatory.streams.SeededQuotes;
import io.fundingobservatory.testbed.SampleRecords;
import io.fundingobservatory.topics.records.AssetClass;
import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.IntervalSource;
import io.fundingobservatory.topics.records.Quote;
import io.fundingobservatory.topics.records.Rate;
import io.fundingobservatory.topics.records.RateKind;
import io.fundingobservatory.topics.records.RateUnit;
import io.fundingobservatory.topics.records.SettledRate;
import java.math.BigDecimal;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NormaliserTest {
    private static final long NOW = 1_790_000_000_000L;

    /** rate, unit, rate_hours, interval_h, mark, index → funding_rate, funding_rate_8h, annualised; empty is null. */
    @ParameterizedTest
    @CsvSource({
        // plain fractions on 8, 4, 1 and 24 hours; trailing zeros go
        "0.0001, FRACTION, 8, 8, 50, 50, 0.0001, 0.0001, 0.1095",
        "0.00010000, FRACTION, 4, 4.0, 50, 50, 0.0001, 0.0002, 0.219",
        "-0.00001234, FRACTION, 1, 1, 50, 50, -0.00001234, -0.00009872, -0.1080984",
        "0.0003, FRACTION, 24, 24, 50, 50, 0.0003, 0.0001, 0.1095",
        "0E-8, FRACTION, 8, 8, 50, 50, 0, 0, 0",
        // percent
        "0.0137, PERCENT, 8, 8, 50, 50, 0.000137, 0.000137, 0.150015",
        // quoted per 8 hours, settled hourly: the own rate is an eighth
        "0.0008, FRACTION, 8, 1, 50, 50, 0.0001, 0.0008, 0.876",
        // annualised, variational: does not end, and does
        "-85.5366229999999997, FRACTION, 8760, 1, 50, , -0.009764454680365297, -0.078115637442922374, -85.53662299999999953",
        "0.1095, FRACTION, 8760, 4, 50, , 0.00005, 0.0001, 0.1095",
        // hours that do not divide: 24 / 7 days a week
        "0.001, FRACTION, 168, 168, 50, 50, 0.001, 0.000047619047619048, 0.05214285714285756",
        // kraken: absolute amounts, from the exact quotient, the 8-hour value not a multiple of the rounded one
        "1.4444203152083943, QUOTE_PER_COIN_AT_INDEX, 1, 1, 78288.7, 78279.34, 0.000018452126898469, 0.000147617015187751, 0.161640631630587345",
        "0.00000002, COIN_PER_QUOTE_AT_INDEX, 1, 1, 50, 60000.5, 0.00120001, 0.00960008, 10.5120876",
        // a product of 45 decimals is rounded at 40
        "0.000002186674203094735780992360366068793, COIN_PER_QUOTE_AT_INDEX, 1, 1, 50, 6.388526, 0.0000139696250000000000000000000000000019, 0.0001117570000000000000000000000000000152, 0.122373915000000000000000000000000016644",
        "1, QUOTE_PER_COIN_AT_INDEX, 1, 1, 50, 65536, 0.0000152587890625, 0.0001220703125, 0.1336669921875",
        // gemini: the rounded value times eight
        "4.474670, QUOTE_PER_COIN_AT_MARK, 1, 1, 75923.455, 75881.4, 0.000058936596075613, 0.000471492768604904, 0.51628458162236988",
        // unknowns stay unknown
        "0.0001, FRACTION, , , 50, 50, 0.0001, , ",
        "0.0001, FRACTION, 8, , 50, 50, , 0.0001, 0.1095",
        "1.5, QUOTE_PER_COIN_AT_INDEX, 1, 1, 50, , , , ",
        "1.5, QUOTE_PER_COIN_AT_MARK, 1, 1, , 50, , , ",
        "1.5, COIN_PER_QUOTE_AT_INDEX, 1, 1, 50, , , , ",
    })
    void convertsExactly(
            BigDecimal rate,
            RateUnit unit,
            BigDecimal rateHours,
            BigDecimal intervalH,
            BigDecimal mark,
            BigDecimal index,
            BigDecimal perInterval,
            BigDecimal per8h,
            BigDecimal annualised) {
        Rate row = accepted(quote("kraken", "XBT", rate, unit, rateHours, intervalH, mark, index, NOW));
        assertEquals(perInterval, row.fundingRate(), "funding_rate");
        assertEquals(per8h, row.fundingRate8h(), "funding_rate_8h");
        assertEquals(annualised, row.fundingRateAnnualised(), "funding_rate_annualised");
        assertEquals("BTC", row.asset());
        if (intervalH == null) {
            assertNull(row.fundingIntervalH());
        } else {
            assertEquals(intervalH.stripTrailingZeros(), row.fundingIntervalH());
        }
    }

    /** 2.5 percent per 4 hours at most, and 1.2 the other way. */
    @Test
    void convertsCapAndFloorLikeTheRate() {
        Quote bounded = Quote.CODEC.with(
                quote("okx", "XBT", ONE, RateUnit.PERCENT, BigDecimal.valueOf(4), BigDecimal.valueOf(4), ONE, ONE, NOW),
                "rate_cap",
                new BigDecimal("2.50"),
                "rate_floor",
                new BigDecimal("-1.2"));
        Rate row = accepted(bounded);
        assertEquals(new BigDecimal("0.05"), row.fundingCap8h());
        assertEquals(new BigDecimal("-0.024"), row.fundingFloor8h());
        Rate unpublished = accepted(Quote.CODEC.with(bounded, "rate_cap", null, "rate_floor", null));
        assertNull(unpublished.fundingCap8h());
        assertNull(unpublished.fundingFloor8h());
        assertNull(accepted(Quote.CODEC.with(bounded, "rate_hours", null)).fundingCap8h());
    }

    @ParameterizedTest
    @CsvSource({
        "coinbase, BTC, 0.0001, 8, 8, 50, 0, unlisted_venue",
        "binance, ' ', 0.0001, 8, 8, 50, 0, blank_field",
        "binance, BTC, 0.0001, 8, 8, 0, 0, price_not_positive",
        "binance, BTC, 0.0001, 8, 8, -1, 0, price_not_positive",
        "binance, BTC, 0.0001, 0, 8, 50, 0, interval_out_of_range",
        "binance, BTC, 0.0001, 8, 0, 50, 0, interval_out_of_range",
        "binance, BTC, 0.0001, 8, -8, 50, 0, interval_out_of_range",
        "binance, BTC, 0.0001, 8, 168.01, 50, 0, interval_out_of_range",
        "binance, BTC, 0.0001, 8785, 8, 50, 0, interval_out_of_range",
        "binance, BTC, 0.0001, 8, 0.00001, 50, 0, interval_out_of_range",
        "binance, BTC, 0, 8, 0.016666666666666, 50, 0, interval_out_of_range",
        "binance, BTC, 0.0001, 8, 8, 1E+64, 0, too_many_digits",
        "binance, BTC, 0.0001, 8, 8, 100000000000000000000, 0, too_many_digits",
        "binance, BTC, 0.0001, 8, 8, 1E-41, 0, too_many_digits",
        "hyperliquid, xyz:, 0.0001, 8, 8, 50, 0, blank_field",
        "binance, BTC, 0.0001, 8, 8, 50, -10000000000000, time_out_of_range",
        "binance, BTC, 0.0001, 8, 8, 50, -9000000000000000000, time_out_of_range",
        "binance, BTC, 0.0001, 8, 8, 50, 9000000000000000000, time_out_of_range",
        "binance, BTC, 10.0001, 8, 8, 50, 0, rate_out_of_range",
        "binance, BTC, -1.3, 1, 1, 50, 0, rate_out_of_range",
        "binance, BTC, 11, , , 50, 0, rate_out_of_range",
        "binance, BTC, 0.00000000000000000000000000000000000000000000000000000000000001, 4096, 1, 50, 0, too_many_digits",
    })
    void refuses(
            String venue,
            String base,
            BigDecimal rate,
            BigDecimal rateHours,
            BigDecimal intervalH,
            BigDecimal mark,
            long ahead,
            String reason) {
        Quote quote = quote(venue, base, rate, RateUnit.FRACTION, rateHours, intervalH, mark, mark, NOW + ahead);
        assertEquals(new Normaliser.Rejected<>(reason), Normaliser.normalise(quote));
    }

    @Test
    void whatIsAcceptedCanBeReadBack() throws Exception {
        Rate row = accepted(quote(
                "binance",
                "1000PEPE",
                new BigDecimal("9.99"),
                RateUnit.FRACTION,
                new BigDecimal(8),
                new BigDecimal("1E+1"),
                new BigDecimal("1E+9"),
                new BigDecimal("1E-30"),
                NOW + 300_000));
        assertEquals(row, Rate.CODEC.decode(Rate.CODEC.encode(row)));
        assertEquals("10", String.valueOf(row.fundingIntervalH()));
        assertEquals("1000000000", String.valueOf(row.markPrice()));
        assertEquals(new BigDecimal(1000), row.priceScale());
    }

    @ParameterizedTest
    @CsvSource({
        "coinbase, 0.0001, 8, 0, unlisted_venue",
        "binance, 0.0001, 0.00001, 0, interval_out_of_range",
        "binance, 0.0001, 168.1, 0, interval_out_of_range",
        "binance, 0.0001, 8, -9000000000000000000, time_out_of_range",
        "binance, 0.0001, 8, -1000000000000, time_out_of_range",
        "binance, 0.0001, 8, 9000000000000000000, time_out_of_range",
        "binance, 10.1, 8, 0, rate_out_of_range",
        "binance, 0.999999999999999999999999999999999999999999999999999999999999999, 8, 0, too_many_digits",
    })
    void refusesSettlements(String venue, BigDecimal rate, BigDecimal intervalH, long ahead, String reason) {
        var settled = new SettledRate(venue, "S", NOW + ahead, rate, RateUnit.FRACTION, null, intervalH, null, NOW);
        assertEquals(new Normaliser.Rejected<>(reason), Normaliser.settled(settled));
        var observed = new SettledRate(venue, "S", NOW, rate, RateUnit.FRACTION, null, intervalH, null, NOW + ahead);
        assertEquals(new Normaliser.Rejected<>(reason), Normaliser.settled(observed));
    }

    @Test
    void rejectsSettlementWithEndlessOrBrokenSymbol() {
        for (String symbol : List.of("x".repeat(129), "a\nb", "a\0b", "\ud800", " ")) {
            var settled =
                    new SettledRate("okx", symbol, NOW, BigDecimal.ZERO, RateUnit.FRACTION, null, null, null, NOW);
            String reason = symbol.isBlank() ? "blank_field" : "text_out_of_range";
            assertEquals(new Normaliser.Rejected<>(reason), Normaliser.settled(settled));
        }
    }

    /** Ten thousand odd records: each is refused with its reason or becomes exactly what fractions of whole numbers say. */
    @Test
    void whatIsOddIsRefusedOrShownExactly() throws Exception {
        var source = new SeededQuotes(11);
        var reasons = new TreeMap<String, Integer>();
        for (int i = 0; i < 10_000; i++) {
            Quote odd = source.odd(NOW);
            switch (Normaliser.normalise(odd)) {
                case Normaliser.Rejected(String reason) -> reasons.merge(reason, 1, Integer::sum);
                case Normaliser.Accepted(Rate row) -> {
                    reasons.merge("accepted", 1, Integer::sum);
                    assertNull(RowModel.difference(SeededQuotes.row(odd), Json.object(Rate.CODEC.encode(row))));
                    assertEquals(row, Rate.CODEC.decode(Rate.CODEC.encode(row)));
                }
            }
        }
        assertEquals(
                Set.of(
                        "accepted",
                        "blank_field",
                        "interval_out_of_range",
                        "price_not_positive",
                        "rate_out_of_range",
                        "text_out_of_range",
                        "time_out_of_range",
                        "too_many_digits"),
                reasons.keySet(),
                reasons::toString);
        assertTrue(reasons.get("accepted") > 300, reasons::toString);
    }

    @Test
    void passesClassAndBuilderMarketOn() {
        Quote plain = quote("hyperliquid", "NVDA", ONE, RateUnit.PERCENT, ONE, ONE, null, null, NOW);
        Rate row = accepted(Quote.CODEC.with(plain, "asset_class", AssetClass.EQUITY, "dex", "xyz"));
        assertEquals(AssetClass.EQUITY, row.assetClass());
        assertEquals("xyz", row.dex());
        assertEquals(
                new Normaliser.Rejected<>(Normaliser.TEXT_OUT_OF_RANGE),
                Normaliser.normalise(Quote.CODEC.with(plain, "dex", "x\ny")));
    }

    private static Rate accepted(Quote quote) {
        return assertInstanceOf(
                Rate.class,
                assertInstanceOf(Normaliser.Accepted.class, Normaliser.normalise(quote))
                        .value());
    }

    private static Quote quote(
            String venue,
            String base,
            BigDecimal rate,
            RateUnit unit,
            BigDecimal rateHours,
            BigDecimal intervalH,
            BigDecimal mark,
            BigDecimal index,
            long observedAtMs) {
        IntervalSource source = intervalH == null ? null : IntervalSource.ROW;
        return SampleRecords.quote(
                fields("venue", venue, "symbol", "SYMBOL", "base", base, "quote", "USD"),
                fields("contract_type", ContractType.LINEAR, "asset_class", null, "dex", null, "rate", rate),
                fields("rate_unit", unit, "rate_hours", rateHours, "rate_kind", RateKind.FIXED),
                fields("interval_h", intervalH, "interval_source", source, "next_funding_ms", null, "mark_price", mark),
                fields("index_price", index, "venue_time_ms", null, "observed_at_ms", observedAtMs));
    }
}
