package io.fundingobservatory.streams.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ShutdownDeadlineTest {
    @Test
    void oneThatDoesNotShutDownIsTold() throws InterruptedException {
        var missed = new CountDownLatch(1);
        new ShutdownDeadline(Duration.ofMillis(1), missed::countDown).begin();
        assertTrue(missed.await(5, TimeUnit.MINUTES));
    }

    @Test
    void oneThatDoesIsNot() throws InterruptedException {
        var missed = new AtomicInteger();
        var inTime = new ShutdownDeadline(Duration.ofSeconds(1), missed::incrementAndGet);
        inTime.begin();
        inTime.end();
        var later = new CountDownLatch(1);
        new ShutdownDeadline(Duration.ofMillis(1_200), later::countDown).begin();
        assertTrue(later.await(5, TimeUnit.MINUTES));
        assertEquals(0, missed.get());
    }
}
