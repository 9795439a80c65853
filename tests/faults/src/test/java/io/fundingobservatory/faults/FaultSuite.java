package io.fundingobservatory.faults;

import io.fundingobservatory.faults.scenarios.Fault;
import io.fundingobservatory.faults.scenarios.Installation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The whole catalogue, or a soak, from the command line; prints what each fault came to and ends with 1 if anything was broken.
 *
 * <pre>
 * [--seeds 10] [--seed 1] [--only F1,F5] [--slack 1]     each fault with so many seeds from the first on;
 *     [--repeats 5]                                       at most so often for each seed
 *     [--settled 18]                                      with 32 days of settlements of so many contracts
 * soak [--seed 1] [--hours 2]                            random faults one after the other on one installation
 * topics --brokers host:port                              computes again what an installation has on its topics
 * topics --data directory                                 the same of the embedded broker of a stopped installation
 * planted                                                 bugs in running services, each of which must be found
 * </pre>
 */
public final class FaultSuite {
    private FaultSuite() {}

    public static void main(String[] args) throws Exception {
        var options = new ArrayList<>(Arrays.asList(args));
        boolean soak = options.remove("soak");
        if (options.remove("topics")) {
            String data = option(options, "--data", "");
            String brokers = option(options, "--brokers", "127.0.0.1:9092");
            System.exit((data.isEmpty() ? TopicsCheck.of(brokers) : TopicsCheck.of(Path.of(data))) ? 0 : 1);
        }
        boolean planted = options.remove("planted");
        long seed = Long.parseLong(option(options, "--seed", "1"));
        int seeds = Integer.parseInt(option(options, "--seeds", "10"));
        double hours = Double.parseDouble(option(options, "--hours", "2"));
        double slack = Double.parseDouble(option(options, "--slack", "1"));
        int settled = Integer.parseInt(option(options, "--settled", "" + Installation.Plan.SETTLED));
        int repeats = Integer.parseInt(option(options, "--repeats", "5"));
        List<String> only = List.of(option(options, "--only", "").split(","));
        if (!options.isEmpty()) {
            throw new IllegalArgumentException("unknown: " + options);
        }
        List<Fault> faults = Catalogue.ALL.stream()
                .filter(fault -> only.equals(List.of("")) || only.contains(fault.id()))
                .toList();
        Path folder = Path.of("target", "faults").toAbsolutePath();
        if (planted) {
            System.exit(new PlantedRuns(folder).play() ? 0 : 1);
        }
        var suite = new Suite(folder, slack).repeating(repeats).settling(settled);
        boolean held = soak
                ? new Soak(folder, slack).play(seed, Duration.ofMillis((long) (hours * 3_600_000)))
                : suite.play(faults, seed, seeds);
        System.exit(held ? 0 : 1);
    }

    private static String option(List<String> options, String name, String otherwise) {
        int at = options.indexOf(name);
        if (at < 0) {
            return otherwise;
        }
        options.remove(at);
        return options.remove(at);
    }
}
