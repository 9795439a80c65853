package io.fundingobservatory.standalone.progress;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.fundingobservatory.standalone.progress.ExchangeProgress.State;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A JSON object a line, for programs: {@code {"at_utc","event":"step","message"}}, and {@code {"at_utc","event":"exchange","venue",
 * "state","contracts","history_contracts_read","history_contracts","reason"}} whenever an exchange's state has changed. What is not
 * known is null.
 */
public final class JsonProgress implements Progress {
    private static final JsonFactory JSON = new JsonFactory();

    private final PrintStream out;
    private final InstantSource clock;
    private final Map<String, State> states = new HashMap<>();

    public JsonProgress(PrintStream out, InstantSource clock) {
        this.out = out;
        this.clock = clock;
    }

    private interface Members {
        void write(JsonGenerator json) throws IOException;
    }

    @Override
    public void step(String message) {
        line("step", json -> json.writeStringField("message", message));
    }

    @Override
    public void exchange(ExchangeProgress changed, Collection<ExchangeProgress> all) {
        if (changed.state() == states.put(changed.venue(), changed.state())) {
            return;
        }
        line("exchange", json -> {
            json.writeStringField("venue", changed.venue());
            json.writeStringField("state", changed.state().word());
            number(json, "contracts", changed.contracts());
            number(json, "history_contracts_read", changed.historyRead());
            number(json, "history_contracts", changed.historyTotal());
            json.writeStringField("reason", changed.reason());
        });
    }

    private static void number(JsonGenerator json, String name, @Nullable Long value) throws IOException {
        json.writeFieldName(name);
        if (value == null) {
            json.writeNull();
        } else {
            json.writeNumber(value);
        }
    }

    private synchronized void line(String event, Members members) {
        var line = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(line)) {
            json.writeStartObject();
            Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
            json.writeStringField("at_utc", now.toString());
            json.writeStringField("event", event);
            members.write(json);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        out.println(line);
    }
}
