package io.fundingobservatory.ingest.poll;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Ten bytes for each venue, and a hundred for the growth of all. */
class ResponseBudgetTest {
    private final ResponseBudget budget = new ResponseBudget(10, 100);

    @Test
    void growthBeyondCommonPartFailsVenueThatGrew() {
        assertTrue(budget.reserve("a", 60));
        assertTrue(budget.reserve("b", 60), "50 and 50 of the common part");
        assertFalse(budget.reserve("a", 61));
        assertFalse(budget.reserve("c", 11));
        assertTrue(budget.reserve("c", 10), "its own part");
    }

    @Test
    void lastSizeIsGuaranteed() {
        assertTrue(budget.reserve("a", 60));
        budget.needs("a", 60);
        assertTrue(budget.reserve("b", 60));
        assertTrue(budget.reserve("a", 5));
        assertTrue(budget.reserve("a", 60), "rates are forgotten and read again");
    }

    @Test
    void shrunkenVenueReturnsMemory() {
        assertTrue(budget.reserve("a", 110));
        assertFalse(budget.reserve("b", 11));
        budget.needs("a", 30);
        assertTrue(budget.reserve("b", 90));
        assertFalse(budget.reserve("a", 31));
        budget.needs("a", 0);
        assertTrue(budget.reserve("b", 110), "no venue has less than its own part");
    }
}
