package io.fundingobservatory.gateway.load;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Clients of a running gateway that send their requests at a steady pace, whatever others do. */
final class SteadyClients {
    /** No more than a client may have rendered at a time. */
    private static final int CLIENTS = 3;

    private static final int REQUESTS = 2_000;
    private static final long EVERY_US = 2_500;

    private SteadyClients() {}

    /** A request for an address. */
    static byte[] request(String method, String path, String coding) {
        return (method + ' ' + path + " HTTP/1.1\r\nHost: a\r\nAccept-Encoding: " + coding + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    static Socket connect(int port, String from) throws IOException {
        var socket = new Socket(InetAddress.getLoopbackAddress(), port, InetAddress.getByName(from), 0);
        socket.setSoTimeout(30_000);
        return socket;
    }

    /** The 99th percentile of the time until the last byte of a response, ms. */
    static double p99Ms(int port, byte[] request) throws InterruptedException {
        List<long[]> times = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            var nanos = new long[REQUESTS / CLIENTS];
            times.add(nanos);
            threads.add(Thread.ofPlatform().start(() -> time(port, request, nanos)));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        long[] all = times.stream().flatMapToLong(Arrays::stream).sorted().toArray();
        return all[all.length * 99 / 100] / 1e6;
    }

    private static void time(int port, byte[] request, long[] nanos) {
        try (Socket socket = connect(port, "127.0.0.1")) {
            long due = System.nanoTime();
            for (int i = 0; i < nanos.length; i++) {
                LockSupport.parkNanos(due - System.nanoTime());
                long started = System.nanoTime();
                socket.getOutputStream().write(request);
                int status = skipResponse(socket.getInputStream(), request[0] == 'H');
                if (status != 200) {
                    throw new IOException("status " + status);
                }
                nanos[i] = System.nanoTime() - started;
                due += TimeUnit.MICROSECONDS.toNanos(EVERY_US * CLIENTS);
            }
        } catch (IOException e) {
            throw new IllegalStateException("a steady client was not served", e);
        }
    }

    /** Reads a response to its end; its status. */
    static int skipResponse(InputStream in, boolean head) throws IOException {
        var fields = new StringBuilder();
        while (fields.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("closed after: " + fields);
            }
            fields.append((char) next);
        }
        if (!head) {
            int from = fields.toString().toLowerCase(Locale.ROOT).indexOf("content-length: ") + 16;
            in.skipNBytes(Long.parseLong(fields.substring(from, fields.indexOf("\r\n", from))));
        }
        return Integer.parseInt(fields.substring(9, 12));
    }
}
