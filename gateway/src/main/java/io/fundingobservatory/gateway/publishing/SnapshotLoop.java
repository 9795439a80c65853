package io.fundingobservatory.gateway.publishing;

import io.fundingobservatory.gateway.core.snapshot.Snapshot;
import io.fundingobservatory.gateway.core.snapshot.SnapshotInterval;
import io.fundingobservatory.gateway.tables.LoggedOnce;
import io.fundingobservatory.gateway.tables.TableReader;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Publishes a snapshot at every snapshot interval, and the first one as soon as it is complete. */
record SnapshotLoop(
        SnapshotPublisher snapshots,
        Supplier<@Nullable TableReader> tables,
        SnapshotInterval interval,
        InstantSource clock,
        Consumer<Snapshot> published,
        Consumer<ListSources> recorded,
        CountDownLatch closing)
        implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(SnapshotLoop.class);
    /** Before the first snapshot, what it waits for is looked at this often. */
    private static final long FIRST_LIST_PAUSE_MS = 100;

    /** The wait is by another clock than the snapshot time; a wait that ends too early continues. */
    private static final long CLOCKS_DIFFER_MS = 50;

    @Override
    public void run() {
        var failures = new LoggedOnce(LOG);
        Snapshot last = null;
        try {
            while (closing.getCount() > 0) {
                last = publish(last, failures);
                if (last == null) {
                    closing.await(FIRST_LIST_PAUSE_MS, TimeUnit.MILLISECONDS);
                } else {
                    awaitNextSnapshot();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void awaitNextSnapshot() throws InterruptedException {
        long nowMs = clock.millis();
        long nextMs = interval.after(nowMs);
        closing.await(nextMs - nowMs, TimeUnit.MILLISECONDS);
        long early = nextMs - clock.millis();
        if (early > 0 && early <= CLOCKS_DIFFER_MS) {
            closing.await(early, TimeUnit.MILLISECONDS);
        }
    }

    private @Nullable Snapshot publish(@Nullable Snapshot last, LoggedOnce failures) {
        Snapshot served = last;
        try {
            if (last != null && !snapshots.isRanked()) {
                // The first ranking is shown with this list and not with the one after it.
                snapshots.rank();
            }
            Snapshot next = snapshots.next(tables.get(), last);
            if (next != null) {
                served = next;
                if (next != last) {
                    published.accept(next);
                    recorded.accept(snapshots.sources(next));
                }
                snapshots.rank();
            }
            failures.overIfFailed("snapshots are published again");
        } catch (RuntimeException e) {
            // Tables that are being closed refuse to be read. The last list is served on.
            failures.warn("no new snapshot", e);
        }
        return served;
    }
}
