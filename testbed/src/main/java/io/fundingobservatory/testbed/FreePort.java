package io.fundingobservatory.testbed;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Free ports for servers that are about to start; none is given twice, and none to two processes. Each process
 * takes whole blocks of ports: it listens on the first port of a block, so that no other process takes that
 * block. They are below the ports of outgoing connections, so no client takes one first. Linux uses 32768 and
 * above, other systems 49152 and above.
 */
public final class FreePort {
    private static final int LOWEST = 12_000;
    private static final int OUTGOING = 32_768;
    private static final int BLOCK = 64;
    private static final int TRIES = 1_000;

    /** The first ports of this process's blocks; they listen as long as it lives. */
    private static final List<ServerSocket> HELD = new ArrayList<>();

    private static int next;
    private static int end;

    private FreePort() {}

    /**
     * One on the loopback address.
     *
     * @throws IllegalStateException when a thousand were tried in vain
     */
    public static synchronized int next() {
        IOException last = null;
        for (int tries = 0; tries < TRIES; tries++) {
            try {
                if (next == end) {
                    takeBlock();
                }
                int port = next++;
                listening(port).close();
                return port;
            } catch (IOException e) {
                last = e;
            }
        }
        throw new IllegalStateException("no free port", last);
    }

    private static void takeBlock() throws IOException {
        int first = LOWEST + BLOCK * ThreadLocalRandom.current().nextInt((OUTGOING - LOWEST) / BLOCK);
        HELD.add(listening(first));
        next = first + 1;
        end = first + BLOCK;
    }

    private static ServerSocket listening(int port) throws IOException {
        return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
    }
}
