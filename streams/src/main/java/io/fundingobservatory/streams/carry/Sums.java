package io.fundingobservatory.streams.carry;

import java.math.BigDecimal;

/** The one spelling of a sum: plain, without trailing zeros. */
final class Sums {
    private Sums() {}

    static BigDecimal plain(BigDecimal value) {
        BigDecimal stripped = value.stripTrailingZeros();
        return stripped.scale() < 0 ? stripped.setScale(0) : stripped;
    }
}
