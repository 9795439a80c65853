package io.fundingobservatory.ingest.poll.guards;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class EightHourRatesTest {
    @Test
    void multipliersAndSpellingsAreOneAsset() {
        assertEquals("PEPE", EightHourRates.asset("1000PEPE"));
        assertEquals("PEPE", EightHourRates.asset("kPEPE"));
        assertEquals("MOG", EightHourRates.asset("1MMOG"));
        assertEquals("BTC", EightHourRates.asset("XBT"));
        assertEquals("1INCH", EightHourRates.asset("1INCH"));
        assertEquals("10000", EightHourRates.asset("10000"));
    }
}
