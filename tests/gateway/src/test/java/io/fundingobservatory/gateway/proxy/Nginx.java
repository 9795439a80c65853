package io.fundingobservatory.gateway.proxy;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fundingobservatory.testbed.Await;
import io.fundingobservatory.testbed.Checkout;
import io.fundingobservatory.testbed.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * nginx with the shipped file, unchanged. Only what is different in each place comes from here: upstreams, the
 * path of the cache, and ports.
 */
final class Nginx implements AutoCloseable {
    private static final Path SHIPPED = Checkout.ROOT.resolve("deploy/nginx");

    private final Process process;
    private final Path dir;
    private final int port;
    private final int tlsPort;

    private Nginx(Process process, Path dir, int port, int tlsPort) {
        this.process = process;
        this.dir = dir;
        this.port = port;
        this.tlsPort = tlsPort;
    }

    /** In front of gateways on these ports of this machine; a test is skipped where nginx is not installed. */
    static Nginx before(Path dir, int... gateways) throws IOException {
        assumeTrue(isInstalled(), "nginx is not installed");
        // Below the ports of outgoing connections: one of these may take a port while nginx starts.
        int port = FreePort.next();
        int tlsPort = FreePort.next();
        Files.createDirectories(dir.resolve("site"));
        Files.createDirectories(dir.resolve("tls"));
        Files.copy(SHIPPED.resolve("gateway.conf"), dir.resolve("gateway.conf"));
        Files.writeString(dir.resolve("nginx.conf"), main(dir));
        String cluster = Files.readString(SHIPPED.resolve("cluster/http.conf"));
        String server = line(cluster, "    server gateway-1:8080 resolve ");
        Files.writeString(
                dir.resolve("site/http.conf"),
                line(cluster, "proxy_cache_path").replace("/tmp/answers", dir + "/answers")
                        + "upstream gateways {\n"
                        + IntStream.of(gateways)
                                .mapToObj(gateway -> server.replace("gateway-1:8080 resolve", "127.0.0.1:" + gateway))
                                .collect(Collectors.joining())
                        + line(cluster, "    keepalive ")
                        + "}\n");
        Files.writeString(dir.resolve("site/server.conf"), "listen 127.0.0.1:" + port + ";\n");
        var made = new ProcessBuilder(
                        "openssl",
                        "req",
                        "-x509",
                        "-newkey",
                        "ec",
                        "-pkeyopt",
                        "ec_paramgen_curve:prime256v1",
                        "-nodes",
                        "-days",
                        "2",
                        "-subj",
                        "/CN=localhost",
                        "-keyout",
                        dir.resolve("tls/tls.key").toString(),
                        "-out",
                        dir.resolve("tls/tls.crt").toString())
                .redirectErrorStream(true)
                .redirectOutput(dir.resolve("openssl.log").toFile())
                .start();
        if (join(made) != 0) {
            throw new IOException("no certificate: " + Files.readString(dir.resolve("openssl.log")));
        }
        Files.writeString(
                dir.resolve("site/server-tls.conf"),
                Files.readString(SHIPPED.resolve("server-tls.conf")).replace("8443", "127.0.0.1:" + tlsPort));
        Process process = new ProcessBuilder("nginx", "-p", dir.toString(), "-c", dir + "/nginx.conf")
                .redirectErrorStream(true)
                .redirectOutput(dir.resolve("nginx.log").toFile())
                .start();
        var nginx = new Nginx(process, dir, port, tlsPort);
        Await.until("nginx listens", nginx::listens);
        return nginx;
    }

    private static boolean isInstalled() {
        return List.of(System.getenv("PATH").split(":")).stream()
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "nginx")));
    }

    /** What the image has in its main file, with paths below the test's own directory. */
    private static String main(Path dir) {
        var lines = new ArrayList<String>(List.of("daemon off;", "pid nginx.pid;", "error_log nginx.log warn;"));
        if (System.getProperty("user.name").equals("root")) {
            lines.add("user root;");
        }
        lines.add("events { worker_connections 1024; }");
        lines.add("http {\n    access_log off;");
        for (String body : List.of("client_body", "proxy", "fastcgi", "uwsgi", "scgi")) {
            lines.add("    " + body + "_temp_path " + dir + "/" + body + ";");
        }
        lines.add("    include gateway.conf;\n}\n");
        return String.join("\n", lines);
    }

    /** The line of a configuration that begins so. */
    private static String line(String configuration, String beginning) {
        return configuration
                        .lines()
                        .filter(line -> line.startsWith(beginning))
                        .findFirst()
                        .orElseThrow()
                + "\n";
    }

    private boolean listens() {
        if (!process.isAlive()) {
            throw new AssertionError("nginx ended: " + log());
        }
        try {
            connect("127.0.0.1").close();
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    String log() {
        try {
            return Files.readString(dir.resolve("nginx.log"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A connection from an address of this machine: one client of the proxy. */
    Socket connect(String from) throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), port, InetAddress.getByName(from), 0);
    }

    int port() {
        return port;
    }

    int tlsPort() {
        return tlsPort;
    }

    private static int join(Process process) {
        try {
            return process.waitFor();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        process.destroy();
        join(process);
    }
}
