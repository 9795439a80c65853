package io.fundingobservatory.faults.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/** Ports on 127.0.0.1 that nobody listens on. */
public final class Ports {
    private Ports() {}

    /** So many different ones. */
    public static List<Integer> free(int count) {
        var held = new ArrayList<ServerSocket>();
        try {
            for (int i = 0; i < count; i++) {
                held.add(new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1")));
            }
            return held.stream().map(ServerSocket::getLocalPort).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            for (ServerSocket socket : held) {
                try {
                    socket.close();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    public static int free() {
        return free(1).getFirst();
    }
}
