package io.fundingobservatory.gateway.core.snapshot;

import io.fundingobservatory.gateway.core.coding.Content;
import io.fundingobservatory.gateway.core.form.Column;
import io.fundingobservatory.gateway.core.form.Columns;
import io.fundingobservatory.gateway.core.form.Json;
import io.fundingobservatory.gateway.core.request.RowForm;
import io.fundingobservatory.gateway.core.request.Scope;
import io.fundingobservatory.gateway.core.rows.Missing;
import io.fundingobservatory.gateway.core.rows.VenueRows;
import io.fundingobservatory.gateway.core.rows.VenueState;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.records.PollCounts;
import io.fundingobservatory.topics.records.VenueQuality;
import io.fundingobservatory.topics.records.VenueStatus;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The body of {@code /api/v1/venues}: one row per listed exchange, read or not. */
public final class VenuesPage {
    private static final String HOURS = "hours between two settlements";
    private static final String ROWS = "rows in the current observation";

    private static final Map<List<String>, String> NOTES = new LinkedHashMap<>();

    static {
        NOTES.put(
                List.of("estimate_error_p50", "estimate_error_p95"),
                "null where the exchange publishes no settled rates (settled_history is false), or"
                        + " none of them has met an estimate of ours in the last 30 days; estimate_error_settlements counts those that have");
        NOTES.put(
                List.of("settled_history_contracts", "settled_history_contracts_read"),
                "null where the exchange publishes no settled rates, or how far they are read is not known yet");
        NOTES.put(
                List.of("history_problem", "closed_until_ms", "settled_history_newest_rows"),
                "null where nothing keeps settled rates from being read, where the exchange has not told us to wait, and where what it"
                        + " publishes does not end after a number of rows");
        NOTES.put(
                List.of("closed_at_ms", "closed_at_utc", "closed_announcement"),
                "null where the exchange has announced no end of its trading");
        NOTES.put(
                List.of("counted_since_ms", "polls_24h", "failed_polls_24h", "missing_s_24h", "rate_requests"),
                "null where the exchange is not polled, or has not been polled since this release was installed");
        NOTES.put(
                List.of("presence_30d"),
                "null until 30 days have been counted, from 00:00 UTC after counted_since_ms; it is never computed from"
                        + " fewer days");
        NOTES.put(
                List.of("last_observed_ms", "rate_kind", "age_p50_s", "age_p95_s", "settled_history", "docs"),
                "null where the exchange has no row or no reader; its reason says which");
    }

    private static final Columns<Row> COLUMNS = new Columns<>(
            List.of(
                    Column.of("venue", row -> row.listed().id()),
                    Column.of("name", row -> row.listed().name()),
                    Column.of("kind", row -> row.listed().kind()),
                    Column.of("default_scope", row -> row.listed().defaultScope()),
                    Column.of("listed_since", row -> row.listed().listedSince()),
                    Column.time("closed_at_ms", row -> row.closing(ListedVenue.Closing::atMs)),
                    Column.of("closed_at_utc", row -> Json.utc(row.closing(ListedVenue.Closing::atMs))),
                    Column.of("closed_announcement", row -> row.closing(ListedVenue.Closing::announcement)),
                    Column.of("in_current_observation", row -> row.state().present()),
                    Column.number("symbols", ROWS, row -> row.state().rows().size()),
                    Column.time("last_observed_ms", Row::lastObservedMs),
                    Column.of("reason", row -> row.state().reason()),
                    Column.of("rate_kind", row -> row.status(VenueStatus::rateKind)),
                    Column.of(
                            "symbols_by_interval_h",
                            Map.of("funding_interval_h", HOURS, "symbols", ROWS),
                            row -> intervals(row.state().rows())),
                    Column.number(
                            "age_p50_s",
                            "seconds between reading and generation, median over the exchange's rows",
                            row -> row.age(50)),
                    Column.number(
                            "age_p95_s",
                            "seconds between reading and generation, 95th percentile over the exchange's rows",
                            row -> row.age(95)),
                    Column.time("counted_since_ms", row -> row.counts(PollCounts::sinceMs)),
                    Column.number(
                            "polls_24h",
                            "polls since the full hour 24 hours ago, or since counted_since_ms where that is later",
                            row -> row.lastDay(PollCounts.LastDay::polls)),
                    Column.number(
                            "failed_polls_24h",
                            "those of polls_24h that brought no rate",
                            row -> row.lastDay(PollCounts.LastDay::failed)),
                    Column.number(
                            "missing_s_24h",
                            "seconds of the same time in which no rate was younger than 180 s",
                            row -> row.lastDay(day -> BigDecimal.valueOf(day.missingMs(), 3))),
                    Column.number(
                            "presence_30d",
                            "fraction of the time since 00:00 UTC 30 days ago in which a rate was younger than 180 s, rounded down",
                            row -> row.counts(counts -> counts.presence(row.nowMs()))),
                    Column.of("settled_history", row -> row.status(VenueStatus::settledHistory)),
                    Column.number(
                            "settled_history_contracts",
                            "contracts whose settled rates of the last 31 days are read",
                            row -> row.status(VenueStatus::historyTotal)),
                    Column.number(
                            "settled_history_contracts_read",
                            "contracts of which all that the exchange shows has been read",
                            row -> row.status(VenueStatus::historyDone)),
                    Column.of("history_problem", Row::historyProblem),
                    Column.time("closed_until_ms", row -> row.status(row::closedUntilMs)),
                    Column.number(
                            "settled_history_newest_rows",
                            "settlements of one contract, the newest, after which the exchange's list of them ends",
                            row -> row.listed().historyReach().newestRows()),
                    Column.of("can_be_complete", row -> row.state().canBeComplete()),
                    Column.number(
                            "estimate_error_p50",
                            "fraction of notional per 8 hours, median of |settled - estimate| over 30 days",
                            row -> row.quality(VenueQuality::errorP50)),
                    Column.number(
                            "estimate_error_p95",
                            "fraction of notional per 8 hours, 95th percentile of |settled - estimate| over 30 days",
                            row -> row.quality(VenueQuality::errorP95)),
                    Column.number(
                            "estimate_error_settlements",
                            "settlements of 30 days of which both rates are known",
                            row -> {
                                Long settlements = row.quality(VenueQuality::settlements);
                                return settlements == null ? 0 : settlements;
                            }),
                    Column.of("rate_requests", row -> row.status(VenuesPage::rateRequests)),
                    Column.of("docs", row -> row.status(VenueStatus::docs))),
            Set.of("venue"));

    public static final RowForm.Fields FIELDS = COLUMNS.fields();

    private VenuesPage() {}

    /**
     * The body of a snapshot.
     *
     * @param named the scope of the venues that were named; null for every listed venue
     */
    public static Content render(Snapshot snapshot, @Nullable Scope named, RowForm form) {
        Scope scope = named == null ? Scope.ALL : named;
        List<VenueState> states = snapshot.states(scope);
        List<Row> rows = COLUMNS.first(states.stream().map(state -> Row.of(state, snapshot.generatedAtMs())), form);
        Map<String, String> units = COLUMNS.units(form.units(), form);
        Missing missing = missing(snapshot, scope, form);
        Envelope envelope = named == null
                ? snapshot.envelope(rows.size(), units, missing)
                : snapshot.envelope(scope, rows.size(), units, missing);
        return Content.tagged(Json.bytes(json -> {
            json.writeStartObject();
            envelope.taggedMembers(json);
            if (form.formed()) {
                json.writeNumberField("rows_matched", states.size());
            }
            COLUMNS.write(json, "columns", "rows", rows, form);
            json.writeEndObject();
        }));
    }

    private static Missing missing(Snapshot snapshot, Scope scope, RowForm form) {
        Missing missing = snapshot.missing(scope).in(form, form.concerned());
        if (scope.venues().isEmpty()) {
            return missing.and("rows", "none of the exchanges named is listed");
        }
        for (var note : NOTES.entrySet()) {
            missing = form.holdsAny(note.getKey())
                    ? missing.and(String.join(", ", note.getKey()), note.getValue())
                    : missing;
        }
        return missing;
    }

    /**
     * A venue as of an instant.
     *
     * @param observedAtMs when each of its rows was read, sorted, epoch ms UTC
     */
    private record Row(VenueState state, List<Long> observedAtMs, long nowMs) {
        static Row of(VenueState state, long nowMs) {
            return new Row(
                    state,
                    state.rows().rows().stream()
                            .map(row -> row.rate().observedAtMs())
                            .sorted()
                            .toList(),
                    nowMs);
        }

        ListedVenue listed() {
            return state.venue();
        }

        <T> @Nullable T closing(Function<ListedVenue.Closing, T> of) {
            ListedVenue.Closing closing = state.venue().closing();
            return closing == null ? null : of.apply(closing);
        }

        <T> @Nullable T status(Function<VenueStatus, @Nullable T> of) {
            VenueStatus status = state.status();
            return status == null ? null : of.apply(status);
        }

        /** Nothing is counted of an exchange that has closed. */
        <T> @Nullable T counts(Function<PollCounts, @Nullable T> of) {
            PollCounts counts = state.closed() ? null : status(VenueStatus::pollCounts);
            return counts == null ? null : of.apply(counts);
        }

        <T> @Nullable T lastDay(Function<PollCounts.LastDay, T> of) {
            return counts(counts -> of.apply(counts.lastDay(nowMs)));
        }

        <T> @Nullable T quality(Function<VenueQuality, @Nullable T> of) {
            VenueQuality quality = state.quality();
            return quality == null ? null : of.apply(quality);
        }

        @Nullable
        Long lastObservedMs() {
            return observedAtMs.isEmpty() ? status(VenueStatus::lastSuccessMs) : observedAtMs.getLast();
        }

        /** Nearest rank: the age that so many percent of the rows do not exceed, seconds. */
        @Nullable
        BigDecimal age(int percent) {
            if (observedAtMs.isEmpty()) {
                return null;
            }
            int rank = Math.max(1, Math.ceilDiv(observedAtMs.size() * percent, 100));
            return BigDecimal.valueOf(Math.max(0, nowMs - observedAtMs.get(observedAtMs.size() - rank)), 3);
        }

        /** What keeps 31 days from being read: what ingest met, else that the exchange shows no more. */
        @Nullable
        String historyProblem() {
            String met = status(VenueStatus::historyProblem);
            Integer newestRows = state.venue().historyReach().newestRows();
            return met != null || newestRows == null
                    ? met
                    : "history_capped: the exchange shows the newest " + newestRows + " settlements of a contract";
        }

        /** The last of the instants before which a host, pool or request of the venue is not used; null when all of them have passed. */
        @Nullable
        Long closedUntilMs(VenueStatus status) {
            return status.closedUntilMs().values().stream()
                    .filter(until -> until > nowMs)
                    .max(Long::compare)
                    .orElse(null);
        }
    }

    /** What anybody can send to check a rate; null while it is not known. */
    private static Json.@Nullable Part rateRequests(VenueStatus status) {
        return status.rateRequests().isEmpty()
                ? null
                : json -> Json.objects(json, status.rateRequests(), request -> {
                    json.writeStringField("method", request.method());
                    json.writeStringField("url", request.url());
                    json.writeStringField("body", request.body());
                });
    }

    /**
     * Returns the funding intervals as a list and not as a map. The interval is then a number with a unit, and
     * an unknown interval can be listed as null.
     */
    private static Columns.Nested intervals(VenueRows known) {
        var counts = new TreeMap<BigDecimal, Integer>();
        known.rows().forEach(row -> {
            BigDecimal hours = row.rate().fundingIntervalH();
            if (hours != null) {
                counts.merge(hours, 1, Integer::sum);
            }
        });
        int unknown =
                known.size() - counts.values().stream().mapToInt(count -> count).sum();
        var intervals = new LinkedHashMap<@Nullable BigDecimal, Integer>(counts);
        if (unknown > 0) {
            intervals.put(null, unknown);
        }
        return (json, text) -> Json.objects(json, intervals.entrySet(), interval -> {
            json.writeFieldName("funding_interval_h");
            Columns.value(json, interval.getKey(), text);
            json.writeNumberField("symbols", interval.getValue());
        });
    }
}
