package io.fundingobservatory.faults.scenarios;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;

/**
 * One fault of the catalogue, played on an installation under load.
 *
 * @param id its number in the catalogue
 * @param what is done, in a few words
 * @param recoveryBound within what time everything works again
 * @param brokers of the installation that it shares with other faults; 0 where it makes its own
 * @param repeats how often it is played in a run of one seed
 */
public record Fault(String id, String what, Duration recoveryBound, int brokers, int repeats, Scenario scenario) {
    /** How it is played. */
    public sealed interface Scenario {}

    /** Does it once on a shared installation, and returns when that is as before. Everything left to chance is drawn. */
    @FunctionalInterface
    public non-sealed interface Shared extends Scenario {
        void play(Installation on, Random random, Played played) throws Exception;
    }

    /** Makes an installation in a folder, because it is not as before afterwards, and closes it. */
    @FunctionalInterface
    public non-sealed interface Own extends Scenario {
        void play(Path folder, long seed, Played played) throws Exception;
    }

    /** A fault that shares an installation of so many brokers. */
    public static Fault shared(String id, String what, int boundS, int brokers, int repeats, Shared scenario) {
        return new Fault(id, what, Duration.ofSeconds(boundS), brokers, repeats, scenario);
    }

    /** A fault with an installation of its own. */
    public static Fault own(String id, String what, int boundS, Own scenario) {
        return new Fault(id, what, Duration.ofSeconds(boundS), 0, 1, scenario);
    }
}
