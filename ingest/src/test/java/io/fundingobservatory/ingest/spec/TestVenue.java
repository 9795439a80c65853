package io.fundingobservatory.ingest.spec;

import io.fundingobservatory.ingest.client.FetchResult.Received;
import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.ingest.spec.Settlements.Settled;
import io.fundingobservatory.topics.records.IntervalSource;
import io.fundingobservatory.topics.records.RateKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A venue of a test's own. Its responses to {@code rates} and {@code rate_{}} have {@code rows}, those with settled rates
 * {@code history}, and its errors a {@code code}.
 */
public record TestVenue(VenueSpec spec, BiConsumer<VenueResponses, Rows> reader) implements Venue {
    public static final String HOST = "api.example.com";
    public static final Request RATES = Request.get("rates", "https://" + HOST + "/rates");

    public TestVenue(VenueSpec spec) {
        this(spec, TestVenue::readRates);
    }

    public static VenueSpec.Builder sheet() {
        return VenueSpec.venue("gate")
                .docs("https://docs.example", "2026-09-15")
                .rate(RateKind.ESTIMATE);
    }

    /** One request for all rates, ten times a second at most. */
    public static VenueSpec plain() {
        return sheet().limit(HOST, 600, 60).request(RATES).build();
    }

    @Override
    public void read(VenueResponses responses, Rows rows) {
        reader.accept(responses, rows);
    }

    public static void readRates(VenueResponses responses, Rows rows) {
        for (String request : List.of("rates", "rate_{}")) {
            for (VenueResponses.Response response : responses.all(request)) {
                rows.each(
                        response.body().list("rows"),
                        "symbol",
                        row -> QuoteBuilder.linear(row.text("symbol"), "USDT")
                                .rate(row.fundingRate("rate"))
                                .intervalHours(8, IntervalSource.DOCUMENTED)
                                .venueTime(row.millis("time"))
                                .observedAt(response.readAtMs()));
            }
        }
    }

    @Override
    public void readHistory(JsonValue body, Settlements settlements) {
        if (body.has("bug")) {
            throw new IllegalStateException("bug");
        }
        settlements.each(
                body.list("history"),
                row -> row.has("symbol") ? row.text("symbol") : settlements.symbol(),
                row -> Settled.fraction(row.millis("at"), row.decimal("rate")));
    }

    @Override
    public @Nullable VenueError error(JsonValue body) {
        return body.has("code") ? new VenueError("code " + body.text("code"), body.is("code", "-1003")) : null;
    }

    public static JsonValue json(String text) {
        try {
            return JsonValue.parse(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static Received received(String text, long readAtMs) {
        return new Received(json(text), readAtMs);
    }

    /** A response with these elements in a list. */
    public static Received list(String name, long readAtMs, String... elements) {
        return received(
                Arrays.stream(elements).collect(Collectors.joining(",", "{\"" + name + "\":[", "]}")), readAtMs);
    }
}
