package io.fundingobservatory.testbed;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Free ports for servers that are about to start; none is given twice. They are below the ports of outgoing
 * connections, so no client takes one first. Linux uses 32768 and above, other systems 49152 and above.
 */
public final class FreePort {
    private static final int LOWEST = 12_000;
    private static final int OUTGOING = 32_768;
    private static final int TRIES = 100;
    private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

    private FreePort() {}

    /**
     * One on the loopback address.
     *
     * @throws IllegalStateException when a hundred were tried in vain
     */
    public static int next() {
        IOException last = null;
        for (int tries = 0; tries < TRIES; tries++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, OUTGOING);
            if (!GIVEN.add(port)) {
                continue;
            }
            try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (IOException e) {
                last = e;
            }
        }
        throw new IllegalStateException("no free port", last);
    }
}
