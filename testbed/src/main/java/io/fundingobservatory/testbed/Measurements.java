package io.fundingobservatory.testbed;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs measurements one after another, each in a JVM of its own with the options of this one, and fails with the first that fails. */
public final class Measurements {
    private Measurements() {}

    /**
     * Runs them.
     *
     * @param mains names of classes on this class path
     */
    public static void main(String... mains) throws IOException, InterruptedException {
        for (String main : mains) {
            System.out.println("== " + main);
            var command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString()));
            command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
            command.addAll(List.of("-cp", System.getProperty("java.class.path"), main));
            int exit = new ProcessBuilder(command).inheritIO().start().waitFor();
            if (exit != 0) {
                System.exit(exit);
            }
        }
    }
}
