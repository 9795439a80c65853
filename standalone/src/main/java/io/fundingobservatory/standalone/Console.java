package io.fundingobservatory.standalone;

import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/** What the person who started the program sees of it. */
final class Console {
    private Console() {}

    /** One line of progress, with the time of day in UTC. */
    static void say(String line) {
        System.out.println(LocalTime.now(ZoneOffset.UTC).truncatedTo(ChronoUnit.SECONDS) + "Z " + line);
    }
}
