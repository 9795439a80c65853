package io.fundingobservatory.gateway.core.snapshot;

import io.fundingobservatory.gateway.core.form.Column;
import io.fundingobservatory.gateway.core.form.Columns;
import io.fundingobservatory.gateway.core.pairs.PairRanking.Refused;
import io.fundingobservatory.gateway.core.pairs.RankedPair;
import io.fundingobservatory.gateway.core.request.RowForm;
import io.fundingobservatory.topics.carry.CarryLeg;
import io.fundingobservatory.topics.carry.DailyDifferences;
import io.fundingobservatory.topics.carry.RatePercentiles;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The fields of the three lists of {@code /api/v1/carry}. */
public final class PairColumns {
    private static final Set<String> KEYS = Set.of("asset", "long.venue", "long.symbol", "short.venue", "short.symbol");

    static final Columns<PairRow> COMPLETE = new Columns<>(pair(true), KEYS);

    /** What is summed here covers fewer days than thirty, so no sum of it has a name that says thirty. */
    static final Columns<PairRow> INCOMPLETE = new Columns<>(pair(false), KEYS);

    static final Columns<Refused> REFUSED = new Columns<>(
            List.of(
                    Column.of("asset", Refused::asset),
                    Column.of("venue_a", entry -> entry.refusal().venueA()),
                    Column.of("symbol_a", entry -> entry.refusal().symbolA()),
                    Column.number(
                            "price_a",
                            "units of quote per coin of asset",
                            entry -> entry.refusal().priceA()),
                    Column.of("venue_b", entry -> entry.refusal().venueB()),
                    Column.of("symbol_b", entry -> entry.refusal().symbolB()),
                    Column.number(
                            "price_b",
                            "units of quote per coin of asset",
                            entry -> entry.refusal().priceB()),
                    Column.of("reason", entry -> entry.refusal().reason())),
            Set.of("asset", "venue_a", "symbol_a", "venue_b", "symbol_b"));

    /** The fields that a request can name: those of any of the lists. */
    public static final RowForm.Fields FIELDS =
            new RowForm.Fields(union(RowForm.Fields::names), union(RowForm.Fields::numeric));

    /** The values outside the rows. */
    private static final Map<String, String> UNITS = Map.ofEntries(
            Map.entry("window_start_ms", Column.EPOCH_MS + ", not included"),
            Map.entry("window_end_ms", Column.EPOCH_MS + ", included"),
            Map.entry("rows_matched", "complete pairs in this response's scope, before limit"),
            Map.entry("limit", "entries of each list at most"),
            Map.entry("complete_count", "complete pairs in this response's scope"),
            Map.entry("incomplete_count", "incomplete pairs in this response's scope"),
            Map.entry("refused_count", "refused pairs in this response's scope"),
            Map.entry(
                    "complete_outside_scope", "complete pairs with a leg at an exchange outside this response's scope"),
            Map.entry(
                    "incomplete_outside_scope",
                    "incomplete pairs with a leg at an exchange outside this response's scope"),
            Map.entry("refused_outside_scope", "refused pairs with a leg at an exchange outside this response's scope"),
            Map.entry(
                    "unpaired_contracts",
                    "contracts in scope without another one of the same asset and type at a second exchange in scope; quanto never has one"),
            Map.entry(
                    "settled_history_contracts", "contracts in scope whose settled rates of the last 31 days are read"),
            Map.entry(
                    "settled_history_contracts_read",
                    "contracts in scope of which all that the exchange shows has been read"));

    private PairColumns() {}

    /** The units of a response with lists in a form. */
    static Map<String, String> units(RowForm form) {
        return COMPLETE.units(INCOMPLETE.units(REFUSED.units(UNITS, form), form), form);
    }

    private static List<String> union(Function<RowForm.Fields, List<String>> names) {
        return Stream.of(COMPLETE.fields(), INCOMPLETE.fields(), REFUSED.fields())
                .map(names)
                .flatMap(Collection::stream)
                .distinct()
                .toList();
    }

    private static List<Column<PairRow>> pair(boolean complete) {
        var all = new ArrayList<Column<PairRow>>();
        if (complete) {
            all.add(Column.number(
                    "rank", "place in this response's scope, 1 for the largest funding_difference_30d", PairRow::rank));
        }
        all.add(Column.of("asset", row -> row.pair().asset()));
        leg(all, "long.", RankedPair::longLeg, complete);
        leg(all, "short.", RankedPair::shortLeg, complete);
        all.add(Column.number(
                "funding_difference_30d",
                "fraction of notional over 30 days: the short leg's sum less the long leg's",
                row -> complete ? row.pair().difference() : null));
        if (!complete) {
            all.add(Column.number(
                    "funding_difference",
                    "fraction of notional over the last days days: the short leg's sum less the long leg's",
                    row -> row.pair().difference()));
            all.add(Column.of("reason", PairRow::reason));
            all.add(Column.of("reason_venue", PairRow::reasonVenue));
        }
        all.add(Column.number(
                "funding_difference_7d",
                "fraction of notional over the last 7 days, of the same legs",
                row -> row.days().over(7)));
        all.add(Column.number(
                "funding_difference_24h",
                "fraction of notional over the last 24 hours, of the same legs",
                row -> row.days().over(1)));
        day(all, "best_day.", DailyDifferences::best);
        day(all, "worst_day.", DailyDifferences::worst);
        all.add(Column.number(
                "days",
                "whole days of 24 hours that both legs are covered for",
                row -> row.pair().days()));
        all.add(Column.of("complete", row -> row.pair().complete()));
        all.add(Column.of("orientation", PairRow::orientation));
        all.add(Column.number("positive_days", "days on which the difference was positive", PairRow::positiveDays));
        all.add(Column.number(
                "current_difference_8h",
                "fraction of notional per 8 hours: the short leg's current rate less the long leg's",
                PairRow::currentDifference));
        all.add(Column.of("current_direction_agrees", PairRow::currentDirectionAgrees));
        all.add(Column.number(
                "price_ratio",
                "mark price per coin of the short leg divided by that of the long leg",
                PairRow::priceRatio));
        all.add(Column.number(
                "window_end_ms",
                Column.EPOCH_MS + ", included",
                row -> row.pair().windowEndMs()));
        all.add(Column.of("receipt", row -> row.pair().receipt()));
        return List.copyOf(all);
    }

    private static void leg(
            List<Column<PairRow>> all, String name, Function<RankedPair, CarryLeg> leg, boolean complete) {
        String sum = complete ? "funding_sum_30d" : "funding_sum";
        String over = complete ? "30 days" : "the last days days";
        String unit = "fraction of notional over " + over + "; longs paid shorts when positive";
        Function<PairRow, CarryLeg> of = row -> leg.apply(row.pair());
        all.add(Column.of(name + "venue", of.andThen(CarryLeg::venue)));
        all.add(Column.of(name + "symbol", of.andThen(CarryLeg::symbol)));
        all.add(Column.of(name + "quote", row -> of.apply(row).quote()));
        all.add(Column.number(
                name + "listing_epoch", "listings of the ticker before this one", of.andThen(CarryLeg::listingEpoch)));
        all.add(Column.number(name + sum, unit, row -> of.apply(row).fundingSum()));
        all.add(Column.number(name + "settlements", "known settlements", of.andThen(CarryLeg::settlements)));
        all.add(Column.number(
                name + "expected", "settlements that there must have been", of.andThen(CarryLeg::expected)));
        all.add(Column.number(
                name + "estimated",
                "known settlements that rest on our own last reading",
                of.andThen(CarryLeg::estimated)));
        all.add(Column.time(name + "first_settlement_ms", row -> of.apply(row).firstSettlementMs()));
        all.add(Column.time(name + "last_settlement_ms", row -> of.apply(row).lastSettlementMs()));
        all.add(Column.number(
                name + "funding_interval_h",
                "hours between two settlements",
                row -> of.apply(row).fundingIntervalH()));
        all.add(Column.of(name + "basis", row -> of.apply(row).basis()));
        all.add(Column.number(
                name + "funding_rate_8h",
                "fraction of notional per 8 hours; longs pay shorts when positive",
                row -> row.rate8h(of.apply(row))));
        percentile(all, name + "rate_8h_p10", "10th percentile", of, RatePercentiles::p10);
        percentile(all, name + "rate_8h_p50", "median", of, RatePercentiles::p50);
        percentile(all, name + "rate_8h_p90", "90th percentile", of, RatePercentiles::p90);
    }

    private static void percentile(
            List<Column<PairRow>> all,
            String name,
            String which,
            Function<PairRow, CarryLeg> leg,
            Function<RatePercentiles, BigDecimal> of) {
        all.add(Column.number(
                name,
                "fraction of notional per 8 hours: " + which
                        + " of the leg's settled rates of 30 days, weighted by time",
                row -> leg.apply(row).percentile(of)));
    }

    private static void day(
            List<Column<PairRow>> all, String name, Function<DailyDifferences, DailyDifferences.@Nullable Day> day) {
        all.add(Column.number(
                name + "day_start_ms", Column.EPOCH_MS + ", not included; the day is the 24 hours after it", row -> {
                    DailyDifferences.Day found = day.apply(row.days());
                    return found == null ? null : found.startMs();
                }));
        all.add(Column.number(
                name + "day_difference",
                "fraction of notional over that day: the short leg's sum less the long leg's",
                row -> {
                    DailyDifferences.Day found = day.apply(row.days());
                    return found == null ? null : found.difference();
                }));
    }
}
