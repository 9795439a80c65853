package io.fundingobservatory.faults.network;

import io.fundingobservatory.faults.network.Link.Way;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/** One connection through a link: in each direction a reader, a queue of at most 64 pieces, and a writer that delays and paces. */
final class Connection {
    private static final int PIECE = 16 * 1024;
    private static final int QUEUED = 64;
    private static final byte[] END = new byte[0];

    private final Link link;
    private final Socket client;
    private final Socket server;

    /** Set when the trap has sprung: no byte of the response passes any more. */
    private volatile boolean mute;

    private record Piece(byte[] bytes, long dueAt) {}

    Connection(Link link, Socket client, Socket server) {
        this.link = link;
        this.client = client;
        this.server = server;
    }

    void run() {
        pump(client, server, Way.TO_SERVER);
        pump(server, client, Way.TO_CLIENT);
    }

    private void pump(Socket from, Socket to, Way way) {
        BlockingQueue<Piece> queue = new ArrayBlockingQueue<>(QUEUED);
        Thread.ofVirtual().start(() -> read(from, queue));
        Thread.ofVirtual().start(() -> write(to, queue, way));
    }

    private void read(Socket from, BlockingQueue<Piece> queue) {
        var buffer = new byte[PIECE];
        try {
            for (int read = from.getInputStream().read(buffer);
                    read >= 0;
                    read = from.getInputStream().read(buffer)) {
                long due = System.nanoTime() + link.delay().toNanos();
                queue.put(
                        new Piece(ByteBuffer.allocate(read).put(buffer, 0, read).array(), due));
            }
        } catch (IOException e) {
            // one side is gone: the other one is closed below
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        try {
            queue.put(new Piece(END, System.nanoTime() + link.delay().toNanos()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void write(Socket to, BlockingQueue<Piece> queue, Way way) {
        var requests = new RequestFrames();
        try {
            while (true) {
                Piece piece = queue.take();
                hold(piece, way);
                if (piece.bytes == END) {
                    reset();
                    return;
                }
                if (way == Way.TO_SERVER) {
                    boolean[] held = {false};
                    boolean sprung = requests.contains(piece.bytes, api -> {
                        held[0] |= link.isHeld(api);
                        return link.springs(api);
                    });
                    if (sprung) {
                        mute = true;
                    }
                    while (held[0] && link.holds()) {
                        TimeUnit.MILLISECONDS.sleep(10);
                    }
                }
                if (way == Way.TO_CLIENT && mute) {
                    reset(); // the broker has responded, so it has processed the request
                    return;
                }
                to.getOutputStream().write(piece.bytes);
                link.arrived(piece.bytes.length);
            }
        } catch (IOException e) {
            reset();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void hold(Piece piece, Way way) throws InterruptedException {
        while (link.isSilent(way)) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
        TimeUnit.NANOSECONDS.sleep(piece.dueAt - System.nanoTime());
        long pace = link.bytesPerSecond();
        if (pace > 0) {
            TimeUnit.NANOSECONDS.sleep(piece.bytes.length * 1_000_000_000L / pace);
        }
    }

    void reset() {
        reset(client);
        reset(server);
        link.ended(this);
    }

    /** Closes with RST, so that the other side sees a broken connection and not an end. */
    static void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
        } catch (IOException e) {
            // closed before
        }
        try {
            socket.close();
        } catch (IOException e) {
            // closed before
        }
    }
}
