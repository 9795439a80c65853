package io.fundingobservatory.gateway.page;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Utils;

/** A real browser without a window, driven over its own debugging protocol. */
final class Browser implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    /** A name that leads to this machine and is not its own. */
    static final String PUBLIC_HOST = "rates.example";

    private static final String LISTENING = "DevTools listening on ";
    private static final Pattern NOT_OF_A_URI = Pattern.compile("[\\\\^`{|}]|%(?![0-9A-Fa-f]{2})");

    private final Process process;
    private final Path profile;
    private final URI debugged;
    private final WebSocket socket;
    private final AtomicInteger turn = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> pending = new ConcurrentHashMap<>();

    /** What the page's console and the browser itself complained about. */
    final List<String> complaints = new CopyOnWriteArrayList<>();

    /** Every address that was requested. */
    final List<URI> requests = new CopyOnWriteArrayList<>();

    private Browser(Process process, Path profile, URI debugged) throws Exception {
        this.process = process;
        this.profile = profile;
        this.debugged = debugged;
        socket = HTTP.newWebSocketBuilder().buildAsync(debugged, new Events()).get(2, TimeUnit.MINUTES);
    }

    private Browser enabled() throws Exception {
        for (String part : List.of("Page", "Runtime", "Log", "Network")) {
            call(part + ".enable", Map.of());
        }
        // A window that is not in front gets no focus and no blur events.
        call("Emulation.setFocusEmulationEnabled", Map.of("enabled", true));
        return this;
    }

    private static URI debugged(int port, String what, String type) throws Exception {
        JsonNode found = JSON.readTree(HTTP.send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/json/" + what))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body());
        for (JsonNode one : found.isArray() ? found : List.of(found)) {
            if (one.path("type").asText().equals(type)) {
                return URI.create(one.path("webSocketDebuggerUrl").asText());
            }
        }
        throw new IllegalStateException("the browser has no " + type + ": " + found);
    }

    /** Opens so many windows, each with a cache and connections of its own, as so many people have. */
    List<Browser> windows(int count) throws Exception {
        var windows = new ArrayList<Browser>();
        var whole = new Browser(process, profile, debugged(debugged.getPort(), "version", ""));
        for (int i = 0; i < count; i++) {
            String context = whole.call("Target.createBrowserContext", Map.of("disposeOnDetach", false))
                    .path("browserContextId")
                    .asText();
            String target = whole.call("Target.createTarget", Map.of("url", "about:blank", "browserContextId", context))
                    .path("targetId")
                    .asText();
            windows.add(new Browser(process, profile, debugged.resolve("/devtools/page/" + target)).enabled());
        }
        return windows;
    }

    /** Closes one of {@link #windows}. */
    void closeWindow() throws Exception {
        call("Page.close", Map.of());
        socket.abort();
    }

    /** The browser that is installed on this machine, if one is. */
    static Optional<Path> installed() {
        return Stream.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
                .flatMap(name -> Stream.of("/usr/bin/" + name, "/usr/local/bin/" + name))
                .map(Path::of)
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Starts one with a profile of its own. */
    static Browser start(Path program) throws Exception {
        Path profile = Files.createTempDirectory("observatory-browser-");
        Process process = new ProcessBuilder(
                        program.toString(),
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-quic",
                        "--no-first-run",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--disable-sync",
                        "--host-resolver-rules=MAP " + PUBLIC_HOST + " 127.0.0.1",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + profile,
                        "about:blank")
                .redirectErrorStream(true)
                .start();
        BufferedReader said = process.inputReader();
        CompletableFuture<Integer> port = new CompletableFuture<>();
        Thread.ofPlatform()
                .daemon()
                .start(() -> said.lines().forEach(line -> {
                    if (line.startsWith(LISTENING)) {
                        port.complete(
                                URI.create(line.substring(LISTENING.length()).strip())
                                        .getPort());
                    }
                }));
        return new Browser(process, profile, debugged(port.get(5, TimeUnit.MINUTES), "list", "page")).enabled();
    }

    /** Goes to an address. */
    void open(URI address) throws Exception {
        open(address.toString());
    }

    /** Opens what is written into the address bar. */
    void open(String address) throws Exception {
        call("Page.navigate", Map.of("url", address));
    }

    /** A browser leaves some characters in a query as they are that a URI has to encode. */
    private static URI uri(String address) {
        return URI.create(NOT_OF_A_URI
                .matcher(address)
                .replaceAll(one -> "%%%02X".formatted((int) one.group().charAt(0))));
    }

    /** What an expression of the page's own language comes to. */
    JsonNode value(String expression) throws Exception {
        JsonNode result =
                call("Runtime.evaluate", Map.of("expression", expression, "returnByValue", true, "awaitPromise", true));
        if (result.has("exceptionDetails")) {
            throw new IllegalStateException(expression + ": " + result.path("exceptionDetails"));
        }
        return result.path("result").path("value");
    }

    String text(String selector) throws Exception {
        return value("document.querySelector('" + selector + "')?.innerText ?? ''")
                .asText();
    }

    /** The text of every cell of a table's body, row by row. */
    List<List<String>> table(String id) throws Exception {
        JsonNode rows = value("[...document.querySelector('#" + id
                + "').tBodies[0].rows].map(row => [...row.cells].map(cell => cell.textContent))");
        var table = new ArrayList<List<String>>();
        rows.forEach(row -> {
            var cells = new ArrayList<String>();
            row.forEach(cell -> cells.add(cell.asText()));
            table.add(cells);
        });
        return table;
    }

    /** Presses and lets go of a key that writes nothing, or Enter. */
    void key(String name, int code) throws Exception {
        for (String way : List.of("keyDown", "keyUp")) {
            ObjectNode event = JSON.createObjectNode()
                    .put("type", way)
                    .put("key", name)
                    .put("code", name)
                    .put("windowsVirtualKeyCode", code);
            if (name.equals("Enter")) {
                event.put("text", "\r");
            }
            call("Input.dispatchKeyEvent", event);
        }
    }

    /** Moves the mouse to the middle of an element and clicks. */
    void click(String selector) throws Exception {
        JsonNode at = value("(({left, top, width, height}) => ({x: left + width / 2, y: top + height / 2}))"
                + "(document.querySelector('" + selector + "').getBoundingClientRect())");
        for (String type : List.of("mouseMoved", "mousePressed", "mouseReleased")) {
            call(
                    "Input.dispatchMouseEvent",
                    Map.of(
                            "type",
                            type,
                            "x",
                            at.path("x").asDouble(),
                            "y",
                            at.path("y").asDouble(),
                            "button",
                            type.equals("mouseMoved") ? "none" : "left",
                            "clickCount",
                            type.equals("mouseMoved") ? 0 : 1));
        }
    }

    void write(String text) throws Exception {
        call("Input.insertText", Map.of("text", text));
    }

    /** How wide and high the window is, and which colours its owner likes. */
    void look(int width, int height, double scale, boolean phone, String colours) throws Exception {
        call(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", scale, "mobile", phone));
        call(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", colours))));
    }

    /** The zone of the machine's clock, such as {@code Asia/Kolkata}. */
    void zone(String name) throws Exception {
        call("Emulation.setTimezoneOverride", Map.of("timezoneId", name));
    }

    /** A picture of the window, in the format of the file's name. */
    void picture(Path file) throws Exception {
        boolean web = file.toString().endsWith(".webp");
        JsonNode taken =
                call("Page.captureScreenshot", web ? Map.of("format", "webp", "quality", 78) : Map.of("format", "png"));
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.write(file, Base64.getDecoder().decode(taken.path("data").asText()));
    }

    /** The bytes that the page's script holds after what nobody needs is collected. */
    long heapBytes() throws Exception {
        call("HeapProfiler.collectGarbage", Map.of());
        return call("Runtime.getHeapUsage", Map.of()).path("usedSize").asLong();
    }

    JsonNode call(String method, Object parameters) throws Exception {
        int id = turn.incrementAndGet();
        var response = new CompletableFuture<JsonNode>();
        pending.put(id, response);
        ObjectNode message = JSON.createObjectNode().put("id", id).put("method", method);
        message.set("params", JSON.valueToTree(parameters));
        socket.sendText(JSON.writeValueAsString(message), true).get(2, TimeUnit.MINUTES);
        return response.get(2, TimeUnit.MINUTES);
    }

    private final class Events implements WebSocket.Listener {
        private final StringBuilder whole = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
            whole.append(data);
            if (last) {
                received(whole.toString());
                whole.setLength(0);
            }
            from.request(1);
            return null;
        }
    }

    private void received(String text) {
        try {
            JsonNode message = JSON.readTree(text);
            CompletableFuture<JsonNode> response =
                    pending.remove(message.path("id").asInt());
            if (response != null) {
                response.complete(message.path("result"));
            }
            switch (message.path("method").asText()) {
                case "Network.requestWillBeSent" ->
                    requests.add(uri(message.at("/params/request/url").asText()));
                case "Log.entryAdded" ->
                    complaints.add(message.at("/params/entry/text").asText());
                case "Runtime.consoleAPICalled" -> {
                    if (message.at("/params/type").asText().matches("error|warning|assert")) {
                        complaints.add(message.at("/params/args").toString());
                    }
                }
                case "Runtime.exceptionThrown" ->
                    complaints.add(message.at("/params/exceptionDetails").toString());
                default -> {}
            }
        } catch (IOException e) {
            complaints.add(e.toString());
        }
    }

    @Override
    public void close() throws IOException {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().onExit().orTimeout(2, TimeUnit.MINUTES).join();
        Utils.delete(profile.toFile());
    }
}
