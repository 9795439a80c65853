package io.fundingobservatory.ingest.poll;

import io.fundingobservatory.ingest.client.Backoffs;
import io.fundingobservatory.ingest.client.RecordedBodies;
import io.fundingobservatory.ingest.client.Time;
import io.fundingobservatory.ingest.poll.ResponseSource.PollResponses;
import io.fundingobservatory.ingest.spec.Request;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueResponses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** The responses of a folder of recorded bodies, {@code DIR/<venue>/<request>.json}, as though they had just been given. */
public final class RecordedResponses implements ResponseSource {
    private final Venue venue;
    private final Path folder;
    private final Time time;
    private final Backoffs pauses;

    public RecordedResponses(Venue venue, Path directory, Time time) {
        this.venue = venue;
        this.folder = directory.resolve(venue.spec().id());
        this.time = time;
        this.pauses = new Backoffs(venue.spec(), time);
    }

    @Override
    public Backoffs backoffs() {
        return pauses;
    }

    @Override
    public PollResponses poll(Duration forKeys) {
        if (!Files.isDirectory(folder)) {
            return new PollResponses(new VenueResponses(), false, null, 1, List.of("nothing is recorded of it"));
        }
        long now = time.nowMs();
        var problems = new TreeMap<String, String>();
        VenueResponses responses;
        try {
            responses = RecordedBodies.responses(venue, folder, now, problems);
        } catch (IOException e) {
            return new PollResponses(new VenueResponses(), false, null, 1, List.of("its recording cannot be read"));
        }
        var missing = new ArrayList<String>();
        problems.forEach((name, problem) -> missing.add(name + ": " + problem));
        List<Request> requests = venue.spec().requests();
        requests.stream()
                .filter(request -> request.isFrequent() && !responses.hasResponse(request.name()))
                .forEach(request -> missing.add(request.name() + ": not recorded"));
        boolean hasRates = requests.stream().anyMatch(r -> r.isFrequent() && responses.hasResponse(r.name()));
        return new PollResponses(responses, hasRates, hasRates ? now : null, requests.size(), missing);
    }
}
