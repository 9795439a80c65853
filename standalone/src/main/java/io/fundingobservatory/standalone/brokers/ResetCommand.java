package io.fundingobservatory.standalone.brokers;

import io.fundingobservatory.runtime.InnermostCause;
import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.standalone.terminal.Stop;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.apache.kafka.common.KafkaException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lets streams compute lost or outdated state again: {@link StreamsReset} on the brokers that the options name. */
@Command(
        name = "reset",
        mixinStandardHelpOptions = true,
        description = {
            "Lets streams compute its state again from the raw topics.",
            "Stop all instances of streams first, and start them afterwards."
        })
public final class ResetCommand implements Callable<Integer> {
    private static final String PAIRS = "pairs";
    private static final String ALL = "all";

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli injects it
    private CommandSpec spec;

    @Parameters(
            paramLabel = "pairs|all",
            description = "pairs: settlement ledger, pair tables, estimate errors; all: contracts as well.")
    private String state = "";

    @Option(
            names = "--history",
            description = {
                "Also let ingest read 31 days of settled history again, where settlements.raw was lost.",
                "Stop ingest first, and start it afterwards."
            })
    private boolean history;

    @Mixin
    private BrokerOptions brokers = new BrokerOptions();

    @Override
    public Integer call() throws InterruptedException {
        if (!state.equals(PAIRS) && !state.equals(ALL)) {
            throw new ParameterException(spec.commandLine(), "reset takes pairs or all, not " + state);
        }
        KafkaAccess kafka = brokers.access();
        Consumer<String> lines = spec.commandLine().getOut()::println;
        try (var reset = new StreamsReset(kafka, lines)) {
            reset.requireStopped();
            if (history) {
                var progress = new HistoryProgressReset(kafka);
                progress.requireIngestStopped("");
                lines.accept("contracts whose history is read again: " + progress.forget(List.of("all")));
            }
            if (state.equals(ALL)) {
                reset.all();
            } else {
                reset.pairs();
            }
        } catch (KafkaException e) {
            throw new Stop(
                    "no connection to " + brokers + " is possible with these settings: " + InnermostCause.typed(e));
        }
        lines.accept("start streams now");
        return 0;
    }
}
