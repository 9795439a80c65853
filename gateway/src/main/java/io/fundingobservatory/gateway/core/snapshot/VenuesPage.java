package io.fundingobservatory.gateway.core.snapshot;

import io.fundingobservatory.gateway.core.coding.Columns;
import io.fundingobservatory.gateway.core.coding.Content;
import io.fundingobservatory.gateway.core.coding.Json;
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
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The body of {@code /api/v1/venues}: one row per listed exchange, read or not. */
public final class VenuesPage {
    private static final String HOURS = "hours between two settlements";
    private static final String ROWS = "rows in the current observation";
    private static final String PER_8H = "fraction of notional per 8 hours, ";

    private static final Columns<Row> COLUMNS = columns();

    public static final RowForm.Fields FIELDS = COLUMNS.fields();

    private VenuesPage() {}

    private static Columns<Row> columns() {
        Columns.Part<Row, Row> row = Columns.Part.ofRow();
        Columns.Part<Row, Row> observed =
                row.orNull("null where the exchange has no row or no reader; its reason says which");
        Columns.Part<Row, VenueStatus> status = observed.of(entry -> entry.state.status());
        Columns.Part<Row, PollCounts> counts = row.orNull(
                        "null where the exchange is not polled, or has not been polled since this release was installed")
                .of(Row::counts);
        Columns.Part<Row, VenueStatus> history = row.orNull(
                        "null where the exchange publishes no settled rates, or how far they are read is not known yet")
                .of(entry -> entry.state.status());
        Columns.Part<Row, Row> reach = row.orNull(
                "null where nothing keeps settled rates from being read, where the exchange has not told us to wait, and where what it"
                        + " publishes does not end after a number of rows");
        Columns.Part<Row, VenueQuality> quality = row.orNull(
                        "null where the exchange publishes no settled rates (settled_history is false), or"
                                + " none of them has met an estimate of ours in the last 30 days; estimate_error_settlements counts those that have")
                .of(entry -> entry.state.quality());
        row.of(Row::listed)
                .field("venue", ListedVenue::id)
                .field("name", ListedVenue::name)
                .field("kind", ListedVenue::kind)
                .field("default_scope", ListedVenue::defaultScope)
                .field("listed_since", ListedVenue::listedSince)
                .orNull("null where the exchange has announced no end of its trading")
                .of(ListedVenue::closing)
                .time("closed_at_ms", ListedVenue.Closing::atMs)
                .field("closed_at_utc", closing -> Json.utc(closing.atMs()))
                .field("closed_announcement", ListedVenue.Closing::announcement);
        row.field("in_current_observation", entry -> entry.state.present())
                .number("symbols", ROWS, entry -> entry.state.rows().size());
        observed.time("last_observed_ms", Row::lastObservedMs);
        row.field("reason", entry -> entry.state.reason());
        status.field("rate_kind", VenueStatus::rateKind);
        row.field(
                "symbols_by_interval_h",
                Map.of("funding_interval_h", HOURS, "symbols", ROWS),
                entry -> intervals(entry.state.rows()));
        observed.number(
                        "age_p50_s",
                        "seconds between reading and generation, median over the exchange's rows",
                        entry -> entry.age(50))
                .number(
                        "age_p95_s",
                        "seconds between reading and generation, 95th percentile over the exchange's rows",
                        entry -> entry.age(95));
        counts.time("counted_since_ms", PollCounts::sinceMs);
        row.orNull(counts.whenNull())
                .of(Row::lastDay)
                .number(
                        "polls_24h",
                        "polls since the full hour 24 hours ago, or since counted_since_ms where that is later",
                        PollCounts.LastDay::polls)
                .number("failed_polls_24h", "those of polls_24h that brought no rate", PollCounts.LastDay::failed)
                .number(
                        "missing_s_24h",
                        "seconds of the same time in which no rate was younger than 180 s",
                        day -> BigDecimal.valueOf(day.missingMs(), 3));
        row.orNull(
                        "null until 30 days have been counted, from 00:00 UTC after counted_since_ms; it is never computed from"
                                + " fewer days")
                .number(
                        "presence_30d",
                        "fraction of the time since 00:00 UTC 30 days ago in which a rate was younger than 180 s, rounded down",
                        Row::presence);
        status.field("settled_history", VenueStatus::settledHistory);
        history.number(
                        "settled_history_contracts",
                        "contracts whose settled rates of the last 31 days are read",
                        VenueStatus::historyTotal)
                .number(
                        "settled_history_contracts_read",
                        "contracts of which all that the exchange shows has been read",
                        VenueStatus::historyDone);
        reach.field("history_problem", Row::historyProblem)
                .time("closed_until_ms", Row::closedUntilMs)
                .number(
                        "settled_history_newest_rows",
                        "settlements of one contract, the newest, after which the exchange's list of them ends",
                        entry -> entry.listed().historyReach().newestRows());
        row.field("can_be_complete", entry -> entry.state.canBeComplete());
        quality.number(
                        "estimate_error_p50",
                        PER_8H + "median of |settled - estimate| over 30 days",
                        VenueQuality::errorP50)
                .number(
                        "estimate_error_p95",
                        PER_8H + "95th percentile of |settled - estimate| over 30 days",
                        VenueQuality::errorP95);
        row.number("estimate_error_settlements", "settlements of 30 days of which both rates are known", entry -> {
            VenueQuality known = entry.state.quality();
            return known == null ? 0 : known.settlements();
        });
        row.orNull(counts.whenNull())
                .of(entry -> entry.state.status())
                .field("rate_requests", VenuesPage::rateRequests);
        status.field("docs", VenueStatus::docs);
        return new Columns<>(List.copyOf(row.columns()), Set.of("venue"));
    }

    /**
     * The body of a snapshot.
     *
     * @param named the scope of the venues that were named; null for every listed venue
     */
    public static Content render(Snapshot snapshot, @Nullable Scope named, RowForm form) {
        Scope scope = named == null ? Scope.ALL : named;
        List<VenueState> states = snapshot.states(scope);
        List<Row> rows = COLUMNS.first(states.stream().map(Row::of), form);
        Map<String, String> units = COLUMNS.units(form.units(), form);
        Missing missing = snapshot.missing(scope).in(form, form.concerned());
        if (scope.venues().isEmpty()) {
            missing.and("rows", "none of the exchanges named is listed");
        } else {
            missing.andNulls(form, COLUMNS);
        }
        Envelope envelope = snapshot.envelope(named, rows.size(), units, missing);
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

    /**
     * A venue as of its snapshot.
     *
     * @param observedAtMs when each of its rows was read, sorted, epoch ms UTC
     */
    private record Row(VenueState state, List<Long> observedAtMs) {
        static Row of(VenueState state) {
            return new Row(
                    state,
                    state.rows().rows().stream()
                            .map(row -> row.rate().observedAtMs())
                            .sorted()
                            .toList());
        }

        ListedVenue listed() {
            return state.venue();
        }

        /** Nothing is counted of an exchange that has closed. */
        @Nullable
        PollCounts counts() {
            VenueStatus status = state.status();
            return state.closed() || status == null ? null : status.pollCounts();
        }

        PollCounts.@Nullable LastDay lastDay() {
            PollCounts counts = counts();
            return counts == null ? null : counts.lastDay(state.nowMs());
        }

        @Nullable
        BigDecimal presence() {
            PollCounts counts = counts();
            return counts == null ? null : counts.presence(state.nowMs());
        }

        @Nullable
        Long lastObservedMs() {
            VenueStatus status = state.status();
            return observedAtMs.isEmpty() ? (status == null ? null : status.lastSuccessMs()) : observedAtMs.getLast();
        }

        /** Nearest rank: the age that so many percent of the rows do not exceed, seconds. */
        @Nullable
        BigDecimal age(int percent) {
            if (observedAtMs.isEmpty()) {
                return null;
            }
            int rank = Math.max(1, Math.ceilDiv(observedAtMs.size() * percent, 100));
            return BigDecimal.valueOf(Math.max(0, state.nowMs() - observedAtMs.get(observedAtMs.size() - rank)), 3);
        }

        /** What keeps 31 days from being read: what ingest met, else that the exchange shows no more. */
        @Nullable
        String historyProblem() {
            VenueStatus status = state.status();
            Integer newestRows = listed().historyReach().newestRows();
            return status != null && status.historyProblem() != null
                    ? status.historyProblem()
                    : newestRows == null
                            ? null
                            : "history_capped: the exchange shows the newest " + newestRows
                                    + " settlements of a contract";
        }

        /** The last of the instants before which a host, pool or request of the venue is not used; null when all of them have passed. */
        @Nullable
        Long closedUntilMs() {
            VenueStatus status = state.status();
            return status == null
                    ? null
                    : status.closedUntilMs().values().stream()
                            .filter(until -> until > state.nowMs())
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
        var counts = new TreeMap<@Nullable BigDecimal, Integer>(Comparator.nullsLast(Comparator.naturalOrder()));
        known.rows().forEach(row -> counts.merge(row.rate().fundingIntervalH(), 1, Integer::sum));
        return (json, text) -> Json.objects(json, counts.entrySet(), interval -> {
            json.writeFieldName("funding_interval_h");
            Columns.value(json, interval.getKey(), text);
            json.writeNumberField("symbols", interval.getValue());
        });
    }
}
