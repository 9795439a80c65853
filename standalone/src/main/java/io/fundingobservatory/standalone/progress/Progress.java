package io.fundingobservatory.standalone.progress;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Prints the progress of a start, one line for each event. People get a sentence with the time of day in UTC, programs a JSON object.
 * These are {@code {"at_utc","event":"step","message"}} and {@code {"at_utc","event":"exchange","venue","state","contracts",
 * "history_contracts_read","history_contracts","reason"}}. What is not known is null.
 */
public final class Progress {
    private static final JsonFactory JSON = new JsonFactory();

    private final PrintStream out;
    private final InstantSource clock;
    private final boolean forPeople;

    /** {@code forPeople} chooses sentences. */
    public Progress(PrintStream out, InstantSource clock, boolean forPeople) {
        this.out = out;
        this.clock = clock;
        this.forPeople = forPeople;
    }

    /** What is being done or has been done, one sentence. */
    public void step(String message) {
        print(message, "step", Map.of("message", message));
    }

    /** The state of an exchange has changed. */
    void exchange(ExchangeProgress changed) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("venue", changed.venue());
        members.put("state", changed.state().name().toLowerCase(Locale.ROOT));
        members.put("contracts", changed.contracts());
        members.put("history_contracts_read", changed.historyRead());
        members.put("history_contracts", changed.historyTotal());
        members.put("reason", changed.reason());
        print(changed.sentence(), "exchange", members);
    }

    private synchronized void print(String sentence, String event, Map<String, ? extends @Nullable Object> members) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        if (forPeople) {
            // A response of an exchange must not control the terminal.
            out.println(LocalTime.ofInstant(now, ZoneOffset.UTC) + "Z " + sentence.replaceAll("[\\p{Cc}\\p{Cf}]", "?"));
            return;
        }
        var line = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(line)) {
            json.writeStartObject();
            json.writeStringField("at_utc", now.toString());
            json.writeStringField("event", event);
            for (var member : members.entrySet()) {
                json.writePOJOField(member.getKey(), member.getValue());
            }
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        out.println(line);
    }
}
