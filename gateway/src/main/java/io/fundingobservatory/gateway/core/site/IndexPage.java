package io.fundingobservatory.gateway.core.site;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fundingobservatory.gateway.core.coding.Content;
import io.fundingobservatory.gateway.core.form.Columns;
import io.fundingobservatory.gateway.core.form.Json;
import io.fundingobservatory.gateway.core.request.Kind;
import io.fundingobservatory.gateway.core.request.RowForm;
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
import java.util.Set;

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

    private static final Columns<Limits> LIMITS = new Columns<>(
            Columns.Part.<Limits>ofRow()
                    .number("observation_refresh_s", "seconds between two observations of an exchange, about", of -> 60)
                    .number("exchanges_listed", "exchanges", of -> ListedVenue.ALL.size())
                    .number(
                            "stale_after_s",
                            "seconds between reading and generation after which a row is marked stale",
                            of -> Rate.STALE_AFTER_MS / 1000)
                    .number(
                            "removed_after_s",
                            "seconds between reading and generation after which a row is removed and counted in missing",
                            of -> Rate.REMOVED_AFTER_MS / 1000)
                    .number("pair_window_days", "days over which the funding difference of a pair is summed", of -> 30)
                    .number(
                            "points_per_minute",
                            "points a client may spend in a minute in the long run",
                            Limits::pointsPerMinute)
                    .number("points_at_once", "points a client may spend at once", Limits::burstPoints)
                    .number("whole_list_points", "points", of -> Site.ALL)
                    .number("pairs_points", "points; twice as many with order", of -> Site.SOME)
                    .number("sweep_names", "different assets and symbols", Limits::sweepNames)
                    .number("sweep_window_s", "seconds", Limits::windowS)
                    .number("sweep_once_percent", "percent of those names", Limits::sweepPercent)
                    .number(
                            "names_per_sweep_window",
                            "different assets and symbols within sweep_window_s at most",
                            Limits::windowNames)
                    .number("names_per_hour", "different assets and symbols within an hour at most", Limits::hourNames)
                    .number("names_per_request", "names in one request at most", Limits::requestNames)
                    .field(
                            "traffic",
                            of ->
                                    "Fetch the whole list once and filter locally. One call per symbol over many symbols is a"
                                            + " sweep and may be refused.")
                    .columns(),
            Set.of());

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
            json.writeObjectFieldStart("limits");
            LIMITS.members(json, limits);
            json.writeEndObject();
            links(json);
            json.writeEndObject();
        }));
    }

    /** Lists the missing venues here. The responses that contain the contracts list the missing contracts. */
    private static Envelope envelope(Snapshot snapshot) {
        Missing missing = snapshot.missing(Scope.ALL)
                .onlyOf(Set.of())
                .and("meta.missing.symbols", "not listed here; /api/v1/latest lists them");
        return snapshot.envelope(null, 0, LIMITS.units(Map.of(), RowForm.WHOLE), missing);
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
