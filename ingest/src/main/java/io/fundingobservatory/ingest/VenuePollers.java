package io.fundingobservatory.ingest;

import io.fundingobservatory.ingest.backfill.HistoryBackfill;
import io.fundingobservatory.ingest.client.Pages;
import io.fundingobservatory.ingest.client.Time;
import io.fundingobservatory.ingest.client.VenueClient;
import io.fundingobservatory.ingest.poll.RecordedResponses;
import io.fundingobservatory.ingest.poll.ResponseBudget;
import io.fundingobservatory.ingest.poll.ResponseSource;
import io.fundingobservatory.ingest.poll.VenueFetcher;
import io.fundingobservatory.ingest.poll.VenuePoller;
import io.fundingobservatory.ingest.poll.guards.CommonFactorGuard;
import io.fundingobservatory.ingest.poll.guards.VenueGuards;
import io.fundingobservatory.ingest.publish.Publisher;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.venues.Registry;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.records.HistoryProgress;
import io.fundingobservatory.topics.records.VenueStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The pollers of this process's venues, one virtual thread each: started and stopped as venues come and go. */
final class VenuePollers {
    private static final Logger LOG = LoggerFactory.getLogger(VenuePollers.class);

    /** All pollers that are to stop share this time, so that a hand-over of many venues takes no longer than of one. */
    private static final Duration STOPPING = Duration.ofSeconds(2);

    private static final Duration READ_AGAIN = Duration.ofSeconds(1);

    private static final String CLOSED = "closed";
    private static final String NOT_OBSERVED = "not observed by this installation";

    /** A venue that regions poll is requested far more often. */
    private static final Duration DROPPED_AFTER = Duration.ofDays(1);

    /** A venue that has not reported for so many intervals is taken for stuck. */
    private static final int SILENT_INTERVALS = 3;

    private final IngestSettings settings;
    private final SourceSetting observed;
    private final @Nullable VenueClient exchanges;
    private final Publisher publisher;
    private final Supplier<EarlierState> earlierState;
    private final Time time;
    private final IngestMetrics metrics;
    private final CommonFactorGuard commonFactor = new CommonFactorGuard();
    private final ResponseBudget memory = new ResponseBudget();
    // Kept when a venue goes and comes back: what an exchange has forbidden stays forbidden.
    private final Map<String, VenueAccess> access = new ConcurrentHashMap<>();
    private final Map<String, Thread> running = new ConcurrentHashMap<>();

    /** A venue's responses and guards, and the lock of its poller: a slow predecessor and its successor never poll at the same time. */
    private record VenueAccess(ResponseSource responses, VenueGuards guards, ReentrantLock oneAtATime) {}

    /**
     * Pollers of nothing yet.
     *
     * @param exchanges null when recordings are read
     * @param earlierState read whenever venues are assigned
     */
    VenuePollers(
            IngestSettings settings,
            SourceSetting observed,
            @Nullable VenueClient exchanges,
            Publisher publisher,
            Supplier<EarlierState> earlierState,
            Time time,
            IngestMetrics metrics) {
        this.settings = settings;
        this.observed = observed;
        this.exchanges = exchanges;
        this.publisher = publisher;
        this.earlierState = earlierState;
        this.time = time;
        this.metrics = metrics;
    }

    /** Polls venues from now on; never waits. */
    void given(List<ListedVenue> venues) {
        var before = CompletableFuture.supplyAsync(
                () -> awaitEarlierState(venues), task -> Thread.ofVirtual().start(task));
        for (ListedVenue venue : venues) {
            String id = venue.id();
            if (notPolled(venue) == null) {
                metrics.given(id);
            }
            Thread poller = Thread.ofVirtual().name("poll-" + id).unstarted(() -> poll(venue, before));
            running.put(id, poller);
            poller.start();
        }
        LOG.info("venues are assigned count={} polled={}", venues.size(), running.size());
    }

    /**
     * Waits for the state of earlier processes. No venue is polled before the back-offs that it demanded of them
     * are known.
     */
    private EarlierState awaitEarlierState(List<ListedVenue> venues) {
        String logged = "";
        do {
            try {
                return earlierState.get();
            } catch (RuntimeException e) {
                // brokers that are away, or a bug: either way nothing may be polled yet
                String why =
                        Objects.requireNonNullElse(e.getMessage(), e.getClass().getSimpleName());
                if (!why.equals(logged)) {
                    logged = why;
                    LOG.warn("waiting for the state of earlier processes venues={} reason=\"{}\"", venues.size(), why);
                }
            }
        } while (pause(READ_AGAIN) && venues.stream().anyMatch(venue -> running.containsKey(venue.id())));
        return EarlierState.NONE; // they are another process's by now
    }

    private boolean pause(Duration duration) {
        try {
            time.pause(duration);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Stops polling venues; when this returns, they are not polled here any more. */
    void taken(List<ListedVenue> venues) {
        List<Thread> stopping = venues.stream()
                .map(v -> running.remove(v.id()))
                .filter(Objects::nonNull)
                .toList();
        stopping.forEach(Thread::interrupt);
        long end = time.elapsedMs() + STOPPING.toMillis();
        try {
            for (Thread thread : stopping) {
                thread.join(Duration.ofMillis(Math.max(0, end - time.elapsedMs())));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        venues.forEach(v -> metrics.gone(v.id()));
        LOG.info("venues are revoked count={} polled={}", venues.size(), running.size());
    }

    /** The assigned venues: each is polled here, or this process publishes why it is not. */
    Set<String> venues() {
        return Set.copyOf(running.keySet());
    }

    /** The venues that are to be polled here and have not reported for three intervals. */
    Set<String> silent() {
        return metrics.silent(longestSilence());
    }

    Duration longestSilence() {
        return settings.pollInterval().multipliedBy(SILENT_INTERVALS);
    }

    void interrupt() {
        running.values().forEach(Thread::interrupt);
    }

    /** Why a venue is not polled here now; null when it is. */
    private @Nullable String notPolled(ListedVenue venue) {
        String id = venue.id();
        return venue.isClosed(time.nowMs())
                ? CLOSED
                : Registry.find(id) == null ? "no reader in this release" : settings.wants(id) ? null : NOT_OBSERVED;
    }

    private void poll(ListedVenue listed, Future<EarlierState> earlier) {
        String id = listed.id();
        String reason = notPolled(listed);
        if (reason != null) {
            if (settings.region().isEmpty() || !reason.equals(NOT_OBSERVED) || isPolledNowhere(id, earlier)) {
                publishNotPolled(id, reason);
            }
            return;
        }
        Venue venue = Objects.requireNonNull(Registry.find(id));
        VenueAccess of = access.computeIfAbsent(
                id,
                v -> new VenueAccess(
                        responses(venue),
                        new VenueGuards(id, commonFactor, settings.trust().contains(id)),
                        new ReentrantLock()));
        Future<EarlierState> state = earlier;
        while (Thread.currentThread().equals(running.get(id))) {
            try {
                EarlierState before = state.get();
                of.oneAtATime().lockInterruptibly();
                try {
                    poller(listed, venue, of, before).run();
                } finally {
                    of.oneAtATime().unlock();
                }
                ListedVenue.Closing end = listed.closing();
                if (end != null && listed.isClosed(time.nowMs())) {
                    metrics.gone(id);
                    LOG.info("venue has closed venue={} announcement={}", id, end.announcement());
                    publishNotPolled(id, CLOSED);
                }
                return;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (ExecutionException | RuntimeException | Error e) {
                // A bug; nobody else polls this venue as long as it is ours.
                metrics.broke(id, "poller", e);
                pause(settings.pollInterval());
                // the venue has published since the assignment
                state = CompletableFuture.completedFuture(awaitEarlierState(List.of(listed)));
            }
        }
    }

    /**
     * Whether no region polls a venue, as far as its last status shows. A region that polls it has its back-offs there, which
     * outlive a restart.
     */
    private boolean isPolledNowhere(String id, Future<EarlierState> earlier) {
        try {
            VenueStatus last = earlier.get().statuses().get(id);
            if (!Thread.currentThread().equals(running.get(id))) {
                return false; // nothing may have been read
            }
            if (last == null) {
                return true;
            }
            long nowMs = time.nowMs();
            Long attemptMs = last.lastAttemptMs();
            return attemptMs != null
                    && nowMs - attemptMs > DROPPED_AFTER.toMillis()
                    && last.closedUntilMs().values().stream().allMatch(untilMs -> untilMs < nowMs);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            metrics.broke(id, "poller", e);
        }
        return false;
    }

    private VenuePoller poller(ListedVenue listed, Venue venue, VenueAccess of, EarlierState before) {
        String id = listed.id();
        ListedVenue.Closing end = listed.closing();
        return new VenuePoller(
                        venue,
                        observed.source(),
                        of.guards(),
                        of.responses(),
                        time,
                        settings.pollInterval(),
                        ThreadLocalRandom.current(),
                        before.statuses().get(id),
                        history(venue, of.responses(), before.progress().getOrDefault(id, List.of())),
                        publisher,
                        metrics)
                .until(end == null ? Long.MAX_VALUE : end.atMs());
    }

    /** Without a rate kind nobody waits for its rows. */
    private void publishNotPolled(String id, String reason) {
        var status =
                new VenueStatus(id, observed.source(), null, false, null, null, null, null, reason, null, Map.of());
        boolean goesOn = true;
        while (goesOn && !publisher.publish(List.of(), status)) {
            goesOn = Thread.currentThread().equals(running.get(id)) && pause(READ_AGAIN);
        }
    }

    private ResponseSource responses(Venue venue) {
        return observed instanceof SourceSetting.Replay(Path folder)
                ? new RecordedResponses(venue, folder, time)
                : new VenueFetcher(
                        venue,
                        Objects.requireNonNull(exchanges),
                        time,
                        new Random(),
                        settings.limits(),
                        memory,
                        metrics);
    }

    /** What the venue publishes about its settlements; null when it publishes none, and for recordings, which have no past of their own. */
    private @Nullable HistoryBackfill history(Venue venue, ResponseSource responses, List<HistoryProgress> before) {
        if (venue.spec().history() == null || !(responses instanceof Pages.Sender source)) {
            return null;
        }
        return new HistoryBackfill(venue, source, time, ThreadLocalRandom.current(), before, publisher, metrics);
    }
}
