package io.fundingobservatory.standalone;

import io.fundingobservatory.standalone.terminal.Stop;
import io.fundingobservatory.testbed.sim.server.Realism;
import io.fundingobservatory.testbed.sim.server.SimulatedExchanges;
import io.fundingobservatory.testbed.sim.venues.Wires;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The simulated exchanges alone, for services that run elsewhere: {@code observatory.ingest.exchanges=simulated:http://HOST:PORT}. */
@Command(
        name = "simulate",
        mixinStandardHelpOptions = true,
        description = {
            "Runs the simulated exchanges alone, for ingest processes that run elsewhere with",
            "OBSERVATORY_INGEST_EXCHANGES=simulated:http://HOST:PORT."
        })
final class SimulateCommand implements Callable<Integer> {
    @Option(
            names = "--bind",
            paramLabel = "ADDRESS",
            description = "The address to listen on; default: ${DEFAULT-VALUE}.")
    private String bind = "127.0.0.1";

    @Option(names = "--port", paramLabel = "N", description = "The port to listen on; default: ${DEFAULT-VALUE}.")
    private int port = 8090;

    @Mixin
    private MarketOptions market = new MarketOptions();

    @Option(
            names = "--strict",
            description = "Enforce published limits, delay responses, and differ as real exchanges do.")
    private boolean strict;

    @Override
    public Integer call() throws InterruptedException {
        MarketOptions.Market simulated = market.market();
        Realism realism = simulated.like(strict ? Realism.STRICT : Realism.LENIENT);
        var stopped = new CountDownLatch(1);
        try (var exchanges =
                SimulatedExchanges.start(bind, port, simulated.seed(), InstantSource.system(), Wires.all(), realism)) {
            Console.say("simulated exchanges at " + exchanges.baseUrl() + ", bound to " + bind
                    + "; no rate of theirs is real");
            Runtime.getRuntime().addShutdownHook(new Thread(stopped::countDown, "stop"));
            stopped.await();
            return 0;
        } catch (UncheckedIOException e) {
            throw new Stop("the simulated exchanges cannot listen on " + bind + ":" + port);
        }
    }
}
