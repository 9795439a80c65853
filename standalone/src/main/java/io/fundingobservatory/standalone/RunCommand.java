package io.fundingobservatory.standalone;

import io.fundingobservatory.gateway.publishing.GatewayService.FirstSnapshot;
import io.fundingobservatory.standalone.exchanges.ExchangeAccess;
import io.fundingobservatory.standalone.exchanges.LiveProbe;
import io.fundingobservatory.standalone.exchanges.SourceOption;
import io.fundingobservatory.standalone.progress.Progress;
import io.fundingobservatory.standalone.terminal.Stop;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs broker, ingest, streams and gateway in this process until it is stopped. */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        description =
                "Runs everything in this process: a Kafka broker, the readers, the topology and the HTTP service.")
final class RunCommand implements Callable<Integer> {
    /** Read by logback.xml when the first logger is made, which is after this command has begun. */
    private static final String LOG_LEVEL = "observatory.log.level";

    /** Set by the JVM from its option {@code --sun-misc-unsafe-memory-access}; without it the JDK warns. */
    private static final String UNSAFE = "sun.misc.unsafe.memory.access";

    private static final long LEAST_HEAP_BYTES = 192L * 1024 * 1024;

    @Option(
            names = "--exchanges",
            paramLabel = "SOURCE",
            converter = SourceOption.Converter.class,
            description = {
                "live, simulated, replay:DIR (recorded bodies in DIR/<venue>/<request>.json) or auto:",
                "live if it was live here before or one of eight exchanges responds within 5 s, otherwise simulated.",
                "Default: auto."
            })
    private SourceOption exchanges = new SourceOption.Auto();

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Where state is kept; it survives a restart. Default: ${DEFAULT-VALUE}.")
    private Path data = Path.of("data");

    @Mixin
    private PortOptions portOptions = new PortOptions();

    @Mixin
    private MarketOptions market = new MarketOptions();

    @Override
    public Integer call() throws InterruptedException {
        if (Runtime.getRuntime().maxMemory() < LEAST_HEAP_BYTES) {
            throw new Stop("the heap is limited to " + Runtime.getRuntime().maxMemory() / 1024 / 1024
                    + " MB; give the process at least 192 MB, for example java -Xmx512m -jar observatory.jar");
        }
        MarketOptions.Market simulated = market.market();
        exitWhenMemoryIsOut();
        Installation.Ports ports = portOptions.free();
        if (Console.isTerminal() && System.getProperty(LOG_LEVEL) == null) {
            System.setProperty(LOG_LEVEL, "WARN");
        }
        Progress progress = Console.progress();
        progress.step(Needs.ALL.against(data));
        if (System.getProperty(UNSAFE) == null) {
            progress.step(
                    "the JDK warns of sun.misc.Unsafe, which Kafka uses; start with java @run.options to avoid it");
        }
        SourceOption observed = decided(progress);
        var stopped = new CompletableFuture<@Nullable String>();
        Installation installation =
                Installation.start(observed, DataDirectory.take(data, observed), ports, simulated, progress, Map.of());
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            installation.close();
                            stopped.complete(null);
                        },
                        "stop"));
        progress.step("waiting for the first complete snapshot");
        Future<?> _ =
                installation.firstList().thenAccept(list -> progress.step(announcement(list, observed, ports.http())));
        installation.failure().thenAccept(stopped::complete);
        String failure = stopped.join();
        if (failure == null) {
            return 0;
        }
        // a supervisor restarts a process that has ended; one that stays up and observes nothing is not noticed
        installation.close();
        throw new Stop(failure);
    }

    private static String announcement(FirstSnapshot list, SourceOption observed, Port http) {
        String real = observed instanceof SourceOption.Simulated ? "; SIMULATED, no rate is real" : "";
        return "serving " + list.rows() + " rows of " + list.venues() + " venues at http://localhost:" + http.number()
                + "/api/v1/latest?venues=all" + real;
    }

    private SourceOption decided(Progress progress) throws InterruptedException {
        if (!(exchanges instanceof SourceOption.Auto)) {
            return exchanges;
        }
        if (DataDirectory.exists(data, new SourceOption.Live())) {
            progress.step("observing the live exchanges, as before; --exchanges simulated observes simulated ones");
            return new SourceOption.Live();
        }
        progress.step("probing whether exchanges can be reached from here: " + String.join(" ", LiveProbe.PROBED));
        try (ExchangeAccess live = ExchangeAccess.live()) {
            if (new LiveProbe(live.exchanges()).anyResponds()) {
                progress.step("an exchange responded: observing the live exchanges");
                return new SourceOption.Live();
            }
        }
        progress.step("none responded within 5 s: observing SIMULATED exchanges; no rate is real");
        return new SourceOption.Simulated();
    }

    private static void exitWhenMemoryIsOut() {
        Thread.setDefaultUncaughtExceptionHandler((thread, problem) -> {
            if (problem instanceof OutOfMemoryError) {
                System.err.println("observatory: out of memory in thread " + thread.getName()
                        + "; give the process more, for example java -Xmx1g -jar observatory.jar");
                Runtime.getRuntime().halt(3);
            }
            System.err.println("observatory: thread " + thread.getName() + " failed: " + problem);
        });
    }
}
