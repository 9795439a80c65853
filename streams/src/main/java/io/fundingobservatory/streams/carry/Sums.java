package io.fundingobservatory.streams.carry;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** The one spelling of a number: plain, without trailing zeros. */
final class Sums {
    private Sums() {}

    static BigDecimal plain(BigDecimal value) {
        BigDecimal stripped = value.stripTrailingZeros();
        return stripped.scale() < 0 ? stripped.setScale(0) : stripped;
    }

    static boolean same(@Nullable BigDecimal a, @Nullable BigDecimal b) {
        return a == null ? b == null : b != null && a.compareTo(b) == 0;
    }
}
