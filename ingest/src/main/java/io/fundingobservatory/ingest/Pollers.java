package io.fundingobservatory.ingest;

import static java.util.stream.Collectors.groupingBy;

import io.fundingobservatory.ingest.fetching.Exchanges;
import io.fundingobservatory.ingest.history.SettledHistory;
import io.fundingobservatory.ingest.pacing.Time;
import io.fundingobservatory.ingest.polling.AnswerSource;
import io.fundingobservatory.ingest.polling.LiveAnswers;
import io.fundingobservatory.ingest.polling.RateBoard;
import io.fundingobservatory.ingest.polling.RecordedAnswers;
import io.fundingobservatory.ingest.polling.VenuePoller;
import io.fundingobservatory.ingest.publishing.CompactedTopic;
import io.fundingobservatory.ingest.publishing.Publisher;
import io.fundingobservatory.ingest.reading.Venue;
import io.fundingobservatory.ingest.sharing.VenueShare;
import io.fundingobservatory.ingest.venues.Registry;
import io.fundingobservatory.topics.HistoryProgress;
import io.fundingobservatory.topics.KafkaAccess;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.SettledRate;
import io.fundingobservatory.topics.Source;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.VenueStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The pollers of this process's venues, one virtual thread each: started and stopped as venues come and go. */
final class Pollers implements VenueShare.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(Pollers.class);
    private static final Duration STOPPING = Duration.ofSeconds(2);

    private final IngestSettings settings;
    private final Observed observed;
    private final @Nullable Exchanges exchanges;
    private final Publisher publisher;
    private final KafkaAccess kafka;
    private final InstantSource clock;
    private final PollMetrics watch;
    private final RateBoard board = new RateBoard();
    // Kept when a venue goes and comes back: what a host has forbidden stays forbidden.
    private final Map<String, AnswerSource> gatherings = new ConcurrentHashMap<>();
    private final Map<String, Thread> running = new ConcurrentHashMap<>();

    /** What earlier processes left. */
    private record Before(Map<String, VenueStatus> statuses, Map<String, List<HistoryProgress>> progress) {}

    /** Pollers of nothing yet; {@code exchanges} is null when recordings are read. */
    Pollers(
            IngestSettings settings,
            Observed observed,
            @Nullable Exchanges exchanges,
            Publisher publisher,
            KafkaAccess kafka,
            InstantSource clock,
            PollMetrics watch) {
        this.settings = settings;
        this.observed = observed;
        this.exchanges = exchanges;
        this.publisher = publisher;
        this.kafka = kafka;
        this.clock = clock;
        this.watch = watch;
    }

    @Override
    public void given(List<ListedVenue> venues) {
        var before = CompletableFuture.supplyAsync(
                () -> new Before(
                        CompactedTopic.read(kafka, Topics.VENUES_STATUS),
                        CompactedTopic.read(kafka, Topics.INGEST_PROGRESS).values().stream()
                                .collect(groupingBy(HistoryProgress::venue))),
                task -> Thread.ofVirtual().start(task));
        for (ListedVenue venue : venues) {
            running.put(
                    venue.id(), Thread.ofVirtual().name("poll-" + venue.id()).start(() -> poll(venue.id(), before)));
        }
        LOG.info("venues=given count={} polled={}", venues.size(), running.size());
    }

    @Override
    public void taken(List<ListedVenue> venues) {
        List<Thread> stopping = venues.stream()
                .map(v -> running.remove(v.id()))
                .filter(Objects::nonNull)
                .toList();
        stopping.forEach(Thread::interrupt);
        try {
            for (Thread thread : stopping) {
                thread.join(STOPPING);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        venues.forEach(v -> watch.gone(v.id()));
        LOG.info("venues=taken count={} polled={}", venues.size(), running.size());
    }

    /** The venues that are polled or spoken for here. */
    Set<String> venues() {
        return Set.copyOf(running.keySet());
    }

    /** Tells every poller to stop, and does not wait. */
    void interrupt() {
        running.values().forEach(Thread::interrupt);
    }

    private void poll(String id, CompletableFuture<Before> earlier) {
        Venue venue = Registry.find(id);
        if (venue == null || !settings.wants(id)) {
            publisher.publish(
                    List.of(),
                    notPolled(id, venue == null ? "no reader in this release" : "not observed by this installation"));
            return;
        }
        Before before = earlier.join();
        AnswerSource gathering = gatherings.computeIfAbsent(id, v -> gathering(venue));
        new VenuePoller(
                        venue,
                        observed.source(),
                        board,
                        gathering,
                        Time.real(clock),
                        settings.pollInterval(),
                        ThreadLocalRandom.current(),
                        before.statuses().get(id),
                        history(venue, gathering, before.progress().getOrDefault(id, List.of())),
                        report -> watch.seen(
                                report, publisher.publish(report.quotes(), report.status()), gathering.barred()))
                .run();
    }

    private VenueStatus notPolled(String id, String reason) {
        return new VenueStatus(id, observed.source(), null, false, null, null, null, null, reason, null, Map.of());
    }

    private AnswerSource gathering(Venue venue) {
        return observed instanceof Observed.Replay(Path folder)
                ? new RecordedAnswers(venue, folder, Time.real(clock))
                : new LiveAnswers(
                        venue, Objects.requireNonNull(exchanges), Time.real(clock), new Random(), settings.limits());
    }

    /** What the venue publishes about its settlements; null when it publishes none, and for recordings, which have no past of their own. */
    private @Nullable SettledHistory history(Venue venue, AnswerSource gathering, List<HistoryProgress> before) {
        if (venue.header().history() == null || observed.source() == Source.REPLAY) {
            return null;
        }
        return new SettledHistory(
                venue, gathering, Time.real(clock), ThreadLocalRandom.current(), before, new SettledHistory.Sink() {
                    @Override
                    public boolean publish(List<SettledRate> settled) {
                        boolean taken = publisher.publishSettled(settled);
                        watch.settled(venue.header().id(), taken ? settled.size() : 0);
                        return taken;
                    }

                    @Override
                    public void publish(HistoryProgress progress) {
                        publisher.publishProgress(progress);
                    }
                });
    }
}
