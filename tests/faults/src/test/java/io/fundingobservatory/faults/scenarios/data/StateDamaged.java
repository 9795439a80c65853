package io.fundingobservatory.faults.scenarios.data;

import io.fundingobservatory.faults.scenarios.Fault;
import io.fundingobservatory.faults.scenarios.Installation;
import io.fundingobservatory.faults.scenarios.Played;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** Between a clean stop and the next start files of the stores are cut in half, filled with zeros, or gone. */
public final class StateDamaged implements Fault {
    private enum Damage {
        CUT,
        ZEROED,
        GONE
    }

    @Override
    public String id() {
        return "F14";
    }

    @Override
    public String what() {
        return "state directory cut, zeroed or emptied";
    }

    @Override
    public Duration recoveryBound() {
        return Duration.ofSeconds(10);
    }

    @Override
    public int repeats() {
        return 3;
    }

    @Override
    public void play(Installation on, Random random, Played played) throws Exception {
        on.streams().terminate();
        Damage damage = Damage.values()[random.nextInt(3)];
        List<Path> files = stores(on.folder().resolve(Installation.STREAMS));
        int damaged = 0;
        for (Path file : files) {
            if (Files.size(file) > 1 && random.nextInt(3) > 0) {
                damage(file, damage);
                damaged++;
            }
        }
        if (damaged > 0) {
            played.fired(damaged + " of " + files.size() + " files " + damage);
        }
        long since = System.nanoTime();
        on.streams().restart();
        played.awaitFlow(on, since);
    }

    private static List<Path> stores(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.filter(Files::isRegularFile)
                    .filter(file -> !file.getFileName().toString().equals(".lock"))
                    .sorted()
                    .toList();
        }
    }

    private static void damage(Path file, Damage damage) throws IOException {
        switch (damage) {
            case CUT -> {
                byte[] bytes = Files.readAllBytes(file);
                Files.write(file, java.util.Arrays.copyOf(bytes, bytes.length / 2));
            }
            case ZEROED -> Files.write(file, new byte[(int) Files.size(file)]);
            case GONE -> Files.delete(file);
        }
    }
}
