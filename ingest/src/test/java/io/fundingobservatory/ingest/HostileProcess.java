package io.fundingobservatory.ingest;

import io.fundingobservatory.ingest.fetching.HttpExchangeClient;
import io.fundingobservatory.ingest.pacing.Pacing;
import io.fundingobservatory.ingest.pacing.RequestListener;
import io.fundingobservatory.ingest.pacing.Time;
import io.fundingobservatory.ingest.polling.AnswerSource;
import io.fundingobservatory.ingest.polling.LiveAnswers;
import io.fundingobservatory.ingest.polling.PollAnswers;
import io.fundingobservatory.ingest.reading.Venue;
import io.fundingobservatory.ingest.venues.Registry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/**
 * A process with the options of the real one. First all venues send endless responses. Then it polls all of
 * them and keeps their responses. Then it polls one venue again and again while another, hostile one returns
 * anything. Prints the outcome of both.
 */
final class HostileProcess {
    private static final String HOSTILE = "binance";
    private static final String OTHER = "dydx";
    private static final int HOSTILE_ROUNDS = 3;
    private static final int POLLS = 40;
    private static final Duration BETWEEN_POLLS = Duration.ofMillis(50);
    private static final Duration FIRST_POLL = Duration.ofSeconds(30);

    private HostileProcess() {}

    public static void main(String[] args) throws InterruptedException {
        var clock = InstantSource.system();
        Map<String, AnswerSource> all = new HashMap<>();
        try (var exchanges = HttpExchangeClient.inPlaceOfThem(args[0], clock);
                var endless = HttpExchangeClient.inPlaceOfThem(args[0] + "/endless", clock)) {
            int cut = 0;
            for (Venue venue : Registry.all()) {
                String missing = answers(venue, endless, clock)
                        .round(Duration.ofSeconds(5))
                        .missing()
                        .toString();
                cut += missing.contains("answer larger than") ? 1 : 0;
            }
            System.out.println("cut " + cut);
            for (Venue venue : Registry.all()) {
                all.put(venue.header().id(), answers(venue, exchanges, clock));
            }
            int fresh = 0;
            for (var source : all.entrySet()) {
                if (!source.getKey().equals(HOSTILE)) {
                    PollAnswers answers = source.getValue().round(FIRST_POLL);
                    fresh += answers.fresh() ? 1 : 0;
                    if (!answers.fresh()) {
                        System.out.println("not fresh: " + source.getKey() + ", " + answers.asked() + " requests, "
                                + answers.missing());
                    }
                }
            }
            System.out.println("fresh " + fresh);
            long slowest = 0;
            int polls = 0;
            for (int rounds = 0; rounds < HOSTILE_ROUNDS || polls < POLLS; rounds++) {
                Thread hostile = Thread.ofVirtual().start(() -> printRound(all.get(HOSTILE)));
                int meanwhile = 0;
                do {
                    long begun = System.nanoTime();
                    PollAnswers answers = all.get(OTHER).round(Duration.ofMillis(100));
                    slowest = Math.max(slowest, System.nanoTime() - begun);
                    polls++;
                    meanwhile += hostile.isAlive() ? 1 : 0;
                    if (!answers.fresh()) {
                        System.out.println("other failed " + answers.missing());
                    }
                } while (!hostile.join(BETWEEN_POLLS));
                System.out.println("meanwhile " + meanwhile);
            }
            System.out.println("slowest " + slowest / 1_000_000);
        }
        System.out.println("done");
    }

    private static AnswerSource answers(Venue venue, HttpExchangeClient exchanges, InstantSource clock) {
        return new LiveAnswers(venue, exchanges, Time.real(clock), new Random(1), Pacing.NONE, RequestListener.NONE);
    }

    private static void printRound(AnswerSource source) {
        try {
            System.out.println("hostile " + source.round(Duration.ofMillis(100)).missing());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
