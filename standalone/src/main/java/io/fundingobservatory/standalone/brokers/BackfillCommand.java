package io.fundingobservatory.standalone.brokers;

import io.fundingobservatory.standalone.terminal.Stop;
import io.fundingobservatory.topics.ListedVenue;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Deletes how far the settled history of exchanges has been read, so that ingest reads all 31 days again: after {@code settlements.raw}
 * was lost or emptied. Settlements that are there already are replaced by the same ones.
 */
@Command(
        name = "backfill",
        mixinStandardHelpOptions = true,
        description = {
            "Lets ingest read all 31 days of settled history of exchanges again.",
            "Stop ingest first, and start it afterwards: while it runs it writes how far it has read."
        })
public final class BackfillCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli injects it
    private CommandSpec spec;

    @Parameters(arity = "1..*", paramLabel = "VENUE", description = "Identifiers as in /api/v1/venues, or all.")
    private List<String> venues = List.of();

    @Option(
            names = "--running",
            description = {
                "Although ingest runs, as within `observatory run`. Contracts that settle before it is started again",
                "are read from that settlement on."
            })
    private boolean running;

    @Mixin
    private BrokerOptions brokers = new BrokerOptions();

    @Override
    public Integer call() throws InterruptedException {
        venues.stream()
                .filter(venue -> !venue.equals("all") && !ListedVenue.isListed(venue))
                .findFirst()
                .ifPresent(venue -> {
                    throw new Stop("not a listed venue: " + venue);
                });
        var history = new HistoryProgressReset(brokers.access());
        if (!running) {
            history.requireIngestStopped(", or see --running");
        }
        int contracts = history.forget(venues);
        spec.commandLine().getOut().println("contracts to be read again once ingest is started: " + contracts);
        return 0;
    }
}
