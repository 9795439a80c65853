package io.fundingobservatory.gateway.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fundingobservatory.gateway.fixture.Responses;
import io.fundingobservatory.gateway.fixture.RunningGateway;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * HTTP clients that others wrote read every endpoint, each with the codings that it offers by itself, and unpack the same bytes. A client
 * that is not installed is skipped by its name.
 */
class OtherClientsTest {
    private static final long WITHIN_S = 120;

    private final RunningGateway gateway = RunningGateway.serving(60);

    /** A client: how it is found, and how its script runs. */
    enum Client {
        CURL(List.of("curl", "--version"), "sh", "curl.sh"),
        PYTHON_URLLIB(List.of("python3", "-c", "import urllib.request"), "python3", "python-urllib.py"),
        PYTHON_REQUESTS(List.of("python3", "-c", "import requests"), "python3", "python-requests.py"),
        PYTHON_HTTPX(List.of("python3", "-c", "import httpx"), "python3", "python-httpx.py"),
        PYTHON_AIOHTTP(List.of("python3", "-c", "import aiohttp"), "python3", "python-aiohttp.py"),
        NODE_FETCH(List.of("node", "--version"), "node", "node-fetch.mjs"),
        NODE_HTTP(List.of("node", "--version"), "node", "node-http.mjs"),
        GO(List.of("go", "version"), "go run", "client.go");

        private final List<String> found;
        private final String runner;
        private final String script;

        Client(List<String> found, String runner, String script) {
            this.found = found;
            this.runner = runner;
            this.script = script;
        }
    }

    /** Endpoints of the interface, narrow and whole, errors, and every file of the manifest. */
    private List<String> endpoints() {
        Stream<String> files = Stream.concat(
                        Stream.of("/manifest.json"),
                        Responses.json(gateway.get("/manifest.json")).path("files").findValuesAsText("path").stream())
                .distinct();
        return Stream.concat(
                        Stream.of(
                                "/api/v1",
                                "/api/v1/latest",
                                "/api/v1/latest?venues=all",
                                "/api/v1/latest?venues=okx,gate",
                                "/api/v1/latest?assets=C1,C2",
                                "/api/v1/latest?assets=nothing",
                                "/api/v1/latest?x=1",
                                "/api/v1/venues",
                                "/api/v1/carry",
                                "/api/v1/history",
                                "/nowhere"),
                        files)
                .toList();
    }

    private static String line(int status, byte[] body, String endpoint) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(body);
            return status + " " + HexFormat.of().formatHex(digest) + " " + endpoint;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What each endpoint returns without any coding. */
    private List<String> expected() {
        return endpoints().stream()
                .map(endpoint -> {
                    HttpResponse<byte[]> plain = gateway.get(endpoint, "Accept-Encoding", "identity");
                    assertEquals("", Responses.header(plain, "Content-Encoding"));
                    return line(plain.statusCode(), plain.body(), endpoint);
                })
                .toList();
    }

    @ParameterizedTest
    @EnumSource(names = {"PYTHON_URLLIB", "NODE_FETCH"})
    void readsEveryEndpointInItsCodings(Client client) throws Exception {
        reads(client);
    }

    @Tag("nightly")
    @ParameterizedTest
    @EnumSource(
            names = {"PYTHON_URLLIB", "NODE_FETCH"},
            mode = EnumSource.Mode.EXCLUDE)
    void furtherClientsReadEveryEndpoint(Client client) throws Exception {
        reads(client);
    }

    private void reads(Client client) throws Exception {
        installed(run(client.found) != null, client.name());
        var command = new ArrayList<>(List.of(client.runner.split(" ")));
        command.add(Path.of(Objects.requireNonNull(getClass().getResource("/clients/" + client.script))
                        .toURI())
                .toString());
        command.add("http://127.0.0.1:" + gateway.port());
        command.addAll(endpoints());
        String read = run(command);
        assertTrue(read != null, client + " failed");
        assertFalse(read.isBlank());
        assertEquals(expected(), read.lines().distinct().toList(), client + " with each of its codings");
    }

    /** A client that is not installed is skipped; with {@code -Dobservatory.clients.all=true} it fails. */
    private static void installed(boolean there, String client) {
        assertTrue(there || !Boolean.getBoolean("observatory.clients.all"), client + " is not installed");
        assumeTrue(there, client + " is not installed");
    }

    /** What a command prints; null where it is not there or fails, which is printed. */
    private static String run(List<String> command) throws InterruptedException {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            var printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(WITHIN_S, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return null;
            }
            if (process.exitValue() != 0) {
                System.out.println(String.join(" ", command.subList(0, 2)) + ": " + printed);
                return null;
            }
            return printed;
        } catch (IOException e) {
            return null;
        }
    }
}
