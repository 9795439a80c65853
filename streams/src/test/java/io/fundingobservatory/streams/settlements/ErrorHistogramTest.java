package io.fundingobservatory.streams.settlements;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Ranks of a histogram are those of the errors themselves, within half a per cent, whatever the order. */
class ErrorHistogramTest {
    @Test
    void ranksAreWithinHalfAPercent() {
        var random = new Random(5);
        var errors = new ArrayList<BigDecimal>();
        for (int i = 0; i < 5_000; i++) {
            errors.add(BigDecimal.valueOf(1 + random.nextInt(1_000_000), 6 + random.nextInt(6)));
        }
        var histogram = new ErrorHistogram();
        errors.forEach(error -> histogram.replace(null, error));
        var shuffled = new ErrorHistogram();
        Collections.shuffle(errors, random);
        errors.forEach(error -> shuffled.replace(null, error));
        assertArrayEquals(histogram.bytes(), shuffled.bytes());
        List<BigDecimal> sorted = errors.stream().sorted().toList();
        for (int percent : new int[] {1, 50, 95, 100}) {
            BigDecimal exact = sorted.get(50 * percent - 1);
            BigDecimal distance = histogram.atPercent(percent).subtract(exact).abs();
            assertTrue(distance.compareTo(exact.multiply(new BigDecimal("0.00501"))) <= 0, exact::toString);
        }
    }

    @Test
    void aCorrectedErrorReplacesItsFormerOne() {
        var histogram = new ErrorHistogram();
        histogram.replace(null, new BigDecimal("0.5"));
        histogram.replace(null, BigDecimal.ZERO);
        histogram.replace(new BigDecimal("0.5"), new BigDecimal("0.25"));
        assertEquals(2, histogram.size());
        assertEquals(0, BigDecimal.ZERO.compareTo(histogram.atPercent(50)));
        assertEquals(0, new BigDecimal("0.25").compareTo(histogram.atPercent(100)));
        var expected = new ErrorHistogram();
        expected.replace(null, BigDecimal.ZERO);
        expected.replace(null, new BigDecimal("0.250"));
        assertArrayEquals(expected.bytes(), histogram.bytes(), "nothing is left of the former error");
    }

    @Test
    void largestRoundedDigitIsNextDecade() {
        var histogram = new ErrorHistogram();
        histogram.replace(null, new BigDecimal("0.0009999"));
        assertEquals(0, new BigDecimal("0.001").compareTo(histogram.atPercent(50)));
    }
}
