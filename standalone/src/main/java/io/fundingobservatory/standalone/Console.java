package io.fundingobservatory.standalone;

import io.fundingobservatory.standalone.progress.Progress;
import java.time.InstantSource;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** The standard streams of this process: a terminal, or what a program reads. */
final class Console {
    private Console() {}

    /** Whether a person reads standard output, on a terminal that understands where to write. */
    static boolean isTerminal() {
        // JDK 25 has no console at all where standard input or output is none.
        return Optional.ofNullable(System.console())
                        .filter(java.io.Console::isTerminal)
                        .isPresent()
                && !"dumb".equals(System.getenv("TERM"));
    }

    /** One line with the time of day in UTC. */
    static void say(String line) {
        System.out.println(LocalTime.now(ZoneOffset.UTC).truncatedTo(ChronoUnit.SECONDS) + "Z " + line);
    }

    /** Progress of a start: sentences on a terminal, otherwise JSON. */
    static Progress progress() {
        return new Progress(System.out, InstantSource.system(), isTerminal());
    }
}
