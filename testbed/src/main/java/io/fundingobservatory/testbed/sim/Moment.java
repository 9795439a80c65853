package io.fundingobservatory.testbed.sim;

import io.fundingobservatory.topics.ContractType;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Everything that one simulated exchange lists at one instant.
 *
 * @param nowMs the instant, epoch ms
 * @param listings in the exchange's order
 */
public record Moment(long nowMs, List<Listing> listings) {
    /** The contracts that are margined one way. */
    public List<Listing> of(ContractType type) {
        return where(listing -> listing.type() == type);
    }

    /** The contracts that are quoted in a currency. */
    public List<Listing> quotedIn(String currency) {
        return where(listing -> listing.quote().equals(currency));
    }

    /** The contracts in one of these states. */
    public List<Listing> in(Listing.State... states) {
        return where(listing -> List.of(states).contains(listing.state()));
    }

    public List<Listing> where(Predicate<Listing> condition) {
        return listings.stream().filter(condition).toList();
    }

    /** The contract of that spelling; null when the exchange has none. */
    public @Nullable Listing find(Wire wire, @Nullable String symbol) {
        for (Listing listing : listings) {
            if (wire.symbol(listing).equals(symbol)) {
                return listing;
            }
        }
        return null;
    }

    /** Every row of that spelling, where an exchange lists a contract twice. */
    public List<Listing> findAll(Wire wire, @Nullable String symbol) {
        return where(listing -> wire.symbol(listing).equals(symbol));
    }

    /** The next full hour, epoch ms. */
    public long nextHourMs() {
        return (nowMs / 3_600_000 + 1) * 3_600_000;
    }
}
