package io.fundingobservatory.ingest.polling;

import io.fundingobservatory.ingest.answers.Answers;
import io.fundingobservatory.ingest.header.Request;
import io.fundingobservatory.ingest.pacing.Time;
import io.fundingobservatory.ingest.reading.RecordedBodies;
import io.fundingobservatory.ingest.reading.Venue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;

/** The answers of a folder of recorded bodies, {@code DIR/<venue>/<request>.json}, as though they had just been given. */
public final class RecordedAnswers implements AnswerSource {
    private final Venue venue;
    private final Path folder;
    private final Time time;

    public RecordedAnswers(Venue venue, Path directory, Time time) {
        this.venue = venue;
        this.folder = directory.resolve(venue.header().id());
        this.time = time;
    }

    @Override
    public PollAnswers round(Duration forKeys) {
        if (!Files.isDirectory(folder)) {
            return new PollAnswers(new Answers(), false, null, 1, List.of("nothing is recorded of it"));
        }
        long now = time.nowMs();
        var problems = new TreeMap<String, String>();
        Answers answers;
        try {
            answers = RecordedBodies.answers(venue, folder, now, problems);
        } catch (IOException e) {
            return new PollAnswers(new Answers(), false, null, 1, List.of("its recording cannot be read"));
        }
        var missing = new java.util.ArrayList<String>();
        problems.forEach((name, problem) -> missing.add(name + ": " + problem));
        boolean figures = false;
        for (Request request : venue.header().requests()) {
            if (request.cadence() == Request.Cadence.MINUTE) {
                if (answers.answered(request.name())) {
                    figures = true;
                } else {
                    missing.add(request.name() + ": not recorded");
                }
            }
        }
        return new PollAnswers(
                answers,
                figures,
                figures ? now : null,
                venue.header().requests().size(),
                missing);
    }
}
