package io.fundingobservatory.topics.normalisation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fundingobservatory.topics.records.Quote;
import io.fundingobservatory.topics.records.RateUnit;
import io.fundingobservatory.topics.records.SettledRate;
import java.math.BigDecimal;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RateConversionTest {
    /** rate, unit, rate_hours, interval_h, mark, index → per 8 hours, per interval; empty is null. */
    @ParameterizedTest
    @CsvSource({
        "0.0100, PERCENT, 4, 4, 50, 50, 0.0002, 0.0001",
        "0.001, FRACTION, 24, 1, 50, 50, 0.000333333333333333, 0.000041666666666667",
        "2, QUOTE_PER_COIN_AT_INDEX, 1, 1, 50, 64, 0.25, 0.03125",
        "2, QUOTE_PER_COIN_AT_MARK, 1, 1, 64, 50, 0.25, 0.03125",
        "0.0005, COIN_PER_QUOTE_AT_INDEX, 1, 1, 64, 50, 0.2, 0.025",
        "0.0001, FRACTION, , , 50, 50, , 0.0001",
        "0.0001, FRACTION, 0, 8, 50, 50, , ",
        "0.0001, FRACTION, -8, 8, 50, 50, , ",
        "2, QUOTE_PER_COIN_AT_INDEX, 1, 1, 50, 0, , ",
        "2, QUOTE_PER_COIN_AT_INDEX, 1, 1, 50, , , ",
        "2, QUOTE_PER_COIN_AT_MARK, 1, 1, -1, 50, , ",
        "0.0005, COIN_PER_QUOTE_AT_INDEX, 1, 1, 50, 0, , ",
    })
    void convertsExactlyOrNotAtAll(
            BigDecimal rate,
            RateUnit unit,
            BigDecimal rateHours,
            BigDecimal intervalH,
            BigDecimal mark,
            BigDecimal index,
            BigDecimal per8h,
            BigDecimal perInterval) {
        Quote quote = Quote.CODEC.make(field -> switch (field.name()) {
            case "rate" -> rate;
            case "rate_unit" -> unit;
            case "rate_hours" -> rateHours;
            case "interval_h" -> intervalH;
            case "mark_price" -> mark;
            case "index_price" -> index;
            default -> field.required() ? any(field.type()) : null;
        });
        assertEquals(per8h, RateConversion.per8h(quote), "per 8 hours");
        assertEquals(perInterval, RateConversion.perInterval(quote), "per interval");
    }

    private static Object any(Class<?> type) {
        return type == String.class ? "text" : type.isEnum() ? type.getEnumConstants()[0] : (Object) 0L;
    }

    @ParameterizedTest
    @CsvSource({
        "2, QUOTE_PER_COIN_AT_MARK, 1, 1, 64, 0.03125",
        "0.0002, FRACTION, 8, 4, , 0.0001",
        "0.0002, FRACTION, , 4, , 0.0002",
        "2, QUOTE_PER_COIN_AT_INDEX, 1, 1, , ",
    })
    void convertsSettledRates(
            BigDecimal rate,
            RateUnit unit,
            BigDecimal rateHours,
            BigDecimal intervalH,
            BigDecimal price,
            BigDecimal expected) {
        var settled = new SettledRate("kraken", "PF_XBTUSD", 0, rate, unit, rateHours, intervalH, price, 0);
        assertEquals(expected, RateConversion.perInterval(settled));
    }

    @ParameterizedTest
    @CsvSource({"0.00001, 1, 0.00008", "0.0003, 24, 0.0001", "0.0001, 8, 0.0001"})
    void convertsToEightHoursAndBack(BigDecimal amount, BigDecimal hours, BigDecimal per8h) {
        assertEquals(per8h, RateConversion.per8h(amount, hours));
        assertEquals(amount, RateConversion.over(per8h, hours));
    }
}
