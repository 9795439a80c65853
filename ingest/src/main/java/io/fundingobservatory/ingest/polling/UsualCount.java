package io.fundingobservatory.ingest.polling;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** The median number of rows over the last polls: what a venue usually brings. */
final class UsualCount {
    private static final int POLLS = 15;
    private static final int FIRST_KNOWN_AFTER = 3;

    private final ArrayDeque<Integer> last = new ArrayDeque<>();

    void add(int rows) {
        if (last.size() == POLLS) {
            last.removeFirst();
        }
        last.addLast(rows);
    }

    /** Null until a few polls have been seen. */
    @Nullable
    Integer median() {
        return last.size() < FIRST_KNOWN_AFTER
                ? null
                : last.stream().sorted().skip(last.size() / 2).findFirst().orElseThrow();
    }
}
