package io.fundingobservatory.faults.invariants;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A 200 has all contracts and is never empty. Before the first one a gateway returns 503 with {@code Retry-After}, and nothing else.
 * Only a dead gateway may send no response.
 */
public final class NoPartialList {
    private final Set<String> contracts;
    private final List<String> violations = new ArrayList<>();
    private boolean wholeBefore;

    /** @param contracts keys of all contracts that are observed all the time */
    public NoPartialList(Set<String> contracts) {
        this.contracts = Set.copyOf(contracts);
    }

    /**
     * Checks a response.
     *
     * @param down whether the gateway was dead or still starting when the request was sent
     */
    public void received(ListSample sample, boolean down) {
        if (sample.status() == 200) {
            if (sample.contracts().containsAll(contracts)) {
                wholeBefore = true;
            } else {
                var missing = new HashSet<>(contracts);
                missing.removeAll(sample.contracts());
                violated("a list of " + sample.contracts().size() + " rows lacks " + missing.size() + " of "
                        + contracts.size() + ", first of all "
                        + missing.iterator().next());
            }
        } else if (sample.status() == 503) {
            if (sample.retryAfter() == null) {
                violated("503 without Retry-After");
            }
            if (wholeBefore && !down) {
                violated("503 from a gateway that had a list");
            }
        } else if (sample.status() != 0) {
            violated("status " + sample.status());
        } else if (!down) {
            violated("no response from a running gateway: " + sample.problem());
        }
        if (down) {
            wholeBefore = false;
        }
    }

    private void violated(String how) {
        if (violations.size() < 20) {
            violations.add(how);
        }
    }

    public List<String> violations() {
        return List.copyOf(violations);
    }
}
