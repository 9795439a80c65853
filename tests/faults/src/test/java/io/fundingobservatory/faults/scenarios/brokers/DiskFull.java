package io.fundingobservatory.faults.scenarios.brokers;

import io.fundingobservatory.faults.invariants.Invariant;
import io.fundingobservatory.faults.process.JavaProcess;
import io.fundingobservatory.faults.process.SmallDisk;
import io.fundingobservatory.faults.scenarios.Fault;
import io.fundingobservatory.faults.scenarios.Installation;
import io.fundingobservatory.faults.scenarios.Played;
import io.fundingobservatory.testbed.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The disk is full: with odd seeds that of the stores, otherwise that of the broker. The service that needs
 * it logs it. With free space again everything continues, and no half-written row is read.
 */
public final class DiskFull implements Fault {
    private static final int STATE_MEGABYTES = 96;
    private static final int BROKER_MEGABYTES = 512;
    private static final Duration FELT_WITHIN = Duration.ofSeconds(60);

    /** What the operating system calls it; every program repeats it. */
    private static final String FULL = "No space left on device";

    @Override
    public String id() {
        return "F15";
    }

    @Override
    public String what() {
        return "disk full for state or for a broker's log";
    }

    @Override
    public Duration recoveryBound() {
        return Duration.ofSeconds(30);
    }

    @Override
    public Layout layout() {
        return Layout.OWN;
    }

    @Override
    public void play(Path folder, long seed, Played played) throws Exception {
        boolean ofStreams = seed % 2 == 1;
        Path mount = folder.resolve("disk");
        try (var disk = SmallDisk.mount(mount, ofStreams ? STATE_MEGABYTES : BROKER_MEGABYTES)) {
            UnaryOperator<JavaProcess.Spec> streams = ofStreams
                    ? spec -> spec.with(
                            "OBSERVATORY_STREAMS_STATE_DIR",
                            mount.resolve("state").toString())
                    : UnaryOperator.identity();
            var plan = new Installation.Plan(
                    1,
                    600,
                    ofStreams ? Map.of() : Map.of(0, mount.resolve("broker")),
                    streams,
                    UnaryOperator.identity(),
                    Map.of(),
                    Installation.Plan.SETTLED);
            try (var on = new Installation(folder, seed, plan)) {
                JavaProcess whose =
                        ofStreams ? on.streams() : on.kafka().brokers().getFirst();
                long used = mount.toFile().getTotalSpace() - disk.left();
                if (ofStreams) {
                    // A running one needs its disk only when a store is flushed; what it cannot do without one is
                    // start.
                    whose.kill();
                    remove(mount.resolve("state"));
                }
                disk.fill();
                if (ofStreams) {
                    whose.restart();
                }
                Await.within(FELT_WITHIN, () -> whose.hasLogged(FULL));
                if (whose.hasLogged(FULL)) {
                    played.fired(whose.name() + " with " + used / 1_000_000 + " MB of "
                            + mount.toFile().getTotalSpace() / 1_000_000);
                }
                Await.within(Duration.ofSeconds(20), () -> !whose.isAlive());
                played.note(whose.name() + (whose.isAlive() ? " lived on; " : " ended; ") + whose.lastLogged(FULL));
                disk.free();
                long since = System.nanoTime();
                if (!whose.isAlive()) {
                    whose.restart();
                }
                if (!on.streams().isAlive()) {
                    on.streams().restart();
                }
                Thread operator = Thread.ofVirtual()
                        .start(() -> ForgottenTransactions.abortWhenReported(on, Duration.ofSeconds(80)));
                played.awaitFlow(on, since);
                operator.interrupt();
                on.settle();
                for (Invariant invariant : on.invariants()) {
                    invariant.violations().forEach(how -> played.wrong(invariant.name() + ": " + how));
                }
            }
        }
    }

    private static void remove(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
