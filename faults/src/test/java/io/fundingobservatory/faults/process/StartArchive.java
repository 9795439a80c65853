package io.fundingobservatory.faults.process;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The archive of classes that a service's image has (JEP 514), made as the image's build makes it ({@code deploy/image/train}): of one
 * start without a broker, up to the moment at which the management port answers. A start with it takes about half the time.
 */
final class StartArchive {
    private static final Duration ALIVE = Duration.ofSeconds(60);
    private static final Map<String, Path> MADE = new ConcurrentHashMap<>();

    private StartArchive() {}

    /**
     * The archive of a module; made when it is first asked for, and once for each jar.
     *
     * @param start the service without an archive, configured for a broker that is not there
     */
    static Path of(String module, Path jar, JavaProcess.Spec start) {
        return MADE.computeIfAbsent(module, name -> {
            Path archive = Path.of("target", name + ".aot").toAbsolutePath();
            try {
                if (!Files.exists(archive)
                        || Files.getLastModifiedTime(archive).compareTo(Files.getLastModifiedTime(jar)) < 0) {
                    Files.deleteIfExists(archive);
                    make(start.with("-XX:AOTCacheOutput=" + archive));
                }
            } catch (IOException e) {
                throw new IllegalStateException("no archive of " + name, e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
            if (!Files.exists(archive)) {
                throw new IllegalStateException("the start of " + name + " left no " + archive);
            }
            return archive;
        });
    }

    private static void make(JavaProcess.Spec start) throws IOException, InterruptedException {
        Path folder = Files.createDirectories(Path.of("target", "archives").toAbsolutePath());
        try (var process = JavaProcess.start(start, folder);
                var client = HttpClient.newHttpClient()) {
            for (String page : List.of("/health/liveness", "/health/readiness", "/prometheus")) {
                var request = HttpRequest.newBuilder(URI.create(
                                "http://127.0.0.1:" + start.environment().get(Services.MANAGEMENT_PORT) + page))
                        .build();
                Await.until(ALIVE, () -> !process.isAlive() || answers(client, request));
            }
            // The JVM writes the archive when it ends, and is given as long as that takes.
            process.terminate();
        }
    }

    private static boolean answers(HttpClient client, HttpRequest request) throws InterruptedException {
        try {
            client.send(request, BodyHandlers.discarding());
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
