package io.fundingobservatory.faults.scenarios;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;

/** One fault of the catalogue, played on an installation under load. */
public interface Fault {
    /** Its number in the catalogue. */
    String id();

    /** What is done, in a few words. */
    String what();

    /** Within what time everything works again. */
    Duration recoveryBound();

    /** What it is played on. */
    default Layout layout() {
        return Layout.ONE_BROKER;
    }

    /** How often it is played in a run of one seed. */
    default int repeats() {
        return 1;
    }

    /**
     * Does it once, and returns when the installation is as before.
     *
     * @param random everything that is left to chance
     */
    default void play(Installation on, Random random, Played played) throws Exception {
        throw new UnsupportedOperationException(id() + " has an installation of its own");
    }

    /** The same for {@link Layout#OWN}: makes its installation in a folder, and closes it. */
    default void play(Path folder, long seed, Played played) throws Exception {
        throw new UnsupportedOperationException(id() + " shares an installation");
    }

    /** Kinds of installations. */
    enum Layout {
        ONE_BROKER(1),
        THREE_BROKERS(3),
        /** An installation of its own, because it is not as before afterwards. */
        OWN(0);

        private final int brokers;

        Layout(int brokers) {
            this.brokers = brokers;
        }

        /** Number of brokers; 0 for {@link #OWN}, which chooses it itself. */
        public int brokers() {
            return brokers;
        }
    }
}
