package io.fundingobservatory.ingest.client;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Responds to every connection with bytes of the test's choosing, however wrong, and records the requests. */
final class MisbehavingServer implements AutoCloseable {
    /** Writes a response; it ends when it returns or when the client goes away. */
    interface Behaviour {
        void write(OutputStream out) throws IOException, InterruptedException;
    }

    private static final Pattern LENGTH = Pattern.compile("(?i)\r\ncontent-length: *(\\d+)");

    private final ServerSocket listening;
    private final List<String> requested = new CopyOnWriteArrayList<>();
    private final Semaphore requests = new Semaphore(0);
    private final Semaphore brokenOff = new Semaphore(0);
    private volatile Behaviour response = out -> {};

    MisbehavingServer() throws IOException {
        listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    String base() {
        return "http://127.0.0.1:" + listening.getLocalPort();
    }

    void response(Behaviour next) {
        response = next;
    }

    /** A whole response with a body of text. */
    void response(String statusAndHeaders, String body) {
        response(statusAndHeaders, body.getBytes(StandardCharsets.UTF_8));
    }

    void response(String statusAndHeaders, byte[] body) {
        response(out -> {
            head(out, statusAndHeaders + "\r\nContent-Length: " + body.length);
            out.write(body);
        });
    }

    static void head(OutputStream out, String statusAndHeaders) throws IOException {
        out.write(("HTTP/1.1 " + statusAndHeaders + "\r\nConnection: close\r\n\r\n")
                .getBytes(StandardCharsets.ISO_8859_1));
        out.flush();
    }

    /** The requests so far, each with its head and its body. */
    List<String> requested() {
        return requested;
    }

    /** Waits for the next request, whose head has been read then; false when none comes within so long. */
    boolean isRequestedWithin(Duration longest) throws InterruptedException {
        return requests.tryAcquire(longest.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Waits until a client goes away before its response is whole; false when none does within so long. */
    boolean isBrokenOffWithin(Duration longest) throws InterruptedException {
        return brokenOff.tryAcquire(longest.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket socket = listening.accept();
                Thread.ofVirtual().start(() -> serve(socket));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            var head = new StringBuilder();
            while (head.indexOf("\r\n\r\n") < 0) {
                int b = socket.getInputStream().read();
                if (b < 0) {
                    return;
                }
                head.append((char) b);
            }
            requested.add(head + body(socket, head));
            requests.release();
            response.write(socket.getOutputStream());
            socket.getOutputStream().flush();
        } catch (IOException e) {
            brokenOff.release();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String body(Socket socket, CharSequence head) throws IOException {
        Matcher length = LENGTH.matcher(head);
        return length.find()
                ? new String(
                        socket.getInputStream().readNBytes(Integer.parseInt(length.group(1))), StandardCharsets.UTF_8)
                : "";
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
