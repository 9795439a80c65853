package io.fundingobservatory.process;

import io.fundingobservatory.testbed.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

/**
 * A JVM of its own that can be killed, stopped, continued and started again. It ends with this JVM: by a shutdown hook, and where
 * {@code setpriv} is installed also when this JVM is killed, by the kernel.
 */
public final class JavaProcess implements AutoCloseable {
    /** The kernel's parent-death signal follows the thread that started a process, so one thread starts all and never ends. */
    private static final ExecutorService STARTER = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("process-starter").factory());

    private static final Duration STOPS_WITHIN = Duration.ofSeconds(20);
    private static final boolean SETPRIV = Files.isExecutable(Path.of("/usr/bin/setpriv"));
    private static final boolean PRLIMIT = Files.isExecutable(Path.of("/usr/bin/prlimit"));

    /**
     * What is started.
     *
     * @param arguments of the JVM, from its options to those of the program
     * @param descriptors how many files and sockets it may have open; 0 for as many as this JVM
     */
    public record Spec(String name, List<String> arguments, Map<String, String> environment, int descriptors) {
        /** The same with further options of the JVM; a later one of a kind outranks an earlier one. */
        public Spec with(String... options) {
            var all = new ArrayList<>(arguments);
            int program = Math.max(arguments.indexOf("-jar"), arguments.indexOf("-cp"));
            all.addAll(program < 0 ? all.size() : program, List.of(options));
            return new Spec(name, all, environment, descriptors);
        }

        public Spec with(String key, String value) {
            var all = new HashMap<>(environment);
            all.put(key, value);
            return new Spec(name, arguments, Map.copyOf(all), descriptors);
        }

        public Spec named(String other) {
            return new Spec(other, arguments, environment, descriptors);
        }

        public Spec withDescriptors(int most) {
            return new Spec(name, arguments, environment, most);
        }
    }

    private final Spec spec;
    private final Path log;
    private volatile Process process;

    private JavaProcess(Spec spec, Path folder) {
        this.spec = spec;
        this.log = folder.resolve(spec.name() + ".log");
        try {
            Files.createDirectories(folder);
            Files.deleteIfExists(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.process = launch();
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(() -> process.destroyForcibly()));
    }

    /** Starts it; what it prints goes to {@code <name>.log} in a folder. */
    public static JavaProcess start(Spec spec, Path logs) {
        return new JavaProcess(spec, logs);
    }

    private Process launch() {
        var command = new ArrayList<String>();
        if (spec.descriptors() > 0) {
            if (!PRLIMIT) {
                throw new IllegalStateException("prlimit is needed for a limit of descriptors");
            }
            command.add("/usr/bin/prlimit");
            command.add("--nofile=" + spec.descriptors() + ":" + spec.descriptors());
        }
        if (SETPRIV) {
            command.addAll(List.of("/usr/bin/setpriv", "--pdeathsig", "KILL"));
        }
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(spec.arguments());
        var builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(spec.environment());
        return CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                return builder.start();
                            } catch (IOException e) {
                                throw new UncheckedIOException(e);
                            }
                        },
                        STARTER)
                .join();
    }

    public String name() {
        return spec.name();
    }

    public Spec spec() {
        return spec;
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** SIGKILL; returns when it is gone. */
    public void kill() {
        process.destroyForcibly();
        awaitEnd(STOPS_WITHIN);
    }

    /** SIGTERM; returns when it is gone, killed after 20 s. */
    public void terminate() {
        terminate(STOPS_WITHIN);
    }

    /** SIGTERM; returns its exit code when it is gone, killed after so long. */
    public int terminate(Duration patience) {
        process.destroy();
        awaitEnd(patience);
        return process.exitValue();
    }

    private void awaitEnd(Duration patience) {
        try {
            if (!process.waitFor(patience)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Starts it again as it was, after its end. */
    public void restart() {
        if (process.isAlive()) {
            throw new IllegalStateException(spec.name() + " is still running");
        }
        process = launch();
    }

    /**
     * Sends SIGSTOP: the process freezes and its connections stay open. Returns when the kernel reports it as
     * stopped.
     */
    public void stop() {
        signal("STOP");
        try {
            if (!Await.within(Duration.ofSeconds(5), () -> status("State:").startsWith("T"))) {
                throw new IllegalStateException(spec.name() + " did not stop: " + status("State:"));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** SIGCONT. */
    public void resume() {
        signal("CONT");
    }

    private void signal(String signal) {
        try {
            int code = new ProcessBuilder("kill", "-" + signal, Long.toString(pid()))
                    .start()
                    .waitFor();
            if (code != 0) {
                throw new IllegalStateException("kill -" + signal + " " + pid() + " said " + code);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Resident memory in kB. */
    public long residentKb() {
        return number(status("VmRSS:"));
    }

    public long threads() {
        return number(status("Threads:"));
    }

    public long descriptors() {
        try (Stream<Path> open = Files.list(Path.of("/proc/" + pid() + "/fd"))) {
            return open.count();
        } catch (IOException e) {
            return -1;
        }
    }

    private String status(String field) {
        try (Stream<String> lines = Files.lines(Path.of("/proc/" + pid() + "/status"))) {
            return lines.filter(line -> line.startsWith(field))
                    .map(line -> line.substring(field.length()).strip())
                    .findFirst()
                    .orElse("");
        } catch (IOException | UncheckedIOException e) {
            return "";
        }
    }

    private static long number(String text) {
        String digits = text.replaceAll("\\D", "");
        return digits.isEmpty() ? -1 : Long.parseLong(digits);
    }

    /** The lines with these words that it has printed since it was first started. */
    public List<String> logged(String words) {
        try (Stream<String> lines = Files.lines(log, StandardCharsets.ISO_8859_1)) {
            return lines.filter(line -> line.contains(words)).toList();
        } catch (IOException | UncheckedIOException e) {
            return List.of();
        }
    }

    public boolean hasLogged(String words) {
        return !logged(words).isEmpty();
    }

    /** The last line with these words; empty for none. */
    public String lastLogged(String words) {
        List<String> lines = logged(words);
        return lines.isEmpty() ? "" : lines.getLast();
    }

    public int countLogged(String words) {
        return logged(words).size();
    }

    @Override
    public void close() {
        kill();
    }
}
