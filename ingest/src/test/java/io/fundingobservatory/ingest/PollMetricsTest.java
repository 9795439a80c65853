package io.fundingobservatory.ingest;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fundingobservatory.ingest.pacing.RequestListener.Outcome;
import io.fundingobservatory.ingest.polling.PollReport;
import io.fundingobservatory.ingest.publishing.Publisher.Handed;
import io.fundingobservatory.topics.RateKind;
import io.fundingobservatory.topics.Source;
import io.fundingobservatory.topics.VenueStatus;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PollMetricsTest {
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final PollMetrics metrics = new PollMetrics(meters);

    private static PollReport report(String venue) {
        var status =
                new VenueStatus(venue, Source.LIVE, RateKind.ESTIMATE, true, null, 1L, 1L, null, null, 1L, Map.of());
        return new PollReport(
                List.of(),
                status.withHistory(1, 3).withHistoryProblem("HTTP 403"),
                PollReport.Outcome.OK,
                0,
                List.of(),
                Duration.ofSeconds(1));
    }

    private long gauges(String venue) {
        return meters.getMeters().stream()
                .filter(m -> m.getId().getType() == io.micrometer.core.instrument.Meter.Type.GAUGE)
                .filter(m -> venue.equals(m.getId().getTag("venue")))
                .count();
    }

    @Test
    void aVenueThatMovedToAnotherProcessLeavesNoGaugeBehind() {
        metrics.seen(report("okx"), Handed.SENT, true);
        metrics.seen(report("gate"), Handed.SENT, false);
        assertEquals(4, gauges("okx"));

        metrics.gone("okx");

        assertEquals(0, gauges("okx"));
        assertEquals(4, gauges("gate"));
        assertEquals(1, metrics.state().polled());

        metrics.seen(report("okx"), Handed.SENT, true);
        assertEquals(
                1,
                meters.get("observatory.ingest.barred")
                        .tag("venue", "okx")
                        .gauge()
                        .value(),
                "and when it comes back its gauges are new ones");
    }

    @Test
    void whatHappensToRequestsHistoryAndPollersIsCounted() {
        var requests = metrics.requests("okx");
        requests.done("rates", Outcome.ANSWERED, null);
        requests.done("rates", Outcome.BARRED, "HTTP 403");
        requests.done("rates", Outcome.BARRED, "HTTP 403");
        assertEquals(
                2,
                meters.get("observatory.ingest.requests")
                        .tags("venue", "okx", "request", "rates", "outcome", "barred")
                        .counter()
                        .count());
        metrics.seen(report("okx"), Handed.SENT, false);
        metrics.unreadable("okx", "past", new IllegalStateException("bug"));
        metrics.broke("okx", "poll", new ArithmeticException("/ by zero"));
        for (String name : List.of("history.hindered", "history.unreadable", "bugs")) {
            assertEquals(
                    1,
                    meters.get("observatory.ingest." + name)
                            .tag("venue", "okx")
                            .counter()
                            .count(),
                    name);
        }
    }
}
