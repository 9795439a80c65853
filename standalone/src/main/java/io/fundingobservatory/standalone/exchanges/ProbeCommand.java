package io.fundingobservatory.standalone.exchanges;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Polls each exchange once and prints the results: the first thing to do on a new machine. */
@Command(
        name = "probe",
        mixinStandardHelpOptions = true,
        description = {
            "Requests each exchange once, within its published limits, and prints the result: status, size, rows, skipped rows",
            "with reasons, time, and the part of the published limit used. Exit code 1 when no exchange has a row."
        })
public final class ProbeCommand implements Callable<Integer> {
    @Parameters(arity = "0..*", paramLabel = "VENUE", description = "Exchanges by identifier; default: all.")
    private List<String> venues = List.of();

    @Mixin
    private ProbeOptions options = new ProbeOptions();

    @Override
    public Integer call() throws InterruptedException {
        return options.probe(venues, null, 0);
    }
}
