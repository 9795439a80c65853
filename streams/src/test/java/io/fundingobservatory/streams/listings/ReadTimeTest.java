package io.fundingobservatory.streams.listings;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fundingobservatory.topics.records.ContractKey;
import io.fundingobservatory.topics.records.ContractType;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;

/** Which absences begin a new listing where a venue serves its contracts from several addresses. */
class ReadTimeTest {
    private static final long MINUTE = 60_000;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;
    private static final long T0 = 1_790_000_000_000L / DAY * DAY;

    private static final ContractKey LINEAR = new ContractKey("okx", "BTC-USDT-SWAP");
    private static final ContractKey CONTRACT = new ContractKey("okx", "BTC-USD-SWAP");
    private static final ContractKey OTHER = new ContractKey("okx", "ETH-USD-SWAP");
    private static final Identity LINEAR_BTC = identity(ContractType.LINEAR, "USDT");
    private static final Identity INVERSE_BTC = identity(ContractType.INVERSE, "USD");

    private static Identity identity(ContractType type, String quote) {
        return new Identity("BTC", "BTC", type, BigDecimal.ONE, quote);
    }

    /** The address of the inverse contracts fails for eight days; the linear ones are read all the time. */
    @Test
    void groupThatCannotBeReadIsNotRelisted() {
        assertEquals(0, epochAfterEightDaysWithout(CONTRACT, OTHER, false));
        assertEquals(0, epochAfterEightDaysWithout(CONTRACT, OTHER, true), "after a restart");
    }

    @Test
    void onlyContractOfItsGroupIsRelisted() {
        assertEquals(1, epochAfterEightDaysWithout(CONTRACT, CONTRACT, false));
        assertEquals(1, epochAfterEightDaysWithout(CONTRACT, CONTRACT, true), "after a restart");
    }

    /** The listing number of the first contract, which comes back together with the second one. */
    private static long epochAfterEightDaysWithout(ContractKey contract, ContractKey other, boolean restart) {
        var readTime = new ReadTime();
        readTime.at(LINEAR, LINEAR_BTC, T0);
        readTime.at(other, INVERSE_BTC, T0);
        Listing listing = Listing.first(
                0,
                Long.MIN_VALUE,
                INVERSE_BTC,
                ListingTest.observation(T0, 8, null),
                readTime.at(contract, INVERSE_BTC, T0),
                T0);
        for (long at = T0; at <= T0 + 8 * DAY; at += HOUR) {
            readTime.at(LINEAR, LINEAR_BTC, at);
        }
        if (restart) {
            long linearMs = readTime.at(LINEAR, LINEAR_BTC, T0 + 8 * DAY);
            readTime = new ReadTime();
            // The newest counts, wherever it is in the store.
            readTime.restore(contract, listing);
            readTime.restore(
                    LINEAR,
                    Listing.first(
                            0,
                            Long.MIN_VALUE,
                            LINEAR_BTC,
                            ListingTest.observation(T0 + 8 * DAY, 8, null),
                            linearMs,
                            T0));
            readTime.restore(other, listing);
        }
        long backMs = T0 + 8 * DAY + MINUTE;
        readTime.at(other, INVERSE_BTC, backMs);
        long readMs = readTime.at(contract, INVERSE_BTC, backMs);
        return Listing.next(listing, INVERSE_BTC, ListingTest.observation(backMs, 8, null), readMs, backMs)
                .listing()
                .listingEpoch();
    }
}
