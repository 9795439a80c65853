package io.fundingobservatory.gateway.core.site;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.fundingobservatory.gateway.core.coding.Columns;
import io.fundingobservatory.gateway.core.coding.Content;
import io.fundingobservatory.gateway.core.coding.Json;
import io.fundingobservatory.gateway.core.request.RowForm;
import io.fundingobservatory.gateway.core.request.Scope;
import io.fundingobservatory.gateway.core.rows.Missing;
import io.fundingobservatory.gateway.core.snapshot.Envelope;
import io.fundingobservatory.gateway.core.snapshot.Snapshot;
import io.fundingobservatory.gateway.traffic.ClientLimiter.Limits;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.records.Rate;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;

/** The body of {@code /api/v1}: what there is, how to read it, and where it ends. */
final class IndexPage {
    private static final JsonFactory FACTORY = new JsonFactory();

    /** All of it but the envelope and the limits, which depend on the snapshot and on settings. */
    private static final String STATIC = new String(Files.resource("/served/index.json"), StandardCharsets.UTF_8);

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
        String text = STATIC.replace("{carry served}", snapshot.ranking() == null ? "not yet" : "yes");
        return Content.tagged(Json.bytes(json -> {
            json.writeStartObject();
            envelope(snapshot).taggedMembers(json);
            try (JsonParser parser = FACTORY.createParser(text)) {
                parser.nextToken();
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    if (parser.currentName().equals("links")) {
                        json.writeObjectFieldStart("limits");
                        LIMITS.members(json, limits);
                        json.writeEndObject();
                    }
                    json.copyCurrentStructure(parser);
                }
            }
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
}
