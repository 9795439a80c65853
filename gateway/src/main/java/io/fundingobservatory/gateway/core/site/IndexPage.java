package io.fundingobservatory.gateway.core.site;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fundingobservatory.gateway.core.coding.Content;
import io.fundingobservatory.gateway.core.form.Json;
import io.fundingobservatory.gateway.core.request.Kind;
import io.fundingobservatory.gateway.core.request.Scope;
import io.fundingobservatory.gateway.core.rows.Missing;
import io.fundingobservatory.gateway.core.snapshot.Envelope;
import io.fundingobservatory.gateway.core.snapshot.Snapshot;
import io.fundingobservatory.gateway.traffic.Limits;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.records.Rate;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The body of {@code /api/v1}: what there is, how to read it, and where it ends. */
final class IndexPage {
    private static final Map<String, String> READING = new LinkedHashMap<>();
    private static final Map<String, String> DIFFERENCES = new LinkedHashMap<>();

    static {
        READING.put(
                "funding_rate_8h",
                "The rate converted to 8 hours, as a fraction of notional: 0.0001 is 0.01 %. Already comparable between exchanges."
                        + " Do not multiply or divide it by the interval again.");
        READING.put(
                "funding_interval_h",
                "The exchange's own hours between two settlements, unmodified. It belongs to the symbol, not the exchange, and may"
                        + " change. It says how many payments fall into a holding period; it is not needed for comparison.");
        READING.put(
                "funding_rate_annualised",
                "funding_rate_8h x 3 x 365: simple, not compounded. This instant's rate stretched to a year: hypothetical, neither a"
                        + " forecast nor a realised return.");
        READING.put(
                "mark_price",
                "In quote per price_scale coins: a 1000PEPE contract has price_scale 1000. Divide by price_scale before comparing"
                        + " prices between exchanges.");

        DIFFERENCES.put(
                "settlement_interval", "Exchanges settle every 1, 4 or 8 hours and so on: see funding_interval_h.");
        DIFFERENCES.put(
                "what_the_rate_stands_for",
                "A running estimate, a rate already fixed, the last settled one, or continuous accrual: see rate_kind.");
        DIFFERENCES.put("price_scale", "One contract can stand for many coins: see price_scale.");
    }

    private static final Map<String, String> UNITS = Map.ofEntries(
            Map.entry("observation_refresh_s", "seconds between two observations of an exchange, about"),
            Map.entry("stale_after_s", "seconds between reading and generation after which a row is marked stale"),
            Map.entry(
                    "removed_after_s",
                    "seconds between reading and generation after which a row is removed and counted in missing"),
            Map.entry("pair_window_days", "days over which the funding difference of a pair is summed"),
            Map.entry("exchanges_listed", "exchanges"),
            Map.entry("points_per_minute", "points a client may spend in a minute in the long run"),
            Map.entry("points_at_once", "points a client may spend at once"),
            Map.entry("whole_list_points", "points"),
            Map.entry("pairs_points", "points; twice as many with order"),
            Map.entry("sweep_names", "different assets and symbols"),
            Map.entry("sweep_window_s", "seconds"),
            Map.entry("sweep_once_percent", "percent of those names"),
            Map.entry("names_per_sweep_window", "different assets and symbols within sweep_window_s at most"),
            Map.entry("names_per_hour", "different assets and symbols within an hour at most"),
            Map.entry("names_per_request", "names in one request at most"));

    private IndexPage() {}

    static Content render(Snapshot snapshot, Limits limits) {
        return Content.tagged(Json.bytes(json -> {
            json.writeStartObject();
            envelope(snapshot).taggedMembers(json);
            json.writeStringField(
                    "description",
                    "Perpetual-futures funding rates and prices, read from each exchange's own public API about once a minute."
                            + " Observation, not advice.");
            kinds(json);
            endpoints(json, snapshot.ranking() != null);
            named(json, "reading", "field", READING);
            named(json, "differences", "difference", DIFFERENCES);
            limits(json, limits);
            links(json);
            json.writeEndObject();
        }));
    }

    /** Lists the missing venues here. The responses that contain the contracts list the missing contracts. */
    private static Envelope envelope(Snapshot snapshot) {
        Missing missing = snapshot.missing(Scope.ALL)
                .only(left -> false)
                .and("meta.missing.symbols", "not listed here; /api/v1/latest lists them");
        return snapshot.envelope(0, UNITS, missing);
    }

    private static void kinds(JsonGenerator json) throws IOException {
        Json.objects(json, "kinds", List.of(Kind.values()), kind -> {
            json.writeStringField("kind", kind.word);
            json.writeStringField("meaning", kind.meaning);
            json.writeStringField("status", kind.status());
            Json.text(json, "address", kind.endpoint);
        });
    }

    private static void endpoints(JsonGenerator json, boolean ranked) throws IOException {
        Json.objects(json, "addresses", Route.listed(), route -> {
            json.writeStringField("path", route.path);
            json.writeStringField("served", route.served() && (route != Route.CARRY || ranked) ? "yes" : "not yet");
            json.writeStringField("meaning", route.meaning);
            json.writeStringField("parameters", route.parametersMeaning);
        });
    }

    private static void named(JsonGenerator json, String name, String of, Map<String, String> entries)
            throws IOException {
        Json.objects(json, name, entries.entrySet(), entry -> {
            json.writeStringField(of, entry.getKey());
            json.writeStringField("meaning", entry.getValue());
        });
    }

    private static void limits(JsonGenerator json, Limits limits) throws IOException {
        json.writeObjectFieldStart("limits");
        json.writeNumberField("observation_refresh_s", 60);
        json.writeNumberField("exchanges_listed", ListedVenue.ALL.size());
        json.writeNumberField("stale_after_s", Rate.STALE_AFTER_MS / 1000);
        json.writeNumberField("removed_after_s", Rate.REMOVED_AFTER_MS / 1000);
        json.writeNumberField("pair_window_days", 30);
        json.writeNumberField("points_per_minute", limits.pointsPerMinute());
        json.writeNumberField("points_at_once", limits.burstPoints());
        json.writeNumberField("whole_list_points", Site.ALL);
        json.writeNumberField("pairs_points", Site.SOME);
        json.writeNumberField("sweep_names", limits.sweepNames());
        json.writeNumberField("sweep_window_s", limits.windowS());
        json.writeNumberField("sweep_once_percent", limits.sweepPercent());
        json.writeNumberField("names_per_sweep_window", limits.windowNames());
        json.writeNumberField("names_per_hour", limits.hourNames());
        json.writeNumberField("names_per_request", limits.requestNames());
        json.writeStringField(
                "traffic",
                "Fetch the whole list once and filter locally. One call per symbol over many symbols is a sweep and may be refused.");
        json.writeEndObject();
    }

    private static void links(JsonGenerator json) throws IOException {
        json.writeObjectFieldStart("links");
        json.writeStringField("page", Files.PAGE);
        json.writeStringField("skill", Files.SKILL);
        json.writeStringField("manifest", Files.MANIFEST);
        json.writeStringField("openapi", Files.OPENAPI);
        json.writeStringField("asyncapi", Files.ASYNCAPI);
        json.writeStringField("api_catalog", Files.API_CATALOG);
        json.writeStringField("agent_skills", Files.AGENT_SKILLS);
        json.writeStringField("llms", Files.LLMS);
        json.writeEndObject();
    }
}
