package io.fundingobservatory.gateway.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.gateway.traffic.Address;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FairQueueTest {
    private final FairQueue queue = new FairQueue(1);
    private final CountDownLatch gate = new CountDownLatch(1);
    private final CountDownLatch begun = new CountDownLatch(1);

    private static Address client(int number) {
        return new Address(4, 0, number);
    }

    /** Keeps the one thread busy until the gate opens. */
    private void occupy() throws InterruptedException {
        assertTrue(queue.add(client(0), () -> {
            begun.countDown();
            try {
                assertTrue(gate.await(10, TimeUnit.SECONDS));
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }));
        assertTrue(begun.await(10, TimeUnit.SECONDS));
    }

    @AfterEach
    void close() {
        gate.countDown();
        queue.close();
    }

    @Test
    void clientsHaveTheirTurnsOneAfterAnother() throws InterruptedException {
        occupy();
        List<String> done = Collections.synchronizedList(new ArrayList<>());
        var left = new CountDownLatch(7);
        for (String task : List.of("1a", "1b", "1c", "1d", "2a", "2b", "3a")) {
            assertTrue(queue.add(client(task.charAt(0)), () -> {
                done.add(task);
                left.countDown();
            }));
        }
        gate.countDown();
        assertTrue(left.await(10, TimeUnit.SECONDS));
        assertEquals(List.of("1a", "2a", "3a", "1b", "2b", "1c", "1d"), done);
    }

    @Test
    void boundsWaitingTasks() throws InterruptedException {
        occupy();
        for (int i = 0; i < 32; i++) {
            assertTrue(queue.add(client(1), () -> {}), "task " + i);
        }
        assertFalse(queue.add(client(1), () -> {}));
        for (int i = 0; i < 224; i++) {
            assertTrue(queue.add(client(2 + i), () -> {}), "client " + i);
        }
        assertFalse(queue.add(client(1_000), () -> {}), "256 wait");
    }
}
