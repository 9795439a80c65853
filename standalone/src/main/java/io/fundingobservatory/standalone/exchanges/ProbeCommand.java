package io.fundingobservatory.standalone.exchanges;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Asks each exchange once and says what came of it: the first thing to do on a new machine. */
@Command(
        name = "probe",
        mixinStandardHelpOptions = true,
        description = {
            "Asks each exchange once, within its published limits, and prints what came of it: status, size, rows, skipped rows",
            "with their reasons, time, and the part of the published limit that it took. Exit code 1 when no exchange brought a row."
        })
public final class ProbeCommand implements Callable<Integer> {
    @Parameters(arity = "0..*", paramLabel = "VENUE", description = "Exchanges by identifier; default: all.")
    private List<String> venues = List.of();

    @Mixin
    private ProbeOptions options = new ProbeOptions();

    @Override
    public Integer call() throws InterruptedException {
        return options.ask(venues, null, 0);
    }
}
