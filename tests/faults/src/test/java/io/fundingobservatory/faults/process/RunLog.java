package io.fundingobservatory.faults.process;

import java.time.LocalTime;
import java.time.temporal.ChronoUnit;

/** What a run prints, with the time of day. */
public final class RunLog {
    private RunLog() {}

    public static void line(String format, Object... values) {
        System.out.println(LocalTime.now().truncatedTo(ChronoUnit.SECONDS) + " " + format.formatted(values));
    }
}
