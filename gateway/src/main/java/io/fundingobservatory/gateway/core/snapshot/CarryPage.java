package io.fundingobservatory.gateway.core.snapshot;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fundingobservatory.gateway.core.coding.Content;
import io.fundingobservatory.gateway.core.pairs.PairRanking;
import io.fundingobservatory.gateway.core.pairs.RankedList.Selection;
import io.fundingobservatory.gateway.core.pairs.RankedPair;
import io.fundingobservatory.gateway.core.request.PairQuery;
import io.fundingobservatory.gateway.core.request.Scope;
import io.fundingobservatory.gateway.core.rows.Missing;
import io.fundingobservatory.gateway.core.rows.VenueState;
import io.fundingobservatory.topics.carry.CarryLeg;
import io.fundingobservatory.topics.carry.CarryRefusal;
import io.fundingobservatory.topics.carry.DailyDifferences;
import io.fundingobservatory.topics.records.Rate;
import io.fundingobservatory.topics.records.VenueStatus;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The body of {@code /api/v1/carry}: the ranking, joined with the rates of the snapshot it is answered from. */
final class CarryPage {
    /** A ratio of two prices ends nowhere; so many digits tell prices within 5 % apart with room to spare. */
    private static final MathContext RATIO = new MathContext(8, RoundingMode.HALF_EVEN);

    /** What a sum of funding rates leaves out: it is not a cash result. */
    private static final List<String> NOT_INCLUDED = List.of(
            "fees_of_four_trades",
            "spread_and_slippage",
            "collateral_and_borrowing",
            "price_drift_of_the_notional",
            "liquidity");

    /** A leg's settled history is still being read, so every other reason may still change. */
    private static final String HISTORY_BEING_READ = "history_being_read";

    /** Of so many assets without a pair it is said who lists them. */
    private static final int ASSETS_EXPLAINED = 10;

    private final Snapshot snapshot;
    private final PairRanking ranking;
    private final PairQuery query;
    private final Scope scope;
    private final Selection<RankedPair> complete;
    private final Selection<RankedPair> incomplete;
    private final Selection<PairRanking.Refused> refused;
    private final Outside outside;

    /** What the same question finds at exchanges that were not asked for. */
    private record Outside(int complete, int incomplete, int refused) {}

    private CarryPage(Snapshot snapshot, PairRanking ranking, PairQuery query) {
        this.snapshot = snapshot;
        this.ranking = ranking;
        this.query = query;
        this.scope = query.scope();
        this.complete = ranking.complete().select(scope, query.limit());
        this.incomplete = ranking.incomplete().select(scope, query.limit());
        this.refused = ranking.refused().select(scope, query.limit());
        Scope everywhere = scope.atEveryVenue();
        this.outside = new Outside(
                ranking.complete().select(everywhere, 0).count() - complete.count(),
                ranking.incomplete().select(everywhere, 0).count() - incomplete.count(),
                ranking.refused().select(everywhere, 0).count() - refused.count());
    }

    static Content render(Snapshot snapshot, PairRanking ranking, PairQuery query) {
        return new CarryPage(snapshot, ranking, query).render();
    }

    private Content render() {
        var envelope = new Envelope(
                snapshot.generatedAtMs(),
                snapshot.source(),
                snapshot.coverage(scope),
                complete.first().size(),
                Units.CARRY,
                missing(),
                new TreeMap<>(scope.unreadable()),
                scope,
                snapshot.meant(scope));
        return Content.of(Content.JSON, Json.bytes(json -> {
            envelope.open(json);
            Json.number(json, "window_start_ms", ranking.windowStartMs());
            Json.number(json, "window_end_ms", ranking.windowEndMs());
            json.writeNumberField("limit", query.limit());
            history(json);
            Json.texts(json, "not_included", NOT_INCLUDED);
            json.writeNumberField("complete_count", complete.count());
            json.writeNumberField("incomplete_count", incomplete.count());
            json.writeNumberField("refused_count", refused.count());
            json.writeNumberField("complete_outside_scope", outside.complete());
            json.writeNumberField("incomplete_outside_scope", outside.incomplete());
            json.writeNumberField("refused_outside_scope", outside.refused());
            json.writeArrayFieldStart("rows");
            int rank = 0;
            for (RankedPair pair : complete.first()) {
                row(json, pair, ++rank);
            }
            json.writeEndArray();
            json.writeArrayFieldStart("incomplete");
            for (RankedPair pair : incomplete.first()) {
                incomplete(json, pair);
            }
            json.writeEndArray();
            json.writeArrayFieldStart("refused");
            for (PairRanking.Refused entry : refused.first()) {
                refused(json, entry);
            }
            json.writeEndArray();
            json.writeEndObject();
        }));
    }

    /** How much of the settled history of the scope has been read: the ranking still changes until it is all. */
    private void history(JsonGenerator json) throws IOException {
        boolean provisional = false;
        long contracts = 0;
        long read = 0;
        for (VenueState state : snapshot.states(scope)) {
            VenueStatus status = state.status();
            provisional |= state.historyBeingRead();
            if (status != null && status.historyTotal() != null && status.historyDone() != null) {
                contracts += status.historyTotal();
                read += status.historyDone();
            }
        }
        json.writeBooleanField("provisional", provisional);
        json.writeNumberField("settled_history_contracts", contracts);
        json.writeNumberField("settled_history_contracts_read", read);
    }

    private Missing missing() {
        Missing missing = snapshot.missing(scope).ofVenues(shownVenues());
        if (complete.count() == 0) {
            missing = missing.and(new Missing.UnknownValue("rows", whyNone() + elsewhere()));
            for (String asset : assetsWithoutAPair()) {
                missing = missing.and(new Missing.UnknownValue("rows", listings(asset)));
            }
        }
        missing = cut(cut(cut(missing, "rows", complete), "incomplete", incomplete), "refused", refused);
        if (ranking.leftOut() > 0) {
            missing = missing.and(new Missing.UnknownValue(
                    "rows", ranking.leftOut() + " assets whose pair table is not of this window are left out"));
        }
        return missing.and(new Missing.UnknownValue(
                        "current_difference_8h, current_direction_agrees, price_ratio",
                        "null where a leg has no row, no 8-hour rate or no mark price in the current observation"))
                .and(new Missing.UnknownValue(
                        "funding_difference_7d, funding_difference_24h, best_day, worst_day",
                        "null where the legs have no 7 days, or no day, in common"));
    }

    /** The venues of the legs that are shown. */
    private Set<String> shownVenues() {
        var venues = new TreeSet<String>();
        Stream.concat(complete.first().stream(), incomplete.first().stream()).forEach(pair -> {
            venues.add(pair.longLeg().venue());
            venues.add(pair.shortLeg().venue());
        });
        return venues;
    }

    private static Missing cut(Missing missing, String list, Selection<?> selection) {
        return selection.cut() == 0
                ? missing
                : missing.and(new Missing.UnknownValue(list, selection.cut() + " more than limit, not shown"));
    }

    private String whyNone() {
        if (ranking.whyNone() != null) {
            return ranking.whyNone();
        }
        if (scope.venues().size() < 2) {
            return "a pair needs two exchanges: name at least two that are listed";
        }
        if (incomplete.count() > 0) {
            return "no pair in scope is complete over 30 days; incomplete says of each why";
        }
        return refused.count() > 0
                ? "the prices of every two contracts in scope differ; refused shows both"
                : "no two exchanges in scope have a pair of these assets";
    }

    private String elsewhere() {
        return outside.complete() == 0
                ? ""
                : "; " + outside.complete() + (outside.complete() == 1 ? " complete pair lies" : " complete pairs lie")
                        + " outside the scope: venues=all shows "
                        + (outside.complete() == 1 ? "it" : "them");
    }

    /** Assets that were named and can be read, of which no list has a pair in scope; the first few. */
    private List<String> assetsWithoutAPair() {
        if (scope.assets() == null) {
            return List.of();
        }
        var without = new TreeSet<>(scope.assets());
        without.removeAll(ranking.incomplete().assets(scope));
        without.removeAll(ranking.refused().assets(scope));
        return without.stream().limit(ASSETS_EXPLAINED).toList();
    }

    private String listings(String asset) {
        List<String> listing = snapshot.states(scope).stream()
                .filter(state -> state.rows().hasAsset(asset))
                .map(state -> state.venue().id())
                .toList();
        return switch (listing.size()) {
            case 0 -> "no exchange in scope lists " + asset;
            case 1 -> "of the exchanges in scope only " + listing.getFirst() + " lists " + asset;
            default ->
                "of " + asset + " no pair has been put together yet, though " + listing.size()
                        + " exchanges in scope list it";
        };
    }

    private void row(JsonGenerator json, RankedPair pair, int rank) throws IOException {
        json.writeStartObject();
        json.writeNumberField("rank", rank);
        json.writeStringField("asset", pair.asset());
        leg(json, "long", pair.longLeg(), "funding_sum_30d");
        leg(json, "short", pair.shortLeg(), "funding_sum_30d");
        Json.decimal(json, "funding_difference_30d", pair.difference());
        common(json, pair);
        json.writeEndObject();
    }

    /** What is summed here covers fewer days than thirty, so it does not stand under a name that says thirty. */
    private void incomplete(JsonGenerator json, RankedPair pair) throws IOException {
        json.writeStartObject();
        json.writeStringField("asset", pair.asset());
        leg(json, "long", pair.longLeg(), "funding_sum");
        leg(json, "short", pair.shortLeg(), "funding_sum");
        json.writeNullField("funding_difference_30d");
        Json.decimal(json, "funding_difference", pair.difference());
        Json.text(json, "reason", reason(pair));
        common(json, pair);
        json.writeEndObject();
    }

    private @Nullable String reason(RankedPair pair) {
        return snapshot.historyBeingRead(pair.longLeg().venue())
                        || snapshot.historyBeingRead(pair.shortLeg().venue())
                ? HISTORY_BEING_READ
                : pair.reason();
    }

    private static void days(JsonGenerator json, RankedPair pair) throws IOException {
        var differences = DailyDifferences.of(pair.shortLeg(), pair.longLeg(), pair.windowEndMs());
        Json.decimal(json, "funding_difference_7d", differences.over(7));
        Json.decimal(json, "funding_difference_24h", differences.over(1));
        day(json, "best_day", differences.best());
        day(json, "worst_day", differences.worst());
    }

    private static void day(JsonGenerator json, String name, DailyDifferences.@Nullable Day day) throws IOException {
        json.writeFieldName(name);
        if (day == null) {
            json.writeNull();
            return;
        }
        json.writeStartObject();
        json.writeNumberField("day_start_ms", day.startMs());
        Json.decimal(json, "day_difference", day.difference());
        json.writeEndObject();
    }

    private void common(JsonGenerator json, RankedPair pair) throws IOException {
        days(json, pair);
        json.writeNumberField("days", pair.days());
        json.writeBooleanField("complete", pair.complete());
        Json.text(json, "orientation", orientation(pair));
        Json.number(json, "positive_days", pair.positiveDays());
        Rate shortRow = snapshot.row(pair.shortLeg().venue(), pair.shortLeg().symbol());
        Rate longRow = snapshot.row(pair.longLeg().venue(), pair.longLeg().symbol());
        BigDecimal current = shortRow == null
                        || longRow == null
                        || shortRow.fundingRate8h() == null
                        || longRow.fundingRate8h() == null
                ? null
                : shortRow.fundingRate8h().subtract(longRow.fundingRate8h());
        Json.decimal(json, "current_difference_8h", current);
        json.writeFieldName("current_direction_agrees");
        if (current == null || pair.difference() == null) {
            json.writeNull();
        } else {
            json.writeBoolean(current.signum() == pair.difference().signum());
        }
        BigDecimal shortPrice = price(shortRow);
        BigDecimal longPrice = price(longRow);
        Json.decimal(
                json,
                "price_ratio",
                shortPrice == null || longPrice == null ? null : shortPrice.divide(longPrice, RATIO));
        json.writeNumberField("window_end_ms", pair.windowEndMs());
        Json.text(json, "receipt", pair.receipt());
    }

    /**
     * Returns the sum that decides which leg is the short one; null where both sums are unknown and the legs
     * are in alphabetical order.
     */
    private static @Nullable String orientation(RankedPair pair) {
        if (pair.difference() == null) {
            return null;
        }
        return pair.complete() ? "by_30d_sum" : "by_common_window_sum";
    }

    /** The mark price of one coin. */
    private static @Nullable BigDecimal price(@Nullable Rate row) {
        return row == null || row.markPrice() == null || row.markPrice().signum() <= 0
                ? null
                : row.markPrice().divide(row.priceScale(), MathContext.DECIMAL128);
    }

    private static void leg(JsonGenerator json, String name, CarryLeg leg, String sum) throws IOException {
        json.writeObjectFieldStart(name);
        json.writeStringField("venue", leg.venue());
        json.writeStringField("symbol", leg.symbol());
        Json.text(json, "quote", leg.quote());
        json.writeNumberField("listing_epoch", leg.listingEpoch());
        Json.decimal(json, sum, leg.fundingSum());
        json.writeNumberField("settlements", leg.settlements());
        json.writeNumberField("expected", leg.expected());
        json.writeNumberField("estimated", leg.estimated());
        Json.number(json, "first_settlement_ms", leg.firstSettlementMs());
        Json.number(json, "last_settlement_ms", leg.lastSettlementMs());
        Json.decimal(json, "funding_interval_h", leg.fundingIntervalH());
        Json.text(json, "basis", leg.basis() == null ? null : leg.basis().name().toLowerCase(Locale.ROOT));
        json.writeEndObject();
    }

    private static void refused(JsonGenerator json, PairRanking.Refused entry) throws IOException {
        CarryRefusal refusal = entry.refusal();
        json.writeStartObject();
        json.writeStringField("asset", entry.asset());
        json.writeStringField("venue_a", refusal.venueA());
        json.writeStringField("symbol_a", refusal.symbolA());
        Json.decimal(json, "price_a", refusal.priceA());
        json.writeStringField("venue_b", refusal.venueB());
        json.writeStringField("symbol_b", refusal.symbolB());
        Json.decimal(json, "price_b", refusal.priceB());
        json.writeStringField("reason", refusal.reason());
        json.writeEndObject();
    }
}
