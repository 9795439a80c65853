package io.fundingobservatory.testbed.broker;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Requests from the Docker engine of this machine, in milliseconds and without a client library, whether it is there and has an image. */
final class DockerEngine {
    private static final Duration RESPONSE_WITHIN = Duration.ofSeconds(2);
    private static final Duration PULL = Duration.ofSeconds(90);

    private final SocketAddress address;

    private DockerEngine(SocketAddress address) {
        this.address = address;
    }

    /** The engine that {@code DOCKER_HOST} names, else the local one; null when none responds. */
    static @Nullable DockerEngine find(Map<String, String> environment) {
        SocketAddress address = address(environment.get("DOCKER_HOST"));
        if (address == null) {
            return null;
        }
        var engine = new DockerEngine(address);
        return engine.send("GET", "/_ping", RESPONSE_WITHIN).startsWith("HTTP/1.1 200") ? engine : null;
    }

    /** Whether the image is there or could be pulled. */
    boolean provides(String image, String tag) {
        String present = "/images/" + image + ":" + tag + "/json";
        if (send("GET", present, RESPONSE_WITHIN).startsWith("HTTP/1.1 200")) {
            return true;
        }
        send("POST", "/images/create?fromImage=" + image + "&tag=" + tag, PULL);
        return send("GET", present, RESPONSE_WITHIN).startsWith("HTTP/1.1 200");
    }

    private static @Nullable SocketAddress address(@Nullable String dockerHost) {
        if (dockerHost == null || dockerHost.startsWith("unix://")) {
            Path socket =
                    Path.of(dockerHost == null ? "/var/run/docker.sock" : dockerHost.substring("unix://".length()));
            return Files.exists(socket) ? UnixDomainSocketAddress.of(socket) : null;
        }
        URI uri = URI.create(dockerHost);
        return uri.getHost() == null
                ? null
                : new InetSocketAddress(uri.getHost(), uri.getPort() < 0 ? 2375 : uri.getPort());
    }

    /** The whole response, status line first; empty when the engine does not respond in time. */
    private String send(String method, String path, Duration deadline) {
        var response = new CompletableFuture<String>();
        Thread requesting = Thread.ofVirtual().start(() -> response.complete(exchange(method, path)));
        try {
            return response.get(deadline.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            return "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        } finally {
            requesting.interrupt();
        }
    }

    private String exchange(String method, String path) {
        var family =
                address instanceof UnixDomainSocketAddress ? StandardProtocolFamily.UNIX : StandardProtocolFamily.INET;
        try (var channel = SocketChannel.open(family)) {
            channel.connect(address);
            String request =
                    method + " " + path + " HTTP/1.1\r\nHost: docker\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
            channel.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)));
            var buffer = ByteBuffer.allocate(8_192);
            var head = new StringBuilder();
            while (channel.read(buffer.clear()) >= 0) {
                if (head.length() < buffer.capacity()) {
                    head.append(StandardCharsets.ISO_8859_1.decode(buffer.flip()));
                }
            }
            return head.toString();
        } catch (IOException e) {
            return "";
        }
    }
}
