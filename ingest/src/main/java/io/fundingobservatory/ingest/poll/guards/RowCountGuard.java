package io.fundingobservatory.ingest.poll.guards;

import io.fundingobservatory.ingest.publish.GuardDecision;
import io.fundingobservatory.ingest.publish.GuardDecision.Action;
import io.fundingobservatory.ingest.publish.GuardDecision.Guard;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Marks a poll with fewer than 80 % of the rows of the median of the last 15 polls. Its rows are published and those that are
 * missing stay as they were. It judges from the third poll on, or from the last whole poll of an earlier process.
 */
final class RowCountGuard {
    private static final int POLLS = 15;
    private static final int FIRST_KNOWN_AFTER = 3;
    private static final int PARTIAL_BELOW_PERCENT = 80;

    private final ArrayDeque<Integer> last = new ArrayDeque<>();
    private final boolean trusted;

    RowCountGuard(boolean trusted) {
        this.trusted = trusted;
    }

    /** Takes so many rows for those of earlier polls, until three are known. */
    void resume(int rows) {
        while (last.size() < FIRST_KNOWN_AFTER) {
            last.addFirst(rows);
        }
    }

    /** Judges the number of rows of a poll, and counts it among the usual ones; a poll without rows is not judged. */
    @Nullable
    GuardDecision check(int rows) {
        Integer usual = median();
        if (rows > 0) {
            add(rows);
        }
        if (usual == null || rows == 0 || (long) rows * 100 >= (long) usual * PARTIAL_BELOW_PERCENT) {
            return null;
        }
        return new GuardDecision(
                Guard.ROW_COUNT,
                trusted ? Action.OVERRULED : Action.WARNED,
                "fewer rows than usual: " + rows + " of " + usual);
    }

    private void add(int rows) {
        if (last.size() == POLLS) {
            last.removeFirst();
        }
        last.addLast(rows);
    }

    private @Nullable Integer median() {
        return last.size() < FIRST_KNOWN_AFTER
                ? null
                : last.stream().sorted().skip(last.size() / 2).findFirst().orElseThrow();
    }
}
