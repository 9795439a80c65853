package io.fundingobservatory.gateway.clients;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A load run: the effect of 2,000 slow connections on the time that normal requests take. Half of them send a
 * header byte by byte, half read a response byte by byte. Each transfers one byte a second. They come from
 * many addresses of this machine. Arguments: port, path, rounds.
 */
final class SlowClients {
    private static final int SLOW = 2_000;
    private static final int PER_ADDRESS = 30;
    private static final double ALLOWED = 1.20;
    private static final int ASKED = 2_000;
    private static final long EVERY_US = 2_500;

    private final int port;
    private final String path;
    private final @Nullable SocketChannel[] slow = new SocketChannel[SLOW];
    private volatile boolean running;
    private volatile int open;

    private SlowClients(int port, String path) {
        this.port = port;
        this.path = path;
    }

    public static void main(String[] args) throws Exception {
        int port = Integer.parseInt(args.length > 0 ? args[0] : "8080");
        String path = args.length > 1 ? args[1] : "/api/v1/latest";
        int rounds = Integer.parseInt(args.length > 2 ? args[2] : "9");
        var clients = new SlowClients(port, path);
        clients.honest();
        var ratios = new ArrayList<Double>();
        for (int round = 0; round < rounds; round++) {
            double alone = clients.honest();
            double among = clients.amongSlowOnes();
            ratios.add(among / alone);
            System.out.printf(
                    "round %d: p99 %.2f ms alone, %.2f ms among %d slow connections, ratio %.2f%n",
                    round + 1, alone, among, SLOW, among / alone);
        }
        ratios.sort(null);
        System.out.printf(
                "median ratio of p99 %.2f (of %d rounds, from %.2f to %.2f); %.2f of the allowed %.2f%n",
                ratios.get(rounds / 2),
                rounds,
                ratios.getFirst(),
                ratios.getLast(),
                ratios.get(rounds / 2) / ALLOWED,
                ALLOWED);
    }

    private double amongSlowOnes() throws Exception {
        running = true;
        Thread hold = Thread.ofPlatform().daemon().start(this::hold);
        while (open < SLOW * 95 / 100) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
        double p99 = honest();
        running = false;
        hold.join();
        return p99;
    }

    /** Four clients that ask at a steady pace; the 99th percentile of the time until the last byte, ms. */
    private double honest() throws Exception {
        List<long[]> times = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            var nanos = new long[ASKED / 4];
            times.add(nanos);
            threads.add(Thread.ofPlatform().start(() -> ask(nanos)));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        long[] all = times.stream().flatMapToLong(Arrays::stream).sorted().toArray();
        return all[all.length * 99 / 100] / 1e6;
    }

    private void ask(long[] nanos) {
        try (var socket = new Socket("127.0.0.1", port)) {
            socket.setSoTimeout(30_000);
            byte[] request = request("Accept-Encoding: gzip\r\n");
            InputStream in = socket.getInputStream();
            long due = System.nanoTime();
            for (int i = 0; i < nanos.length; i++) {
                LockSupport.parkNanos(due - System.nanoTime());
                long started = System.nanoTime();
                socket.getOutputStream().write(request);
                readResponse(in);
                nanos[i] = System.nanoTime() - started;
                due += TimeUnit.MICROSECONDS.toNanos(EVERY_US * 4);
            }
        } catch (IOException e) {
            throw new IllegalStateException("an honest client was not served", e);
        }
    }

    private static void readResponse(InputStream in) throws IOException {
        var head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("closed after: " + head);
            }
            head.append((char) next);
        }
        int from = head.toString().toLowerCase(Locale.ROOT).indexOf("content-length: ") + 16;
        in.skipNBytes(Long.parseLong(head.substring(from, head.indexOf("\r\n", from))));
    }

    private byte[] request(String fields) {
        return ("GET " + path + " HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n").getBytes(StandardCharsets.US_ASCII);
    }

    /** Keeps all of them open: connections that the other side ended are opened again. */
    private void hold() {
        ByteBuffer one = ByteBuffer.allocate(1);
        while (running) {
            long started = System.nanoTime();
            int alive = 0;
            for (int i = 0; i < SLOW; i++) {
                alive += step(i, one) ? 1 : 0;
            }
            open = alive;
            LockSupport.parkNanos(started + TimeUnit.SECONDS.toNanos(1) - System.nanoTime());
        }
        for (int i = 0; i < SLOW; i++) {
            close(i);
        }
        open = 0;
    }

    private boolean step(int i, ByteBuffer one) {
        try {
            SocketChannel channel = slow[i];
            if (channel == null) {
                channel = SocketChannel.open();
                channel.setOption(StandardSocketOptions.SO_RCVBUF, 4_096);
                channel.bind(new InetSocketAddress("127.0.1." + (1 + i / PER_ADDRESS), 0));
                channel.connect(new InetSocketAddress("127.0.0.1", port));
                channel.configureBlocking(false);
                channel.write(ByteBuffer.wrap(i % 2 == 0 ? "GET / HTTP/1.1\r\nX: ".getBytes() : request("")));
                slow[i] = channel;
            }
            one.clear();
            int moved = i % 2 == 0 ? channel.write(one.put((byte) 'a').flip()) : channel.read(one);
            if (moved < 0) {
                close(i);
            }
            return moved >= 0;
        } catch (IOException e) {
            close(i);
            return false;
        }
    }

    private void close(int i) {
        try {
            SocketChannel channel = slow[i];
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            // It is gone either way.
        }
        slow[i] = null;
    }
}
