package io.fundingobservatory.standalone.exchanges;

import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.standalone.terminal.Stop;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What {@code probe} and {@code record} have in common: which exchanges they poll, and for how long. */
final class ProbeOptions {
    @Option(
            names = "--exchanges",
            paramLabel = "SOURCE",
            converter = SourceOption.Converter.class,
            description = "live or simulated. Default: live.")
    private SourceOption source = new SourceOption.Live();

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = {
                "Longest time for an exchange that needs one request per symbol. Default: ${DEFAULT-VALUE}.",
                "All requests stay within a fifth of the published limits."
            })
    private int seconds = 10;

    @Option(names = "--json", description = "Print JSON instead of a table.")
    private boolean json;

    /** Polls the named exchanges side by side, all of them when none is named, and prints what came of it. */
    int probe(List<String> venues, @Nullable Recording recording, int histories) throws InterruptedException {
        List<Venue> readers = ExchangeAccess.readers(venues);
        var results = new ArrayList<ProbeResult>();
        try (ExchangeAccess access = open();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<ProbeResult>> probed = readers.stream()
                    .map(venue -> threads.submit(() -> new VenueProbe(venue, access.exchanges(), recording)
                            .probe(Duration.ofSeconds(seconds), histories)))
                    .toList();
            for (int i = 0; i < probed.size(); i++) {
                results.add(result(readers.get(i), probed.get(i)));
            }
        }
        List<AnnouncedChange> due = due(readers);
        if (json) {
            ProbeReport.json(results, due, System.out);
        } else {
            ProbeReport.table(results, due, System.out);
        }
        return results.stream().anyMatch(result -> result.rows() > 0) ? 0 : 1;
    }

    /**
     * The result of one probe. A probe that broke off is a problem of its exchange alone.
     *
     * @throws Stop when the responses cannot be recorded
     */
    static ProbeResult result(Venue venue, Future<ProbeResult> probed) throws InterruptedException {
        try {
            return probed.get();
        } catch (ExecutionException e) {
            String problem = "a probe broke off: " + e.getCause();
            if (e.getCause() instanceof UncheckedIOException) {
                throw new Stop(problem);
            }
            return new ProbeResult(venue.spec().id(), 0, Map.of(), List.of(), List.of(problem), 0, "", 0);
        }
    }

    private static List<AnnouncedChange> due(List<Venue> readers) {
        Set<String> probed = readers.stream().map(venue -> venue.spec().id()).collect(Collectors.toSet());
        return AnnouncedChange.due(AnnouncedChange.all(), LocalDate.now(ZoneOffset.UTC)).stream()
                .filter(change -> probed.contains(change.venue()))
                .toList();
    }

    private ExchangeAccess open() {
        return switch (source) {
            case SourceOption.Live() -> ExchangeAccess.live();
            case SourceOption.Simulated() -> ExchangeAccess.simulated();
            case SourceOption.Replay replay -> throw new Stop("recordings take no requests; see 'observatory read'");
            case SourceOption.Auto() -> throw new Stop("--exchanges is live or simulated");
        };
    }
}
