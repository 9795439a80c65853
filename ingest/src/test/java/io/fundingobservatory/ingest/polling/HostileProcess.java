package io.fundingobservatory.ingest.polling;

import io.fundingobservatory.ingest.fetching.ExchangesOverHttp;
import io.fundingobservatory.ingest.pacing.Pacing;
import io.fundingobservatory.ingest.pacing.Time;
import io.fundingobservatory.ingest.reading.Venue;
import io.fundingobservatory.ingest.venues.Registry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A process with the options of the real one: it polls all exchanges and keeps what they answer, then one exchange again and again
 * while another, hostile one answers as it likes. Prints what became of both.
 */
final class HostileProcess {
    private static final String HOSTILE = "binance";
    private static final String OTHER = "dydx";

    private HostileProcess() {}

    public static void main(String[] args) throws InterruptedException {
        var clock = InstantSource.system();
        Map<String, AnswerSource> all = new HashMap<>();
        try (var exchanges = ExchangesOverHttp.inPlaceOfThem(args[0], clock)) {
            for (Venue venue : Registry.all()) {
                all.put(
                        venue.header().id(),
                        new LiveAnswers(
                                venue,
                                exchanges,
                                Time.real(clock),
                                new Random(1),
                                Pacing.NONE,
                                (address, outcome, reason) -> {}));
            }
            int fresh = 0;
            for (var source : all.entrySet()) {
                fresh += !source.getKey().equals(HOSTILE)
                                && source.getValue()
                                        .round(Duration.ofSeconds(5))
                                        .fresh()
                        ? 1
                        : 0;
            }
            System.out.println("fresh " + fresh);
            var rounds = new AtomicInteger();
            Thread hostile = Thread.ofVirtual().start(() -> {
                try {
                    while (true) {
                        System.out.println("hostile "
                                + all.get(HOSTILE).round(Duration.ofMillis(100)).missing());
                        rounds.incrementAndGet();
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            long slowest = 0;
            for (int i = 0; i < 40 || rounds.get() < 3; i++) {
                long begun = System.nanoTime();
                PollAnswers answers = all.get(OTHER).round(Duration.ofMillis(100));
                slowest = Math.max(slowest, System.nanoTime() - begun);
                if (!answers.fresh()) {
                    System.out.println("other failed " + answers.missing());
                }
                Thread.sleep(100);
            }
            hostile.interrupt();
            hostile.join();
            System.out.println("slowest " + slowest / 1_000_000);
        }
        System.out.println("done");
    }
}
