package io.fundingobservatory.faults.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A JVM of its own that can be killed, stopped, continued and started again. It ends with this JVM: by a shutdown hook, and where
 * {@code setpriv} is installed also when this JVM is killed, by the kernel.
 */
public final class JavaProcess implements AutoCloseable {
    /** The kernel's parent-death signal follows the thread that started a process, so one thread starts all and never ends. */
    private static final ExecutorService STARTER = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("process-starter").factory());

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
            var arguments = new ArrayList<String>();
            int program = firstOfProgram();
            arguments.addAll(this.arguments.subList(0, program));
            arguments.addAll(List.of(options));
            arguments.addAll(this.arguments.subList(program, this.arguments.size()));
            return new Spec(name, arguments, environment, descriptors);
        }

        private int firstOfProgram() {
            for (int i = 0; i < arguments.size(); i++) {
                if (arguments.get(i).equals("-jar") || arguments.get(i).equals("-cp")) {
                    return i;
                }
            }
            return arguments.size();
        }

        public Spec with(String key, String value) {
            var all = new java.util.HashMap<>(environment);
            all.put(key, value);
            return new Spec(name, arguments, Map.copyOf(all), descriptors);
        }

        public Spec withDescriptors(int most) {
            return new Spec(name, arguments, environment, most);
        }
    }

    private final Spec spec;
    private final Path log;
    private volatile Process process;
    private volatile boolean stopped;

    private JavaProcess(Spec spec, Path folder) {
        this.spec = spec;
        this.log = folder.resolve(spec.name() + ".log");
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
                                Files.createDirectories(log.getParent());
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
        awaitEnd();
        stopped = false;
    }

    /** SIGTERM; returns when it is gone, killed after 20 s. */
    public void terminate() {
        process.destroy();
        awaitEnd();
    }

    private void awaitEnd() {
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
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
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
        while (!state().startsWith("T") && System.nanoTime() < until) {
            Thread.onSpinWait();
        }
        if (!state().startsWith("T")) {
            throw new IllegalStateException(spec.name() + " did not stop: " + state());
        }
        stopped = true;
    }

    /** SIGCONT. */
    public void resume() {
        signal("CONT");
        stopped = false;
    }

    public boolean isStopped() {
        return stopped;
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

    private String state() {
        return status("State:");
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

    /** Whether it has printed a line with these words since it was first started. */
    public boolean hasLogged(String words) {
        try (Stream<String> lines = Files.lines(log, java.nio.charset.StandardCharsets.ISO_8859_1)) {
            return lines.anyMatch(line -> line.contains(words));
        } catch (IOException | UncheckedIOException e) {
            return false;
        }
    }

    /** The last line with these words; empty for none. */
    public String lastLogged(String words) {
        try (Stream<String> lines = Files.lines(log, java.nio.charset.StandardCharsets.ISO_8859_1)) {
            return lines.filter(line -> line.contains(words))
                    .reduce((earlier, later) -> later)
                    .orElse("");
        } catch (IOException | UncheckedIOException e) {
            return "";
        }
    }

    public int countLogged(String words) {
        try (Stream<String> lines = Files.lines(log, java.nio.charset.StandardCharsets.ISO_8859_1)) {
            return (int) lines.filter(line -> line.contains(words)).count();
        } catch (IOException | UncheckedIOException e) {
            return 0;
        }
    }

    @Override
    public void close() {
        kill();
    }
}
