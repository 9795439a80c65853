package io.fundingobservatory.standalone.audit;

import io.fundingobservatory.ingest.client.Time;
import io.fundingobservatory.ingest.client.VenueClient;
import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.ingest.json.Skip;
import io.fundingobservatory.ingest.poll.ResponseSource.PollResponses;
import io.fundingobservatory.ingest.poll.VenueFetcher;
import io.fundingobservatory.ingest.spec.Rows;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.streams.core.Normalised;
import io.fundingobservatory.streams.core.Normaliser;
import io.fundingobservatory.topics.records.Quote;
import io.fundingobservatory.topics.records.Rate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * One reading of a venue, normalised as the service does, without the service.
 *
 * @param rows the rows that were read
 * @param problems requests that failed and responses that could not be read, one line each
 */
public record VenueReading(List<AuditedRow> rows, List<String> problems) {
    /**
     * Polls a venue once, within a fifth of its published limits.
     *
     * @param clock the venue's and ours: whether a settlement has passed is judged by it
     * @param forKeys how long the requests for single symbols may take where they are needed
     */
    public static VenueReading of(Venue venue, VenueClient client, InstantSource clock, Duration forKeys)
            throws InterruptedException {
        Time time = Time.real(clock);
        PollResponses polled = new VenueFetcher(venue, client, time, new Random()).poll(forKeys);
        var problems = new ArrayList<>(polled.missing());
        var rows = new Rows(venue.spec(), polled.readAtMs() == null ? time.nowMs() : polled.readAtMs());
        try {
            venue.read(polled.responses(), rows);
        } catch (Skip e) {
            problems.add("its responses are not as documented: " + e.reason());
        } catch (RuntimeException e) {
            problems.add("its reader failed: " + e);
        }
        var read = new ArrayList<AuditedRow>();
        for (Quote quote : rows.quotes()) {
            if (Normaliser.normalise(quote, time.nowMs()) instanceof Normalised.Accepted(Rate rate)) {
                read.add(row(rate));
            }
        }
        if (read.isEmpty() && problems.isEmpty()) {
            problems.add("it returned no row; skipped: " + rows.skippedByReason());
        }
        return new VenueReading(read, problems);
    }

    private static AuditedRow row(Rate rate) {
        try {
            return AuditedRow.of(JsonValue.parse(Rate.CODEC.encode(rate)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
