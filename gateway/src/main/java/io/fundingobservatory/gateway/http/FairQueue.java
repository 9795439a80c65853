package io.fundingobservatory.gateway.http;

import io.fundingobservatory.gateway.traffic.Address;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Queue;
import java.util.SequencedMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * One bounded executor. Clients have their turns one after another, each with its oldest task. One that sends many requests delays another
 * by one rendering for each thread.
 */
@Singleton
final class FairQueue {
    /** Half the processors, so that the event loops have the other half; no more than the heap has room for ({@code jvm.options}). */
    private static final int THREADS = Math.clamp(Runtime.getRuntime().availableProcessors() / 2, 1, 2);

    /** So many wait in all, at up to 45 ms each. */
    private static final int MOST = 256;

    /** So many of one client wait. */
    private static final int CLIENT_MOST = 32;

    private final ExecutorService threads;
    private final SequencedMap<Address, Queue<Runnable>> waiting = new LinkedHashMap<>();
    private int count;

    @Inject
    FairQueue() {
        this(THREADS);
    }

    FairQueue(int threads) {
        this.threads = Executors.newFixedThreadPool(
                threads,
                Thread.ofPlatform().daemon().name("gateway-rendering-", 0).factory());
    }

    /** Whether there is room for the task of a client. */
    boolean add(Address client, Runnable task) {
        synchronized (this) {
            Queue<Runnable> own = waiting.computeIfAbsent(client, key -> new ArrayDeque<>());
            if (count >= MOST || own.size() >= CLIENT_MOST) {
                if (own.isEmpty()) {
                    waiting.remove(client);
                }
                return false;
            }
            own.add(task);
            count++;
        }
        threads.execute(() -> next().run());
        return true;
    }

    /** The oldest task of the client whose turn it is; there is one for each call. */
    private synchronized Runnable next() {
        var turn = waiting.pollFirstEntry();
        Runnable task = turn.getValue().remove();
        count--;
        if (!turn.getValue().isEmpty()) {
            waiting.putLast(turn.getKey(), turn.getValue());
        }
        return task;
    }

    @PreDestroy
    void close() {
        threads.shutdownNow();
    }
}
