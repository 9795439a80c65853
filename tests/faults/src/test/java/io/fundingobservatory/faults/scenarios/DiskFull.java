package io.fundingobservatory.faults.scenarios;

import io.fundingobservatory.faults.process.SmallDisk;
import io.fundingobservatory.process.JavaProcess;
import io.fundingobservatory.testbed.Await;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.common.utils.Utils;

/**
 * The disk is full: with odd seeds that of the stores, otherwise that of the broker. The service that needs
 * it logs it. With free space again everything continues, and no half-written row is read.
 */
public final class DiskFull {
    private static final int STATE_MEGABYTES = 96;
    private static final int BROKER_MEGABYTES = 512;

    /** What the operating system calls it; every program repeats it. */
    private static final String FULL = "No space left on device";

    private DiskFull() {}

    public static void play(Path folder, long seed, Played played) throws Exception {
        boolean ofStreams = seed % 2 == 1;
        Path mount = folder.resolve("disk");
        Path state = mount.resolve("state");
        try (var disk = SmallDisk.mount(mount, ofStreams ? STATE_MEGABYTES : BROKER_MEGABYTES)) {
            var usual = Installation.Plan.of(1);
            var plan = ofStreams
                    ? usual.streams(spec -> spec.with("OBSERVATORY_STREAMS_STATE_DIR", state.toString()))
                    : usual.disks(List.of(mount.resolve("broker")));
            try (var on = new Installation(folder, seed, plan)) {
                JavaProcess whose =
                        ofStreams ? on.streams() : on.kafka().brokers().getFirst();
                long size = mount.toFile().getTotalSpace();
                long used = size - disk.left();
                if (ofStreams) {
                    // A running one needs its disk only when a store is flushed. Without one it cannot start.
                    whose.kill();
                    Utils.delete(state.toFile());
                }
                disk.fill();
                if (ofStreams) {
                    whose.restart();
                }
                if (Await.within(Duration.ofSeconds(60), () -> whose.hasLogged(FULL))) {
                    played.fired(whose.name() + " with " + used / 1_000_000 + " MB of " + size / 1_000_000);
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
                played.awaitFlow(on, since);
                on.settle();
                played.check(on.invariants());
            }
        }
    }
}
