package io.fundingobservatory.gateway.load;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
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
        clients.steady();
        var ratios = new ArrayList<Double>();
        for (int round = 0; round < rounds; round++) {
            double alone = clients.steady();
            double among = clients.amongSlowOnes();
            ratios.add(among / alone);
            System.out.printf(
                    "round %d: p99 %.2f ms alone, %.2f ms among %d slow connections, ratio %.2f%n",
                    round + 1, alone, among, SLOW, among / alone);
        }
        Fairness.printRatios("p99 among " + SLOW + " slow connections", ratios, ALLOWED);
    }

    private double steady() throws InterruptedException {
        return SteadyClients.p99Ms(port, SteadyClients.request("GET", path, "gzip"));
    }

    private double amongSlowOnes() throws Exception {
        running = true;
        Thread hold = Thread.ofPlatform().daemon().start(this::hold);
        while (open < SLOW * 95 / 100) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
        double p99 = steady();
        running = false;
        hold.join();
        return p99;
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
                channel.write(ByteBuffer.wrap(
                        i % 2 == 0
                                ? "GET / HTTP/1.1\r\nX: ".getBytes()
                                : SteadyClients.request("GET", path, "identity")));
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
