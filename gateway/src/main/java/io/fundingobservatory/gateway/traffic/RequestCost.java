package io.fundingobservatory.gateway.traffic;

import java.util.Set;

/**
 * What one request counts for where traffic is limited.
 *
 * @param points what it costs; a fraction for the many small files of the page
 * @param names the symbols and assets that it names, in their canonical spelling; one alone stands for names that fit nothing; empty
 *     for whole lists
 */
public record RequestCost(double points, Set<String> names) {
    public RequestCost {
        names = Set.copyOf(names);
    }
}
