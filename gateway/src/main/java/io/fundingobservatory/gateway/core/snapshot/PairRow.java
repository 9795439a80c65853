package io.fundingobservatory.gateway.core.snapshot;

import io.fundingobservatory.gateway.core.coding.Columns;
import io.fundingobservatory.gateway.core.request.RowForm;
import io.fundingobservatory.gateway.core.rows.EncodedRow;
import io.fundingobservatory.gateway.core.rows.VenueState;
import io.fundingobservatory.gateway.core.snapshot.PairRanking.Refused;
import io.fundingobservatory.topics.carry.CarryLeg;
import io.fundingobservatory.topics.carry.CarryRefusal;
import io.fundingobservatory.topics.carry.DailyDifferences;
import io.fundingobservatory.topics.carry.RatePercentiles;
import io.fundingobservatory.topics.json.Field;
import io.fundingobservatory.topics.records.Rate;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A pair as a response shows it: the values of its table, joined with the rates of a snapshot. One thread uses it. */
public final class PairRow {
    private static final Set<String> KEYS = Set.of("asset", "long.venue", "long.symbol", "short.venue", "short.symbol");
    private static final String NOT_OBSERVED =
            "null where a leg has no row, no 8-hour rate or no mark price in the current observation";
    private static final String NOT_30_DAYS = "null where fewer than 30 whole days of the leg's settlements are known";
    private static final String NO_DAYS = "null where the legs have no 7 days, or no day, in common";
    private static final String RATE_8H = "fraction of notional per 8 hours";

    /** The entries of the three lists. */
    static final Columns<PairRow> COMPLETE = pair(true);

    static final Columns<PairRow> INCOMPLETE = pair(false);

    static final Columns<Refused> REFUSED = new Columns<>(
            Columns.Part.<Refused>ofRow()
                    .field("asset", Refused::asset)
                    .of(Refused::refusal)
                    .field("venue_a", CarryRefusal::venueA)
                    .field("symbol_a", CarryRefusal::symbolA)
                    .number("price_a", "units of quote per coin of asset", CarryRefusal::priceA)
                    .field("venue_b", CarryRefusal::venueB)
                    .field("symbol_b", CarryRefusal::symbolB)
                    .number("price_b", "units of quote per coin of asset", CarryRefusal::priceB)
                    .field("reason", CarryRefusal::reason)
                    .columns(),
            Set.of("asset", "venue_a", "symbol_a", "venue_b", "symbol_b"));

    /** The fields that a request can name: those of any of the lists. */
    public static final RowForm.Fields FIELDS =
            new RowForm.Fields(union(RowForm.Fields::names), union(RowForm.Fields::numeric));

    private static List<String> union(Function<RowForm.Fields, List<String>> names) {
        return Stream.of(COMPLETE.fields(), INCOMPLETE.fields(), REFUSED.fields())
                .map(names)
                .flatMap(Collection::stream)
                .distinct()
                .toList();
    }

    /** Sums of an incomplete pair cover fewer days than thirty, so none of their names has thirty in it. */
    private static Columns<PairRow> pair(boolean complete) {
        Columns.Part<PairRow, PairRow> row = Columns.Part.ofRow();
        if (complete) {
            row.number(
                    "rank",
                    "place in this response's scope, 1 for the largest funding_difference_30d",
                    entry -> entry.rank);
        }
        row.field("asset", entry -> entry.pair.asset());
        leg(row, "long", RankedPair::longLeg, complete);
        leg(row, "short", RankedPair::shortLeg, complete);
        row.number(
                "funding_difference_30d",
                "fraction of notional over 30 days: the short leg's sum less the long leg's",
                entry -> complete ? entry.pair.difference() : null);
        if (!complete) {
            row.number(
                            "funding_difference",
                            "fraction of notional over the last days days: the short leg's sum less the long leg's",
                            entry -> entry.pair.difference())
                    .field("reason", PairRow::reason)
                    .field("reason_venue", PairRow::reasonVenue);
        }
        Columns.Part<PairRow, DailyDifferences> days = row.orNull(NO_DAYS).of(PairRow::days);
        days.number(
                        "funding_difference_7d",
                        "fraction of notional over the last 7 days, of the same legs",
                        of -> of.over(7))
                .number(
                        "funding_difference_24h",
                        "fraction of notional over the last 24 hours, of the same legs",
                        of -> of.over(1));
        day(days.object("best_day", DailyDifferences::best));
        day(days.object("worst_day", DailyDifferences::worst));
        row.number("days", "whole days of 24 hours that both legs are covered for", entry -> entry.pair.days())
                .field("complete", entry -> entry.pair.complete())
                .field("orientation", PairRow::orientation)
                .number("positive_days", "days on which the difference was positive", PairRow::positiveDays);
        row.orNull(NOT_OBSERVED)
                .number(
                        "current_difference_8h",
                        RATE_8H + ": the short leg's current rate less the long leg's",
                        PairRow::currentDifference)
                .field("current_direction_agrees", PairRow::currentDirectionAgrees)
                .number(
                        "price_ratio",
                        "mark price per coin of the short leg divided by that of the long leg",
                        PairRow::priceRatio);
        row.number("window_end_ms", Field.EPOCH_MS + ", included", entry -> entry.windowEndMs)
                .field("receipt", entry -> entry.pair.receipt());
        return new Columns<>(List.copyOf(row.columns()), KEYS);
    }

    private static void leg(
            Columns.Part<PairRow, PairRow> row, String name, Function<RankedPair, CarryLeg> leg, boolean complete) {
        String over = complete ? "30 days" : "the last days days";
        Columns.Part<PairRow, CarryLeg> part = row.object(name, entry -> leg.apply(entry.pair));
        part.field("venue", CarryLeg::venue)
                .field("symbol", CarryLeg::symbol)
                .field("quote", CarryLeg::quote)
                .number("listing_epoch", "listings of the ticker before this one", CarryLeg::listingEpoch)
                .number(
                        complete ? "funding_sum_30d" : "funding_sum",
                        "fraction of notional over " + over + "; longs paid shorts when positive",
                        CarryLeg::fundingSum)
                .number("settlements", "known settlements", CarryLeg::settlements)
                .number("expected", "settlements that there must have been", CarryLeg::expected)
                .number("estimated", "known settlements that rest on our own last reading", CarryLeg::estimated)
                .time("first_settlement_ms", CarryLeg::firstSettlementMs)
                .time("last_settlement_ms", CarryLeg::lastSettlementMs)
                .number("funding_interval_h", "hours between two settlements", CarryLeg::fundingIntervalH)
                .field("basis", CarryLeg::basis);
        row.orNull(NOT_OBSERVED)
                .object(name, entry -> entry)
                .number(
                        "funding_rate_8h",
                        RATE_8H + "; longs pay shorts when positive",
                        entry -> entry.rate8h(leg.apply(entry.pair)));
        String usual = " of the leg's settled rates of 30 days, weighted by time";
        part.orNull(NOT_30_DAYS)
                .of(CarryLeg::percentiles)
                .number("rate_8h_p10", RATE_8H + ": 10th percentile" + usual, RatePercentiles::p10)
                .number("rate_8h_p50", RATE_8H + ": median" + usual, RatePercentiles::p50)
                .number("rate_8h_p90", RATE_8H + ": 90th percentile" + usual, RatePercentiles::p90);
    }

    private static void day(Columns.Part<PairRow, DailyDifferences.Day> day) {
        day.number(
                        "day_start_ms",
                        Field.EPOCH_MS + ", not included; the day is the 24 hours after it",
                        DailyDifferences.Day::startMs)
                .number(
                        "day_difference",
                        "fraction of notional over that day: the short leg's sum less the long leg's",
                        DailyDifferences.Day::difference);
    }

    /** A ratio of two prices ends nowhere; so many digits tell prices within 5 % apart with room to spare. */
    private static final MathContext RATIO = new MathContext(8, RoundingMode.HALF_EVEN);

    private final Snapshot snapshot;
    private final RankedPair pair;
    private final long windowEndMs;
    private final int rank;
    private @Nullable DailyDifferences days;

    PairRow(Snapshot snapshot, RankedPair pair, long windowEndMs, int rank) {
        this.snapshot = snapshot;
        this.pair = pair;
        this.windowEndMs = windowEndMs;
        this.rank = rank;
    }

    Stream<String> venues() {
        return Stream.of(pair.longLeg().venue(), pair.shortLeg().venue());
    }

    private DailyDifferences days() {
        DailyDifferences known = days;
        if (known == null) {
            known = DailyDifferences.of(pair.shortLeg(), pair.longLeg(), windowEndMs);
            days = known;
        }
        return known;
    }

    /**
     * Why it is not complete; a reason that lasts precedes one that passes. While a leg's settled history is being read, every other reason
     * may still change.
     */
    private @Nullable String reason() {
        return legVenue(state -> !state.canBeComplete()) != null
                ? "no_settled_history"
                : legVenue(VenueState::historyBeingRead) != null ? "history_being_read" : pair.reason();
    }

    /** The exchange that the reason is about; null where it is about the settlements of the legs. */
    private @Nullable String reasonVenue() {
        String lasting = legVenue(state -> !state.canBeComplete());
        return lasting != null ? lasting : legVenue(VenueState::historyBeingRead);
    }

    private @Nullable String legVenue(Predicate<VenueState> is) {
        return venues().filter(venue -> {
                    VenueState state = snapshot.state(venue);
                    return state != null && is.test(state);
                })
                .findFirst()
                .orElse(null);
    }

    /** Null where the difference is not known. */
    private @Nullable Long positiveDays() {
        return pair.difference() == null ? null : pair.positiveDays();
    }

    /** The sum that decides which leg is the short one; null where both are unknown and the legs are in alphabetical order. */
    private @Nullable String orientation() {
        return pair.difference() == null ? null : pair.complete() ? "by_30d_sum" : "by_common_window_sum";
    }

    private @Nullable Rate row(CarryLeg leg) {
        VenueState state = snapshot.state(leg.venue());
        EncodedRow row = state == null ? null : state.rows().find(leg.symbol());
        return row == null ? null : row.rate();
    }

    private @Nullable BigDecimal rate8h(CarryLeg leg) {
        Rate row = row(leg);
        return row == null ? null : row.fundingRate8h();
    }

    /** The short leg's current 8-hour rate less the long leg's; null where one of them is not known. */
    private @Nullable BigDecimal currentDifference() {
        BigDecimal received = rate8h(pair.shortLeg());
        BigDecimal paid = rate8h(pair.longLeg());
        return received == null || paid == null ? null : received.subtract(paid);
    }

    /** Whether the current difference has the sign of the sum; null where one of them is not known. */
    private @Nullable Boolean currentDirectionAgrees() {
        BigDecimal current = currentDifference();
        BigDecimal difference = pair.difference();
        return (current == null || difference == null) ? null : current.signum() == difference.signum();
    }

    /** The short leg's mark price of one coin, divided by the long leg's; null where one of them is not known. */
    private @Nullable BigDecimal priceRatio() {
        BigDecimal shortPrice = price(pair.shortLeg());
        BigDecimal longPrice = price(pair.longLeg());
        return shortPrice == null || longPrice == null ? null : shortPrice.divide(longPrice, RATIO);
    }

    private @Nullable BigDecimal price(CarryLeg leg) {
        Rate row = row(leg);
        return row == null || row.markPrice() == null || row.markPrice().signum() <= 0
                ? null
                : row.markPrice().divide(row.priceScale(), MathContext.DECIMAL128);
    }
}
