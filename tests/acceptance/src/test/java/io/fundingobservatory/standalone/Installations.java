package io.fundingobservatory.standalone;

import io.fundingobservatory.standalone.exchanges.SourceOption;
import io.fundingobservatory.standalone.progress.Progress;
import io.fundingobservatory.testbed.sim.server.Realism;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;

/**
 * Installations of tests, which may run at the same time: each has its own settings and prints nothing on
 * standard output.
 */
final class Installations {
    private static final MarketOptions.Market SMALL = new MarketOptions.Market(1, Realism.SMALL.contracts());

    private Installations() {}

    /**
     * The simulated ones are those of seed 1, with a few contracts each ({@link Realism#SMALL}).
     *
     * @param data what an earlier one has left there is gone on with
     * @param settings settings of the services by their names
     */
    static Installation start(SourceOption exchanges, Path data, Installation.Ports ports, Map<String, Object> settings)
            throws InterruptedException {
        Map<String, Object> all = new HashMap<>(settings);
        // The tests send far more requests than one client may.
        all.put("observatory.gateway.traffic.exempt", "127.0.0.1");
        var silent = new Progress(new PrintStream(OutputStream.nullOutputStream()), InstantSource.system(), true);
        return Installation.start(exchanges, DataDirectory.take(data, exchanges), ports, SMALL, silent, all);
    }

    /** Which venues are polled, and how often. */
    static Map<String, Object> polling(String venues, String every) {
        return Map.of("observatory.ingest.venues", venues, "observatory.ingest.poll-interval", every);
    }
}
