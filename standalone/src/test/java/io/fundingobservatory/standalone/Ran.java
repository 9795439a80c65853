package io.fundingobservatory.standalone;

import io.fundingobservatory.testbed.FreePort;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;

/** One command line that was run in this process: its exit code and what it wrote. */
public record Ran(int exit, String out, String err) {

    public static Ran observatory(String... args) {
        return of(() -> Observatory.execute(args));
    }

    /** The words of {@code run} with its data in a folder, on ports that no other test has. */
    static String[] wordsOfRun(Path data, String... further) {
        var words = new ArrayList<>(List.of("run", "--data", data.toString()));
        for (String port : List.of("--http-port", "--management-port", "--kafka-port")) {
            words.addAll(List.of(port, Integer.toString(FreePort.next())));
        }
        words.addAll(List.of(further));
        return words.toArray(String[]::new);
    }

    private static synchronized Ran of(IntSupplier run) {
        var out = new ByteArrayOutputStream();
        var err = new ByteArrayOutputStream();
        PrintStream usualOut = System.out;
        PrintStream usualErr = System.err;
        try {
            System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
            System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
            int exit = run.getAsInt();
            return new Ran(exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
        } finally {
            System.setOut(usualOut);
            System.setErr(usualErr);
        }
    }
}
