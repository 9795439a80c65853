package io.fundingobservatory.ingest;

import io.fundingobservatory.ingest.client.HttpTransport;
import io.fundingobservatory.ingest.client.RateLimitMode;
import io.fundingobservatory.ingest.client.Time;
import io.fundingobservatory.ingest.client.UnmanagedHttp;
import io.fundingobservatory.ingest.client.VenueHttpClient;
import io.fundingobservatory.ingest.poll.ResponseBudget;
import io.fundingobservatory.ingest.poll.ResponseSource;
import io.fundingobservatory.ingest.poll.ResponseSource.PollResponses;
import io.fundingobservatory.ingest.poll.VenueFetcher;
import io.fundingobservatory.ingest.publish.IngestEvents;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.venues.Registry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A process with the options of the real one. First all venues send endless responses. Then it polls all of
 * them and keeps their responses. Then it polls one venue again and again while one
 * hostile venue, and then all hostile ones, return anything. Prints the outcome of all.
 */
final class HostileProcess {
    private static final String OTHER = "dydx";
    private static final int HOSTILE_POLLS = 2;
    private static final Duration BETWEEN_POLLS = Duration.ofMillis(50);
    private static final Duration FIRST_POLL = Duration.ofSeconds(30);

    /** That of the whole process. */
    private static final ResponseBudget MEMORY = new ResponseBudget();

    private HostileProcess() {}

    /** The base URLs of the stand-in and of the hostile one, and the hostile venues. */
    public static void main(String[] args) throws InterruptedException {
        List<String> hostileVenues = List.of(args).subList(2, args.length);
        var clock = InstantSource.system();
        Map<String, ResponseSource> all = new HashMap<>();
        try (var exchanges = UnmanagedHttp.inPlaceOfThem(args[0], clock, HttpTransport.DEADLINE);
                var hostile = UnmanagedHttp.inPlaceOfThem(args[1], clock, HttpTransport.DEADLINE);
                var endless = UnmanagedHttp.inPlaceOfThem(args[1] + "/endless", clock, HttpTransport.DEADLINE)) {
            int cut = 0;
            for (Venue venue : Registry.all()) {
                String missing = responses(venue, endless, clock)
                        .poll(Duration.ofSeconds(5))
                        .missing()
                        .toString();
                cut += missing.contains("response larger than") ? 1 : 0;
            }
            System.out.println("cut " + cut);
            for (Venue venue : Registry.all()) {
                String id = venue.spec().id();
                all.put(id, responses(venue, hostileVenues.contains(id) ? hostile : exchanges, clock));
            }
            int fresh = 0;
            for (var source : all.entrySet()) {
                if (!hostileVenues.contains(source.getKey())) {
                    PollResponses responses = source.getValue().poll(FIRST_POLL);
                    fresh += responses.fresh() ? 1 : 0;
                    if (!responses.fresh()) {
                        System.out.println("not fresh: " + source.getKey() + ", " + responses.requestCount()
                                + " requests, " + responses.missing());
                    }
                }
            }
            System.out.println("fresh " + fresh);
            poll(hostileVenues.subList(0, 1), all);
            poll(hostileVenues, all);
        }
        System.out.println("done");
    }

    /** Polls hostile venues some times, and another one meanwhile. */
    private static void poll(List<String> hostileVenues, Map<String, ResponseSource> all) throws InterruptedException {
        for (int hostilePolls = 0; hostilePolls < HOSTILE_POLLS; hostilePolls++) {
            List<Thread> hostile = hostileVenues.stream()
                    .map(id -> Thread.ofVirtual().start(() -> printPoll(id, all.get(id))))
                    .toList();
            int meanwhile = 0;
            do {
                PollResponses responses = all.get(OTHER).poll(Duration.ofMillis(100));
                meanwhile += hostile.stream().allMatch(Thread::isAlive) ? 1 : 0;
                if (!responses.fresh()) {
                    System.out.println("other failed " + responses.missing());
                }
            } while (!haveEnded(hostile));
            if (hostileVenues.size() == 1) {
                System.out.println("meanwhile " + meanwhile);
            }
        }
    }

    /** Waits between two polls for hostile ones to end; whether all have. */
    private static boolean haveEnded(List<Thread> hostile) throws InterruptedException {
        for (Thread each : hostile) {
            if (!each.join(BETWEEN_POLLS)) {
                return false;
            }
        }
        return true;
    }

    private static ResponseSource responses(Venue venue, VenueHttpClient exchanges, InstantSource clock) {
        return new VenueFetcher(
                venue, exchanges, Time.real(clock), new Random(1), RateLimitMode.NONE, MEMORY, IngestEvents.NONE);
    }

    private static void printPoll(String venue, ResponseSource source) {
        try {
            source.doubtLists();
            PollResponses polled = source.poll(Duration.ofMillis(100));
            long kept = Registry.find(venue).spec().requests().stream()
                    .filter(request -> polled.responses().hasResponse(request.name()))
                    .count();
            System.out.println("hostile " + polled.missing());
            System.out.println("kept " + kept + " of " + venue);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
