package io.fundingobservatory.topics.records;

/**
 * The Kafka key of everything that belongs to one contract: {@code venue|symbol}.
 *
 * @param venue the exchange's identifier, lower case, without {@code |}
 * @param symbol the exchange's own spelling of the instrument; it may hold any character
 */
public record ContractKey(String venue, String symbol) implements Comparable<ContractKey> {
    public ContractKey {
        if (venue.isBlank() || venue.indexOf('|') >= 0) {
            throw new IllegalArgumentException("a venue is a word without '|'");
        }
        if (symbol.isBlank()) {
            throw new IllegalArgumentException("a symbol is not blank");
        }
    }

    /** Reads {@code venue|symbol}; the first bar separates. */
    public static ContractKey parse(String key) {
        int bar = key.indexOf('|');
        if (bar < 0) {
            throw new IllegalArgumentException("a contract key is venue|symbol");
        }
        return new ContractKey(key.substring(0, bar), key.substring(bar + 1));
    }

    @Override
    public int compareTo(ContractKey other) {
        int byVenue = venue.compareTo(other.venue);
        return byVenue != 0 ? byVenue : symbol.compareTo(other.symbol);
    }

    @Override
    public String toString() {
        return venue + '|' + symbol;
    }
}
