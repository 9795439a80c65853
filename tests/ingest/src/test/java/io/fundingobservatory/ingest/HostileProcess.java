package io.fundingobservatory.ingest;

import io.fundingobservatory.ingest.client.HttpTransport;
import io.fundingobservatory.ingest.client.RateLimitMode;
import io.fundingobservatory.ingest.client.Time;
import io.fundingobservatory.ingest.client.UnmanagedHttp;
import io.fundingobservatory.ingest.client.VenueHttpClient;
import io.fundingobservatory.ingest.poll.ResponseBudget;
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
 * them and keeps their responses. Then one hostile venue returns anything, and then all hostile ones at once. At the end another
 * venue is polled. Prints the outcome of all.
 */
final class HostileProcess {
    private static final String OTHER = "dydx";
    private static final int HOSTILE_POLLS = 2;
    private static final Duration FIRST_POLL = Duration.ofSeconds(30);

    /** That of the whole process. */
    private static final ResponseBudget MEMORY = new ResponseBudget();

    private HostileProcess() {}

    /** The base URLs of the stand-in and of the hostile one, and the hostile venues. */
    public static void main(String[] args) throws InterruptedException {
        List<String> hostileVenues = List.of(args).subList(2, args.length);
        var clock = InstantSource.system();
        Map<String, VenueFetcher> all = new HashMap<>();
        try (var exchanges = UnmanagedHttp.inPlaceOfThem(args[0], clock, HttpTransport.DEADLINE);
                var hostile = UnmanagedHttp.inPlaceOfThem(args[1], clock, HttpTransport.DEADLINE);
                var endless = UnmanagedHttp.inPlaceOfThem(args[1] + "/endless", clock, HttpTransport.DEADLINE)) {
            int cut = 0;
            for (Venue venue : Registry.all()) {
                PollResponses polled = responses(venue, endless, clock).poll(Duration.ofSeconds(5));
                cut += polled.missing().toString().contains("response larger than") ? 1 : 0;
            }
            System.out.println("cut " + cut);
            int fresh = 0;
            for (Venue venue : Registry.all()) {
                String id = venue.spec().id();
                boolean isHostile = hostileVenues.contains(id);
                VenueFetcher source = responses(venue, isHostile ? hostile : exchanges, clock);
                all.put(id, source);
                fresh += !isHostile && isFresh(id, source) ? 1 : 0;
            }
            System.out.println("fresh " + fresh);
            for (int polls = 0; polls < HOSTILE_POLLS; polls++) {
                printPoll(hostileVenues.getFirst(), all);
            }
            for (int polls = 0; polls < HOSTILE_POLLS; polls++) {
                List<Thread> polling = hostileVenues.stream()
                        .map(id -> Thread.ofVirtual().start(() -> printPoll(id, all)))
                        .toList();
                for (Thread one : polling) {
                    one.join();
                }
            }
            System.out.println("other " + isFresh(OTHER, all.get(OTHER)));
        }
        System.out.println("done");
    }

    private static boolean isFresh(String venue, VenueFetcher source) throws InterruptedException {
        PollResponses polled = source.poll(FIRST_POLL);
        if (!polled.fresh()) {
            System.out.println("not fresh: " + venue + ", " + polled.requestCount() + " requests, " + polled.missing());
        }
        return polled.fresh();
    }

    private static VenueFetcher responses(Venue venue, VenueHttpClient exchanges, InstantSource clock) {
        return new VenueFetcher(
                venue, exchanges, Time.real(clock), new Random(1), RateLimitMode.NONE, MEMORY, IngestEvents.NONE);
    }

    private static void printPoll(String venue, Map<String, VenueFetcher> all) {
        try {
            VenueFetcher source = all.get(venue);
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
