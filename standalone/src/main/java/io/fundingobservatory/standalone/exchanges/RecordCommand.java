package io.fundingobservatory.standalone.exchanges;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Polls each exchange once and records the bodies. */
@Command(
        name = "record",
        mixinStandardHelpOptions = true,
        description = {
            "Does the same as probe, and writes the bodies as DIR/<venue>/<request>.json, the layout that 'observatory read VENUE",
            "DIR/VENUE' and '--exchanges replay:DIR' take."
        })
public final class RecordCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "DIR", description = "Where the bodies are written.")
    private Path directory = Path.of("");

    @Parameters(index = "1..*", arity = "0..*", paramLabel = "VENUE", description = "Exchanges; default: all.")
    private List<String> venues = List.of();

    @Option(
            names = "--histories",
            paramLabel = "N",
            description = "Settled history of so many contracts of each exchange as well. Default: ${DEFAULT-VALUE}.")
    private int histories = 1;

    @Mixin
    private ProbeOptions options = new ProbeOptions();

    @Override
    public Integer call() throws InterruptedException {
        var recording = new Recording(directory);
        int exit = options.probe(venues, recording, histories);
        System.err.println("observatory: " + recording.files() + " bodies written below " + directory);
        return exit;
    }
}
