package io.fundingobservatory.ingest.client;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.fundingobservatory.ingest.spec.Request;
import io.fundingobservatory.ingest.spec.TestVenue;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whether a 429 to a request of a pool is the pool's or its host's. */
class BackoffsTest {
    private static final String HOST = "api.example.com";
    private static final String POOL = "history";
    private static final Duration PAUSE = Duration.ofSeconds(61);

    private final VirtualTime time = VirtualTime.shared(0, 1);
    private final Backoffs backoffs = new Backoffs(
            TestVenue.sheet()
                    .limit(HOST, 2400, 60)
                    .pool(POOL, 40, 60)
                    .request(Request.get("rates", "https://" + HOST + "/rates"))
                    .build(),
            time);

    private @Nullable String rates() {
        return backoffs.of("rates", List.of(HOST));
    }

    private @Nullable String history() {
        return backoffs.of("history", List.of(HOST, POOL));
    }

    @Test
    void throttledPoolPausesAlone() {
        backoffs.throttled(HOST, Set.of(POOL), "HTTP 429", null);
        assertNull(rates());
        assertNotNull(history());
    }

    @Test
    void untimedThrottlingPausesHostThrottledBefore() {
        backoffs.throttled(HOST, Set.of(), "HTTP 429", null);
        time.pass(PAUSE);
        assertNull(rates());
        backoffs.throttled(HOST, Set.of(POOL), "HTTP 429", null);
        assertNotNull(rates());
    }

    @Test
    void timedThrottlingPausesPoolOnly() {
        backoffs.throttled(HOST, Set.of(), "HTTP 429", null);
        time.pass(PAUSE);
        backoffs.throttled(HOST, Set.of(POOL), "HTTP 429", Duration.ofSeconds(30));
        assertNull(rates());
        assertNotNull(history());
    }

    @Test
    void doesNotPauseHostThatRespondedSince() {
        backoffs.throttled(HOST, Set.of(), "HTTP 429", null);
        time.pass(PAUSE);
        backoffs.responded("rates", HOST, Set.of());
        backoffs.throttled(HOST, Set.of(POOL), "HTTP 429", null);
        assertNull(rates());
    }
}
