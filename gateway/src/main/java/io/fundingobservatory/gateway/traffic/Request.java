package io.fundingobservatory.gateway.traffic;

import java.util.Set;

/**
 * One request, as far as limits are concerned.
 *
 * @param points what it costs
 * @param names the symbols and assets that it names, in their canonical spelling; empty for whole lists
 */
public record Request(int points, Set<String> names) {
    public Request {
        names = Set.copyOf(names);
    }
}
