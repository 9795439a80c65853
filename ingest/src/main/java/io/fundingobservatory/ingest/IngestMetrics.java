package io.fundingobservatory.ingest;

import io.fundingobservatory.ingest.client.Time;
import io.fundingobservatory.ingest.json.SkipReason;
import io.fundingobservatory.ingest.publish.GuardDecision;
import io.fundingobservatory.ingest.publish.IngestEvents;
import io.fundingobservatory.ingest.publish.PollReport;
import io.fundingobservatory.ingest.publish.PollReport.Outcome;
import io.fundingobservatory.topics.ListedVenue;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.kafka.KafkaClientMetrics;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.Producer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts what happens in ingest. Writes one line whenever a venue's state changes, never one for each poll. */
final class IngestMetrics implements IngestEvents {
    private static final Logger LOG = LoggerFactory.getLogger(IngestMetrics.class);
    static final String PREFIX = "observatory.ingest.";

    /** Upper bounds of the histogram of polls: few, because each venue has them all. */
    private static final Duration[] POLL_BUCKETS = {
        Duration.ofSeconds(1), Duration.ofSeconds(5), Duration.ofSeconds(20), Duration.ofSeconds(60)
    };

    private final MeterRegistry meters;
    private final Time time;
    private final Map<String, Outcome> states = new ConcurrentHashMap<>();
    private final Map<String, VenueGauges> gauges = new ConcurrentHashMap<>();
    private final Set<String> historyLogged = ConcurrentHashMap.newKeySet();
    /** When each venue that is polled here last reported, by {@link Time#elapsedMs()}. */
    private final Map<String, Long> reportedMs = new ConcurrentHashMap<>();
    /** What was last logged, by venue and subject. */
    private final Map<List<String>, String> logged = new ConcurrentHashMap<>();

    IngestMetrics(MeterRegistry meters, Time time) {
        this.meters = meters;
        this.time = time;
        meters.gauge(PREFIX + "venues.polled", states, Map::size);
    }

    /**
     * Registers the gauges that compare all venues.
     *
     * @param longest a venue that has not reported for longer is silent
     */
    void start(Duration longest) {
        Gauge.builder(PREFIX + "venues.open", time, now -> ListedVenue.open(now.nowMs()))
                .register(meters);
        Gauge.builder(PREFIX + "venues.silent", () -> silent(longest).size()).register(meters);
    }

    KafkaClientMetrics bind(Producer<?, ?> producer) {
        var bound = new KafkaClientMetrics(producer);
        bound.bindTo(meters);
        return bound;
    }

    @Override
    public void exchanged(String host, int status, long bytes, Duration took) {
        String word = status == 0 ? "none" : Integer.toString(status);
        meters.timer(PREFIX + "http.requests", "host", host, "status", word).record(took);
        meters.summary(PREFIX + "http.response.bytes", "host", host).record((double) bytes);
        LOG.debug("host={} status={} bytes={} ms={}", host, word, bytes, took.toMillis());
    }

    @Override
    public void requested(String venue, String request, RequestOutcome outcome) {
        count("requests", venue, 1, "request", request, "outcome", word(outcome));
    }

    @Override
    public void drawn(String venue, String pool, double fraction) {
        gauges(venue).drawn(pool, fraction);
    }

    private void count(String counter, String venue, double by, String... tags) {
        meters.counter(PREFIX + counter, Tags.of("venue", venue).and(tags)).increment(by);
    }

    private VenueGauges gauges(String venue) {
        return gauges.computeIfAbsent(venue, v -> new VenueGauges(v, meters));
    }

    @Override
    public void polled(PollReport report, boolean sent, boolean isBanned) {
        String venue = report.status().venue();
        reportedMs.computeIfPresent(venue, (v, before) -> time.elapsedMs());
        count("polls", venue, 1, "outcome", word(report.outcome()));
        Timer.builder(PREFIX + "poll.seconds")
                .tag("venue", venue)
                .serviceLevelObjectives(POLL_BUCKETS)
                .register(meters)
                .record(report.took());
        if (broughtRows(report.outcome())) {
            report.status().skipped().forEach((reason, rows) -> count("rows.skipped", venue, rows, "reason", reason));
            count("rows.unusual", venue, report.unusual());
        }
        if (report.fieldMissing()) {
            count("polls.unreadable", venue, 1);
        }
        for (GuardDecision decision : report.decisions()) {
            count("guard.decisions", venue, 1, "guard", word(decision.guard()), "action", word(decision.action()));
        }
        if (sent) {
            count("rows.published", venue, report.quotes().size());
        }
        gauges(venue).set("barred", isBanned ? 1 : 0);
        gauges(venue).set("rows", report.quotes().size());
        gauges(venue).polled();
        logChange(venue, report);
        historyProblem(venue, report.status().historyProblem());
        history(venue, report.status().historyDone(), report.status().historyTotal());
    }

    @Override
    public void dropped(String venue, String reason) {
        count("polls.dropped", venue, 1, "reason", reason);
    }

    @Override
    public void settled(String venue, int count) {
        count("settlements.published", venue, count);
    }

    private void history(String venue, @Nullable Long done, @Nullable Long total) {
        if (done == null || total == null) {
            return;
        }
        gauges(venue).set("history.done", done);
        gauges(venue).set("history.contracts", total);
        if (done.equals(total) && historyLogged.add(venue)) {
            LOG.info("history is complete venue={} contracts={}", venue, total);
        }
    }

    private static boolean broughtRows(Outcome outcome) {
        return outcome == Outcome.OK || outcome == Outcome.PARTIAL;
    }

    /** A venue is polled here from now on, and is silent until it reports. */
    void given(String venue) {
        reportedMs.put(venue, time.elapsedMs());
    }

    /** A venue is no longer polled here: sums over processes must not count it twice. */
    void gone(String venue) {
        reportedMs.remove(venue);
        states.remove(venue);
        gauges(venue).remove();
        logged.keySet().removeIf(subject -> subject.getFirst().equals(venue));
    }

    @Override
    public void unwritable(String venue, String topic, String flaw) {
        count("records.unwritable", venue, 1, "topic", topic);
        if (isNew(venue, topic, flaw)) {
            LOG.warn("record was left out venue={} topic={} reason=\"{}\"", venue, topic, flaw);
        }
    }

    private void historyProblem(String venue, @Nullable String problem) {
        if (problem != null) {
            count("history.hindered", venue, 1);
        }
        if (isNew(venue, "history", problem == null ? "" : problem)) {
            if (problem == null) {
                LOG.info("history is read again venue={}", venue);
            } else {
                LOG.warn("history is hindered venue={} reason=\"{}\"", venue, problem);
            }
        }
    }

    /** Whether a state has not been logged yet: counts and seconds change from poll to poll. No state at first is as usual. */
    private boolean isNew(String venue, String subject, String state) {
        String kind = state.replaceAll("\\d+", "#");
        return !kind.equals(Objects.requireNonNullElse(logged.put(List.of(venue, subject), kind), ""));
    }

    /** With its stack, once for each place that it comes from. */
    private void logBug(String venue, String step, Throwable bug) {
        StackTraceElement[] stack = bug.getStackTrace();
        if (isNew(venue, step, bug.getClass().getName() + (stack.length == 0 ? "" : " at " + stack[0]))) {
            LOG.error("step failed by an internal error venue={} step={} reason=\"{}\"", venue, step, bug, bug);
        }
    }

    @Override
    public void unreadable(String venue, String address, RuntimeException why) {
        count("history.unreadable", venue, 1, "request", address);
        logBug(venue, address, why);
    }

    @Override
    public void skippedSettlements(String venue, SkipReason reason, long rows) {
        count("history.rows.skipped", venue, (double) rows, "reason", reason.toString());
    }

    @Override
    public void broke(String venue, String step, Throwable bug) {
        count("bugs", venue, 1, "step", step);
        logBug(venue, step, bug);
    }

    Set<String> silent(Duration longest) {
        long since = time.elapsedMs() - longest.toMillis();
        return reportedMs.entrySet().stream()
                .filter(e -> e.getValue() < since)
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String word(Enum<?> of) {
        return of.name().toLowerCase(Locale.ROOT);
    }

    private void logChange(String venue, PollReport report) {
        String reason = report.status().reason();
        states.put(venue, report.outcome());
        if (!isNew(venue, "poll", report.outcome() + " " + reason)) {
            return;
        }
        int rows = report.quotes().size();
        switch (report.outcome()) {
            case OK -> {
                if (reason == null) {
                    LOG.info("venue is well venue={} rows={}", venue, rows);
                } else {
                    LOG.warn("venue is well venue={} rows={} reason=\"{}\"", venue, rows, reason);
                }
            }
            case PARTIAL -> LOG.warn("venue is read in part venue={} rows={} reason=\"{}\"", venue, rows, reason);
            case QUARANTINED -> LOG.warn("venue is quarantined venue={} reason=\"{}\"", venue, reason);
            case FAILED -> LOG.warn("poll failed venue={} reason=\"{}\"", venue, reason);
        }
    }

    int polled() {
        return states.size();
    }

    /** Polled venues that did not bring a row last time. */
    int failing() {
        return (int) states.values().stream()
                .filter(outcome -> !broughtRows(outcome))
                .count();
    }

    /**
     * Gauges of one venue that is polled here. The gauge of a rate-limit pool shows the highest fraction in use since the
     * previous poll. The intended maximum is 0.2.
     */
    private static final class VenueGauges {
        private static final String LIMIT_USED = "limit.used";

        private record Name(String gauge, Tags tags) {}

        private final Tags venue;
        private final MeterRegistry meters;
        private final Map<Name, Double> shown = new ConcurrentHashMap<>();
        private final Map<String, Double> highest = new ConcurrentHashMap<>();

        VenueGauges(String venue, MeterRegistry meters) {
            this.venue = Tags.of("venue", venue);
            this.meters = meters;
        }

        void set(String gauge, double value) {
            set(new Name(gauge, venue), value);
        }

        private void set(Name name, double value) {
            if (shown.put(name, value) == null) {
                Gauge.builder(PREFIX + name.gauge(), () -> shown.getOrDefault(name, Double.NaN))
                        .tags(name.tags())
                        .register(meters);
            }
        }

        void drawn(String pool, double fraction) {
            highest.merge(pool, fraction, Math::max);
        }

        /** A poll is over: the gauges show what was used up to now. */
        void polled() {
            highest.forEach((pool, fraction) -> set(new Name(LIMIT_USED, venue.and("pool", pool)), fraction));
            highest.replaceAll((pool, fraction) -> 0.0);
        }

        /** Removes the gauges: sums over processes must not count a venue twice. */
        void remove() {
            shown.keySet()
                    .forEach(name -> meters.find(PREFIX + name.gauge())
                            .tags(name.tags())
                            .gauges()
                            .forEach(meters::remove));
            shown.clear();
            highest.clear();
        }
    }
}
