package io.fundingobservatory.ingest;

import static org.junit.jupiter.api.Assertions.assertEquals;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.fundingobservatory.ingest.client.Time;
import io.fundingobservatory.ingest.publish.IngestEvents.RequestOutcome;
import io.fundingobservatory.ingest.publish.PollReport;
import io.fundingobservatory.topics.records.RateKind;
import io.fundingobservatory.topics.records.Source;
import io.fundingobservatory.topics.records.VenueStatus;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class IngestMetricsTest {
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final IngestMetrics metrics = new IngestMetrics(meters, Time.real(InstantSource.system()));

    private static PollReport report(String venue) {
        var status =
                new VenueStatus(venue, Source.LIVE, RateKind.ESTIMATE, true, null, 1L, 1L, null, null, 1L, Map.of());
        return new PollReport(
                List.of(),
                status.withHistory(1, 3).withHistoryProblem("HTTP 403"),
                PollReport.Outcome.OK,
                0,
                true,
                List.of(),
                Duration.ofSeconds(1));
    }

    /** Number of gauges of a venue, without the buckets of timers, which this registry keeps as gauges. */
    private long gauges(String venue) {
        return meters.getMeters().stream()
                .filter(m -> m.getId().getType() == io.micrometer.core.instrument.Meter.Type.GAUGE)
                .filter(m -> !m.getId().getName().endsWith(".histogram"))
                .filter(m -> venue.equals(m.getId().getTag("venue")))
                .count();
    }

    @Test
    void removesGaugesOfVenueThatMoved() {
        metrics.polled(report("okx"), true, true);
        metrics.polled(report("gate"), true, false);
        assertEquals(4, gauges("okx"));

        metrics.gone("okx");

        assertEquals(0, gauges("okx"));
        assertEquals(4, gauges("gate"));
        assertEquals(1, metrics.polled());

        metrics.polled(report("okx"), true, true);
        assertEquals(
                1,
                meters.get("observatory.ingest.barred")
                        .tag("venue", "okx")
                        .gauge()
                        .value(),
                "and when it comes back its gauges are new ones");
    }

    @Test
    void countsRequestsHistoryAndPollerEvents() {
        metrics.requested("okx", "rates", RequestOutcome.ANSWERED);
        metrics.requested("okx", "rates", RequestOutcome.BANNED);
        metrics.requested("okx", "rates", RequestOutcome.BANNED);
        assertEquals(
                2,
                meters.get("observatory.ingest.requests")
                        .tags("venue", "okx", "request", "rates", "outcome", "banned")
                        .counter()
                        .count());
        metrics.polled(report("okx"), true, false);
        metrics.unreadable("okx", "history", new IllegalStateException("bug"));
        metrics.broke("okx", "poll", new ArithmeticException("/ by zero"));
        for (String name : List.of("polls.unreadable", "history.hindered", "history.unreadable", "bugs")) {
            assertEquals(
                    1,
                    meters.get("observatory.ingest." + name)
                            .tag("venue", "okx")
                            .counter()
                            .count(),
                    name);
        }
    }

    private static List<String> logged(Runnable story) {
        var log = (Logger) LoggerFactory.getLogger(IngestMetrics.class);
        var lines = new ListAppender<ILoggingEvent>();
        lines.start();
        log.addAppender(lines);
        try {
            story.run();
        } finally {
            log.detachAppender(lines);
        }
        String here = Thread.currentThread().getName();
        // other tests' services may be logging beside it
        return lines.list.stream()
                .filter(line -> line.getThreadName().equals(here))
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    @Test
    void logsHistoryProblemOnceUntilItChanges() {
        List<String> lines = logged(() -> {
            for (int poll = 0; poll < 100; poll++) {
                metrics.polled(hindered(poll + " of 300 contracts could not be read: HTTP 429"), true, false);
            }
            metrics.polled(hindered(null), true, false);
            metrics.polled(hindered(null), true, false);
        });
        assertEquals(
                List.of(
                        "venue is well venue=gate rows=0",
                        "history is hindered venue=gate reason=\"0 of 300 contracts could not be read: HTTP 429\"",
                        "history is read again venue=gate"),
                lines);
    }

    private static PollReport hindered(@Nullable String problem) {
        PollReport report = report("gate");
        return report.withStatus(report.status().withHistoryProblem(problem));
    }

    @Test
    void logsInternalErrorOnceForEachPlace() {
        List<String> lines = logged(() -> {
            for (int poll = 0; poll < 3; poll++) {
                metrics.broke("gate", "poll", new ArithmeticException("/ by zero"));
            }
            metrics.broke("okx", "poll", new ArithmeticException("/ by zero"));
        });
        assertEquals(2, lines.size(), lines::toString);
    }

    @Test
    void showsHighestLimitUseSinceLastPoll() {
        metrics.drawn("okx", "www.okx.com", 0.1);
        metrics.drawn("okx", "www.okx.com", 0.2);
        metrics.drawn("okx", "www.okx.com", 0.15);
        metrics.drawn("okx", "history", 0.05);
        metrics.polled(report("okx"), true, false);
        assertEquals(0.2, used("www.okx.com"));
        assertEquals(0.05, used("history"));

        metrics.polled(report("okx"), true, false);
        assertEquals(0, used("www.okx.com"), "nothing was requested since");
        metrics.gone("okx");
        assertEquals(0, gauges("okx"));
    }

    private double used(String pool) {
        return meters.get("observatory.ingest.limit.used")
                .tags("venue", "okx", "pool", pool)
                .gauge()
                .value();
    }

    @Test
    void countsAndLogsUnwritableRecord() {
        List<String> lines = logged(() -> {
            for (int poll = 0; poll < 3; poll++) {
                metrics.unwritable("okx", "quotes.raw", "quote/1: symbol has no UTF-8 form");
                metrics.polled(report("okx"), true, false);
            }
            metrics.polled(report("okx"), true, false);
        });
        assertEquals(
                List.of("record was left out venue=okx topic=quotes.raw reason=\"quote/1: symbol has no UTF-8 form\""),
                lines.stream().filter(line -> line.contains("quotes.raw")).toList());
        assertEquals(
                3,
                meters.get("observatory.ingest.records.unwritable")
                        .tags("venue", "okx", "topic", "quotes.raw")
                        .counter()
                        .count());
    }
}
