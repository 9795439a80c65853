package io.fundingobservatory.topics.carry;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The funding of one contract day by day: sums of 24 hours each, the last of which ends with the window.
 *
 * @param plain the sums in plain notation, oldest first, separated by commas. 30 sums of 20,000 contracts
 *     take a quarter of the memory of as many numbers
 */
public record DailySums(String plain) {
    /** No day is covered, or an earlier release wrote the record. */
    public static final DailySums NONE = new DailySums("");

    /** The sums, oldest first, fractions of notional. */
    public static DailySums of(List<BigDecimal> sums) {
        return new DailySums(sums.stream().map(BigDecimal::toPlainString).collect(Collectors.joining(",")));
    }

    /** The sums, oldest first, fractions of notional. */
    public List<BigDecimal> list() {
        return plain.isEmpty()
                ? List.of()
                : Arrays.stream(plain.split(",", -1)).map(BigDecimal::new).toList();
    }
}
