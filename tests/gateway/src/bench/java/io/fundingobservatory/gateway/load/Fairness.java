package io.fundingobservatory.gateway.load;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** What some clients of a running gateway cost the others, next to the goals. */
final class Fairness {
    private static final int ROUNDS = Integer.getInteger("rounds", 9);
    private static final int READERS = 12;
    private static final int READERS_S = Integer.getInteger("readers.seconds", 180);
    private static final double READERS_BYTES_A_S = 1.2 * 32_768;
    private static final int SNAPSHOT_S = 5;
    private static final int FLOOD_CONNECTIONS = 32;
    private static final double FLOOD_GOAL = 1.2;

    /** So many that the sender's system calls take no processor time from the others on the same machine. */
    private static final int REQUESTS_A_WRITE = 500;

    private static final int PAIRS_A_S = 20;
    private static final double PAIRS_GOAL = 3;

    /** So many clients that none of them spends its points on its share of the requests. */
    private static final int PAIR_CLIENTS = 200;

    private final int port;

    Fairness(int port) {
        this.port = port;
    }

    private interface Others {
        /** Runs until told otherwise. */
        void run(AtomicBoolean running) throws IOException;
    }

    /** Clients far over their limit, on as many connections as one client may have. */
    void underFlood() throws Exception {
        var refused = new AtomicLong();
        compare(
                "GET /api/v1/latest",
                SteadyClients.request("GET", "/api/v1/latest", "gzip"),
                "one client over its limit on " + FLOOD_CONNECTIONS + " connections",
                FLOOD_GOAL,
                running -> {
                    var connections = new ArrayList<Thread>();
                    for (int i = 0; i < FLOOD_CONNECTIONS; i++) {
                        connections.add(Thread.ofVirtual().start(() -> flood(running, refused)));
                    }
                    await(connections);
                });
        System.out.printf(Locale.ROOT, "the client over its limit got %,d refusals%n", refused.get());
    }

    private void flood(AtomicBoolean running, AtomicLong refused) {
        byte[] request = SteadyClients.request("GET", "/api/v1/latest?venues=all", "gzip");
        ByteBuffer requests = ByteBuffer.allocate(request.length * REQUESTS_A_WRITE);
        while (requests.hasRemaining()) {
            requests.put(request);
        }
        try (Socket socket = SteadyClients.connect(port, "127.0.0.2")) {
            Thread.ofVirtual().start(() -> {
                try {
                    while (running.get()) {
                        socket.getOutputStream().write(requests.array());
                    }
                    socket.shutdownOutput();
                } catch (IOException e) {
                    // The other side has ended it.
                }
            });
            while (running.get()) {
                refused.addAndGet(SteadyClients.skipResponse(socket.getInputStream(), false) == 429 ? 1 : 0);
            }
        } catch (IOException e) {
            // Ended.
        }
    }

    /** Requests for pairs that no other request has, all of which have to be rendered. */
    void underPairs() throws Exception {
        var rendered = new AtomicInteger();
        var others = new AtomicInteger();
        compare(
                "HEAD /api/v1/latest?venues=binance",
                SteadyClients.request("HEAD", "/api/v1/latest?venues=binance", "gzip"),
                PAIRS_A_S + " distinct requests for pairs a second",
                PAIRS_GOAL,
                running -> {
                    long due = System.nanoTime();
                    var requests = new ArrayList<Thread>();
                    for (int i = 0; running.get(); i++) {
                        int number = i;
                        requests.add(Thread.ofVirtual().start(() -> pairs(number, rendered, others)));
                        due += TimeUnit.SECONDS.toNanos(1) / PAIRS_A_S;
                        LockSupport.parkNanos(due - System.nanoTime());
                    }
                    await(requests);
                });
        System.out.printf("requests for pairs: %d rendered, %d otherwise%n", rendered.get(), others.get());
    }

    private void pairs(int number, AtomicInteger rendered, AtomicInteger others) {
        byte[] request = SteadyClients.request("GET", "/api/v1/carry?venues=all&limit=" + (1 + number % 1_000), "gzip");
        try (Socket socket = SteadyClients.connect(port, "127.0.2." + (1 + number % PAIR_CLIENTS))) {
            socket.getOutputStream().write(request);
            boolean whole = SteadyClients.skipResponse(socket.getInputStream(), false) == 200;
            (whole ? rendered : others).incrementAndGet();
        } catch (IOException e) {
            others.incrementAndGet();
        }
    }

    private void compare(String what, byte[] request, String load, double goal, Others others) throws Exception {
        SteadyClients.p99Ms(port, request);
        var ratios = new ArrayList<Double>();
        for (int round = 1; round <= ROUNDS; round++) {
            double alone = SteadyClients.p99Ms(port, request);
            var running = new AtomicBoolean(true);
            Thread thread = Thread.ofPlatform().start(() -> {
                try {
                    others.run(running);
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
            double among = SteadyClients.p99Ms(port, request);
            running.set(false);
            thread.join();
            ratios.add(among / alone);
            System.out.printf(
                    Locale.ROOT, "%s round %d: p99 %.2f ms alone, %.2f ms under %s%n", what, round, alone, among, load);
        }
        printRatios(what + ": p99 under " + load, ratios, goal);
    }

    /** The median of ratios, next to the largest that is allowed. */
    static void printRatios(String what, List<Double> ratios, double goal) {
        ratios.sort(null);
        double median = ratios.get(ratios.size() / 2);
        System.out.printf(
                Locale.ROOT,
                "%s: median %.2f times alone (from %.2f to %.2f), %.2f of the limit of %.2f%n",
                what,
                median,
                ratios.getFirst(),
                ratios.getLast(),
                median / goal,
                goal);
    }

    private static void await(List<Thread> threads) {
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Readers of the plain list just above the least rate, each of another snapshot; a list is requested each second meanwhile. */
    void underSlowReaders() throws IOException {
        var readers = new ArrayList<SocketChannel>();
        var read = new ArrayList<Long>();
        ByteBuffer bytes = ByteBuffer.allocate(1 << 16);
        long begun = System.nanoTime();
        int served = 0;
        int refused = 0;
        int ended = 0;
        for (int second = 0; second < READERS_S; second++) {
            if (readers.size() < READERS && second % SNAPSHOT_S == 0) {
                readers.add(reader("127.0.3." + (1 + readers.size())));
                read.add(0L);
            }
            try (Socket socket = SteadyClients.connect(port, "127.0.0.1")) {
                String path = second % 2 == 0 ? "/api/v1/latest" : "/api/v1/latest?venues=all";
                socket.getOutputStream().write(SteadyClients.request("GET", path, "identity"));
                boolean whole = SteadyClients.skipResponse(socket.getInputStream(), false) == 200;
                served += whole ? 1 : 0;
                refused += whole ? 0 : 1;
            }
            while (System.nanoTime() - begun < TimeUnit.SECONDS.toNanos(second + 1)) {
                for (int i = 0; i < readers.size(); i++) {
                    long sinceNs = System.nanoTime() - begun - TimeUnit.SECONDS.toNanos((long) SNAPSHOT_S * i);
                    long due = (long) (sinceNs / 1e9 * READERS_BYTES_A_S) - read.get(i);
                    if (due > 0 && readers.get(i).isOpen()) {
                        int count = take(readers.get(i), bytes.clear().limit((int) Math.min(due, bytes.capacity())));
                        read.set(i, read.get(i) + Math.max(0, count));
                        ended += count < 0 ? 1 : 0;
                    }
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            }
        }
        for (SocketChannel reader : readers) {
            reader.close();
        }
        System.out.printf(
                "%d readers at 1.2 times the least rate for %d s: other clients got %d plain lists, %d were refused (goal 0); %d readers were cut off (goal 0)%n",
                READERS, READERS_S, served, refused, ended);
    }

    private SocketChannel reader(String from) throws IOException {
        SocketChannel channel = SocketChannel.open();
        channel.setOption(StandardSocketOptions.SO_RCVBUF, 1 << 16);
        channel.bind(new InetSocketAddress(from, 0));
        channel.connect(new InetSocketAddress("127.0.0.1", port));
        channel.write(ByteBuffer.wrap(SteadyClients.request("GET", "/api/v1/latest?venues=all", "identity")));
        channel.configureBlocking(false);
        return channel;
    }

    /** Bytes read; -1 when the other side has ended the connection. */
    private static int take(SocketChannel channel, ByteBuffer into) throws IOException {
        int count;
        try {
            count = channel.read(into);
        } catch (IOException e) {
            count = -1;
        }
        if (count < 0) {
            channel.close();
        }
        return count;
    }
}
