package io.fundingobservatory.ingest;

import io.fundingobservatory.ingest.poll.PollReport;
import io.fundingobservatory.ingest.poll.PollReport.Outcome;
import io.fundingobservatory.ingest.poll.guards.GuardDecision;
import io.fundingobservatory.ingest.publish.Publisher;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.Topics;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts polls, and writes one line whenever a venue's state changes, never one for each poll. */
final class PollMetrics {
    private static final Logger LOG = LoggerFactory.getLogger(PollMetrics.class);
    static final String PREFIX = "observatory.ingest.";

    private record LastState(Outcome outcome, @Nullable String kind) {}

    private final MeterRegistry meters;
    private final Map<String, LastState> states = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> banned = new ConcurrentHashMap<>();
    private final Map<String, AtomicLong> lastRows = new ConcurrentHashMap<>();
    private final Map<String, AtomicLong> historyDone = new ConcurrentHashMap<>();
    private final Map<String, AtomicLong> historyTotal = new ConcurrentHashMap<>();
    private final Set<String> historyTold = ConcurrentHashMap.newKeySet();
    private final Map<String, VenueRequestMetrics> requests = new ConcurrentHashMap<>();
    /** Venues of which a record could not be written since their last poll. */
    private final Set<String> unwritable = ConcurrentHashMap.newKeySet();

    private final StateChangeLog changes = new StateChangeLog(LOG);

    PollMetrics(MeterRegistry meters) {
        this.meters = meters;
        meters.gauge(PREFIX + "venues.polled", states, Map::size);
    }

    void seen(PollReport report, Publisher.PublishResult handed, boolean isBanned) {
        String venue = report.status().venue();
        String outcome = report.outcome().name().toLowerCase(Locale.ROOT);
        meters.counter(PREFIX + "polls", "venue", venue, "outcome", outcome).increment();
        meters.timer(PREFIX + "poll.seconds", "venue", venue).record(report.took());
        if (broughtRows(report.outcome())) {
            report.status()
                    .skipped()
                    .forEach(
                            (reason, count) -> meters.counter(PREFIX + "rows.skipped", "venue", venue, "reason", reason)
                                    .increment(count));
            meters.counter(PREFIX + "rows.unusual", "venue", venue).increment(report.unusual());
        }
        if (report.fieldMissing()) {
            meters.counter(PREFIX + "polls.unreadable", "venue", venue).increment();
        }
        for (GuardDecision decision : report.decisions()) {
            meters.counter(
                            PREFIX + "guard.decisions",
                            Tags.of(
                                    "venue", venue,
                                    "guard", word(decision.guard()),
                                    "action", word(decision.action())))
                    .increment();
        }
        switch (handed) {
            case SENT ->
                meters.counter(PREFIX + "rows.published", "venue", venue)
                        .increment(report.quotes().size());
            case DROPPED ->
                meters.counter(PREFIX + "polls.dropped", "venue", venue, "reason", "broker_unreachable")
                        .increment();
        }
        banned.computeIfAbsent(venue, v -> meters.gauge(PREFIX + "barred", Tags.of("venue", v), new AtomicInteger()))
                .set(isBanned ? 1 : 0);
        gauge(lastRows, "rows", venue).set(report.quotes().size());
        requests(venue).polled();
        if (!unwritable.remove(venue)) {
            changes.isWell(venue, Topics.QUOTES_RAW.name());
            changes.isWell(venue, Topics.VENUES_STATUS.name());
        }
        logChange(venue, report);
        historyProblem(venue, report.status().historyProblem());
        history(venue, report.status().historyDone(), report.status().historyTotal());
    }

    /** Settlements of a venue that went to Kafka. */
    void settled(String venue, int count) {
        meters.counter(PREFIX + "settlements.published", "venue", venue).increment(count);
    }

    private void history(String venue, @Nullable Long done, @Nullable Long total) {
        if (done == null || total == null) {
            return;
        }
        gauge(historyDone, "history.done", venue).set(done);
        gauge(historyTotal, "history.contracts", venue).set(total);
        if (done.equals(total) && historyTold.add(venue)) {
            LOG.info("history is complete venue={} contracts={}", venue, total);
        }
    }

    private AtomicLong gauge(Map<String, AtomicLong> gauges, String name, String venue) {
        return gauges.computeIfAbsent(venue, v -> meters.gauge(PREFIX + name, Tags.of("venue", v), new AtomicLong()));
    }

    private static boolean broughtRows(Outcome outcome) {
        return outcome == Outcome.OK || outcome == Outcome.PARTIAL;
    }

    /** A venue that is no longer polled here: sums over processes must not count it twice. */
    void gone(String venue) {
        states.remove(venue);
        for (Map<String, ?> gauges : List.of(banned, lastRows, historyDone, historyTotal)) {
            gauges.remove(venue);
        }
        for (String name : List.of("barred", "rows", "history.done", "history.contracts")) {
            meters.find(PREFIX + name).tag("venue", venue).gauges().forEach(meters::remove);
        }
        requests(venue).gone();
        changes.forget(venue);
    }

    /** What becomes of a venue's requests; one for each venue, which outlives its pollers. */
    VenueRequestMetrics requests(String venue) {
        return requests.computeIfAbsent(venue, v -> new VenueRequestMetrics(v, meters, changes));
    }

    /**
     * Counts and logs a record that no consumer would accept. It is an internal error; only that record is
     * left out.
     */
    void unwritable(String venue, String topic, String flaw) {
        meters.counter(PREFIX + "records.unwritable", "venue", venue, "topic", topic)
                .increment();
        changes.isUnwell(venue, topic, "unwritable", flaw);
        unwritable.add(venue);
    }

    private void historyProblem(String venue, @Nullable String problem) {
        if (problem == null) {
            changes.isWell(venue, "history");
        } else {
            meters.counter(PREFIX + "history.hindered", "venue", venue).increment();
            changes.isUnwell(venue, "history", "hindered", problem);
        }
    }

    /** A response about settled rates that could not be read. */
    void unreadable(String venue, String address, RuntimeException why) {
        meters.counter(PREFIX + "history.unreadable", "venue", venue, "request", address)
                .increment();
        changes.bug(venue, address, why);
    }

    /** How many listed venues have not closed: so many are polled by all processes together. */
    void open(InstantSource clock) {
        Gauge.builder(PREFIX + "venues.open", clock, now -> ListedVenue.open(now.millis()))
                .register(meters);
    }

    /** How many of the exchanges that are polled here have not reported for too long. */
    void silent(Supplier<? extends Collection<String>> venues) {
        Gauge.builder(PREFIX + "venues.silent", () -> venues.get().size()).register(meters);
    }

    /** Counts and logs an internal error. It costs its venue one step and nothing else. */
    void broke(String venue, String step, Throwable bug) {
        meters.counter(PREFIX + "bugs", "venue", venue, "step", step).increment();
        changes.bug(venue, step, bug);
    }

    private static String word(Enum<?> of) {
        return of.name().toLowerCase(Locale.ROOT);
    }

    private void logChange(String venue, PollReport report) {
        String reason = report.status().reason();
        // counts and seconds change from poll to poll; the state has not
        String kind = reason == null ? null : reason.replaceAll("\\d+", "#");
        LastState before = states.put(venue, new LastState(report.outcome(), kind));
        if (before != null && before.outcome() == report.outcome() && Objects.equals(before.kind(), kind)) {
            return;
        }
        switch (report.outcome()) {
            case OK -> {
                if (reason == null) {
                    LOG.info(
                            "venue is well venue={} rows={}",
                            venue,
                            report.quotes().size());
                } else {
                    LOG.warn(
                            "venue is well venue={} rows={} reason=\"{}\"",
                            venue,
                            report.quotes().size(),
                            reason);
                }
            }
            case PARTIAL ->
                LOG.warn(
                        "venue is read in part venue={} rows={} reason=\"{}\"",
                        venue,
                        report.quotes().size(),
                        reason);
            case QUARANTINED -> LOG.warn("venue is quarantined venue={} reason=\"{}\"", venue, reason);
            case FAILED -> LOG.warn("poll failed venue={} reason=\"{}\"", venue, reason);
        }
    }

    /** How many venues are polled here, and how many of them did not bring a row last time. */
    State state() {
        int failing = (int)
                states.values().stream().filter(s -> !broughtRows(s.outcome())).count();
        return new State(states.size(), failing);
    }

    record State(int polled, int failing) {}
}
