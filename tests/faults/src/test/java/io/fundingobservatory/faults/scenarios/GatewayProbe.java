package io.fundingobservatory.faults.scenarios;

import io.fundingobservatory.faults.invariants.CorrectAge;
import io.fundingobservatory.faults.invariants.Invariant;
import io.fundingobservatory.faults.invariants.ListSample;
import io.fundingobservatory.faults.invariants.NoPartialList;
import io.fundingobservatory.oracle.Json;
import io.fundingobservatory.testbed.Await;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** A client of the gateway that requests the whole list ten times a second and passes every response to the invariants. */
public final class GatewayProbe implements AutoCloseable {
    private static final Duration EVERY = Duration.ofMillis(100);

    /** What a client may expect of the gateway. */
    private enum State {
        /** Lists, always. */
        UP,
        /** It is being killed: anything. */
        DOWN,
        /** It has been started: silence, or 503, until its first list. */
        COMING
    }

    private final NoPartialList partial;
    private final CorrectAge age = new CorrectAge();
    private final HttpRequest request;
    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();
    private final Thread thread;
    private byte[] readBody = {};
    private ListSample read = ListSample.without(0, 0, null, "not requested yet");
    private volatile boolean closed;
    private volatile State state = State.COMING;
    private volatile long lastWholeNanos;
    private volatile ListSample last = read;

    /** @param contracts keys of all contracts that are observed all the time */
    GatewayProbe(int port, Set<String> contracts) {
        this.partial = new NoPartialList(contracts);
        this.request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/api/v1/latest?venues=all"))
                .timeout(Duration.ofSeconds(30))
                .build();
        this.thread = Thread.ofPlatform().name("gateway-watch").daemon().start(this::run);
    }

    private void run() {
        while (!closed) {
            State asIn = state;
            long sentNanos = System.nanoTime();
            ListSample sample = poll();
            if (closed) {
                return;
            }
            synchronized (this) {
                // A kill between request and response explains what came.
                partial.received(sample, asIn != State.UP || state != State.UP);
                age.received(sample);
                last = sample;
                if (sample.status() == 200) {
                    lastWholeNanos = sentNanos;
                    state = asIn == State.COMING && state == State.COMING ? State.UP : state;
                }
            }
            try {
                TimeUnit.NANOSECONDS.sleep(sentNanos + EVERY.toNanos() - System.nanoTime());
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private ListSample poll() {
        try {
            HttpResponse<byte[]> response = client.send(request, BodyHandlers.ofByteArray());
            long now = System.nanoTime();
            return response.statusCode() == 200
                    ? list(now, response.body())
                    : ListSample.without(
                            now,
                            response.statusCode(),
                            response.headers().firstValue("Retry-After").orElse(null),
                            null);
        } catch (IOException e) {
            return ListSample.without(System.nanoTime(), 0, null, e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ListSample.without(System.nanoTime(), 0, null, "interrupted");
        } catch (IllegalArgumentException | NullPointerException | ClassCastException e) {
            return ListSample.without(System.nanoTime(), 0, null, "not the JSON of a list: " + e);
        }
    }

    /** To read a list of 20,000 rows takes longer than the time between two requests. Most lists come several times. */
    private ListSample list(long now, byte[] body) {
        if (!Arrays.equals(body, readBody)) {
            read = ListSample.of(now, Json.object(body));
            readBody = body;
        }
        return read.at(now);
    }

    /** To be said before the gateway is killed. */
    public synchronized void expectDown() {
        state = State.DOWN;
    }

    /** To be said once it has been started again. */
    public synchronized void expectUp() {
        state = State.COMING;
    }

    /** Waits for a 200 whose request is sent from now on. */
    public void awaitWhole(Duration patience) throws InterruptedException {
        long since = System.nanoTime();
        if (!Await.within(patience, () -> lastWholeNanos >= since)) {
            throw new IllegalStateException("no list within " + patience + ", last " + last);
        }
    }

    /** What every list must be. */
    List<Invariant> invariants() {
        return List.of(
                new Invariant("NoPartialList", partial::violations), new Invariant("CorrectAge", age::violations));
    }

    public ListSample last() {
        return last;
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        client.shutdownNow();
    }
}
