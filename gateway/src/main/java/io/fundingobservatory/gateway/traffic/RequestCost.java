package io.fundingobservatory.gateway.traffic;

import java.util.Set;

/**
 * What one request counts for where traffic is limited.
 *
 * @param points what it costs
 * @param names the symbols and assets that it names, in their canonical spelling; one alone stands for names that fit nothing; empty
 *     for whole lists
 */
public record RequestCost(int points, Set<String> names) {
    public RequestCost {
        names = Set.copyOf(names);
    }
}
