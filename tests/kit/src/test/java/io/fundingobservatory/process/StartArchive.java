package io.fundingobservatory.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The archive of classes and method profiles in a service's image (JEP 514 and 515). The script of the image
 * makes it ({@code deploy/image/train}) from a run against simulated venues. A start with it takes a third of
 * the time.
 */
final class StartArchive {
    private static final long WITHIN_MINUTES = 30;
    private static final Map<String, Path> MADE = new ConcurrentHashMap<>();

    private StartArchive() {}

    /**
     * The archive of a module. The first call makes it, again once any of its jars is newer.
     *
     * @param root the project's
     * @param options of the JVM, as its image has them
     */
    static Path of(Path root, String module, Path jar, Path options) {
        return MADE.computeIfAbsent(module, name -> {
            Path archive = Path.of("target", name + ".aot").toAbsolutePath();
            try {
                if (!isNewest(archive, jar)) {
                    Files.deleteIfExists(archive);
                    make(root, module, jar, options, archive);
                }
            } catch (IOException e) {
                throw new IllegalStateException("no archive of " + name, e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
            return archive;
        });
    }

    /** A JVM refuses the archive if any jar of the service is newer. */
    private static boolean isNewest(Path archive, Path jar) throws IOException {
        try (Stream<Path> jars = Files.walk(jar.resolveSibling("lib"))) {
            return Stream.concat(Stream.of(jar), jars)
                    .allMatch(file ->
                            file.toFile().lastModified() <= archive.toFile().lastModified());
        }
    }

    private static void make(Path root, String module, Path jar, Path options, Path archive)
            throws IOException, InterruptedException {
        Path observatory = root.resolve("standalone/target/observatory.jar");
        if (!Files.isRegularFile(observatory)) {
            throw new IllegalStateException("mvn package makes " + observatory);
        }
        Path log = Path.of("target", module + "-archive.log").toAbsolutePath();
        var command = List.of(
                root.resolve("deploy/image/train").toString(),
                module,
                jar.toString(),
                options.toString(),
                archive.toString(),
                observatory.toString());
        var builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment()
                .merge(
                        "PATH",
                        Path.of(System.getProperty("java.home"), "bin").toString(),
                        (path, jdk) -> jdk + ":" + path);
        builder.environment().put("MALLOC_ARENA_MAX", "2");
        Process training = builder.start();
        if (!training.waitFor(WITHIN_MINUTES, TimeUnit.MINUTES)) {
            training.destroy();
        }
        if (training.waitFor() != 0 || !Files.exists(archive)) {
            throw new IllegalStateException("no archive of " + module + ", see " + log);
        }
    }
}
