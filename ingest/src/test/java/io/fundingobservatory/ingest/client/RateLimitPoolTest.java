package io.fundingobservatory.ingest.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fundingobservatory.ingest.spec.RateLimit;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RateLimitPoolTest {
    /** Deepcoin publishes one request a second, Pionex ten units for requests of five: one request is more than a fifth of that. */
    @ParameterizedTest
    @CsvSource({"1, 1, 1", "10, 1, 5", "2400, 60, 40", "20, 2, 1"})
    void asMuchAsIsAllowedIsAFifth(int units, int seconds, int heaviest) {
        var pool = new RateLimitPool(new RateLimit("p", units, Duration.ofSeconds(seconds)), heaviest, 0);
        long nowMs = 0;
        double highest = 0;
        for (int i = 0; i < 1_000; i++) {
            nowMs += pool.waitMs(heaviest, TrafficClass.POLLS, nowMs);
            pool.spend(heaviest, TrafficClass.POLLS, nowMs);
            highest = Math.max(highest, pool.used(nowMs));
        }
        assertEquals(0.2, highest, 0.001);
    }

    /** Of 480 units a minute; what history needs is unknown to the rates. */
    @ParameterizedTest
    @CsvSource({"30, 450", "360, 120", "100000, 120"})
    void historyHasQuarterAndWhatRatesLeave(int ratesAMinute, int history) {
        var pool = new RateLimitPool(new RateLimit("p", 2_400, Duration.ofMinutes(1)), 10, 10);
        pool.rateUnitsPerMinute(ratesAMinute);
        assertEquals(history, pool.perMinute(TrafficClass.HISTORY));
        assertEquals(360, pool.perMinute(TrafficClass.POLLS));
    }
}
