package io.fundingobservatory.gateway.core;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fundingobservatory.topics.CarryLeg;
import io.fundingobservatory.topics.CarryPair;
import io.fundingobservatory.topics.CarryRefusal;
import io.fundingobservatory.topics.Rate;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The body of {@code /api/v1/carry}: the ranking, joined with the rates of the snapshot it is answered from. */
final class CarryPage {
    /** A ratio of two prices ends nowhere; so many digits tell prices within 5 % apart with room to spare. */
    private static final MathContext RATIO = new MathContext(8, RoundingMode.HALF_EVEN);

    private final Snapshot snapshot;
    private final PairRanking book;
    private final PairQuery ask;

    private CarryPage(Snapshot snapshot, PairRanking book, PairQuery ask) {
        this.snapshot = snapshot;
        this.book = book;
        this.ask = ask;
    }

    static Content render(Snapshot snapshot, PairRanking book, PairQuery ask) {
        return new CarryPage(snapshot, book, ask).render();
    }

    private record Shown<E>(List<E> first, int count) {}

    private <E> Shown<E> shown(List<E> all, Function<E, String> asset, Function<E, Stream<String>> venues) {
        Set<String> assets = ask.scope().assets();
        Set<String> exchanges = ask.scope().venues();
        List<E> inScope = all.stream()
                .filter(entry -> assets == null || assets.contains(Scope.upper(asset.apply(entry))))
                .filter(entry -> venues.apply(entry).allMatch(exchanges::contains))
                .toList();
        return new Shown<>(inScope.subList(0, Math.min(ask.limit(), inScope.size())), inScope.size());
    }

    private Shown<PairRanking.Entry> pairs(List<PairRanking.Entry> all) {
        return shown(
                all,
                PairRanking.Entry::asset,
                entry -> Stream.of(
                        entry.pair().longLeg().venue(), entry.pair().shortLeg().venue()));
    }

    private Content render() {
        Shown<PairRanking.Entry> complete = pairs(book.complete());
        Shown<PairRanking.Entry> incomplete = pairs(book.incomplete());
        Shown<PairRanking.Refused> refused = shown(
                book.refused(),
                PairRanking.Refused::asset,
                entry -> Stream.of(entry.refusal().venueA(), entry.refusal().venueB()));
        var envelope = new Envelope(
                snapshot.generatedAtMs(),
                snapshot.source(),
                snapshot.coverage(ask.scope()),
                complete.first().size(),
                Units.CARRY,
                missing(complete, incomplete, refused),
                new TreeMap<>(ask.scope().unreadable()));
        return Content.of(Content.JSON, Json.bytes(json -> {
            envelope.open(json);
            json.writeNumberField("window_start_ms", book.windowStartMs());
            json.writeNumberField("window_end_ms", book.windowEndMs());
            json.writeNumberField("limit", ask.limit());
            json.writeNumberField("complete_count", complete.count());
            json.writeNumberField("incomplete_count", incomplete.count());
            json.writeNumberField("refused_count", refused.count());
            json.writeArrayFieldStart("rows");
            int rank = 0;
            for (PairRanking.Entry entry : complete.first()) {
                row(json, entry, ++rank);
            }
            json.writeEndArray();
            json.writeArrayFieldStart("incomplete");
            for (PairRanking.Entry entry : incomplete.first()) {
                incomplete(json, entry);
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

    private Missing missing(Shown<?> complete, Shown<?> incomplete, Shown<?> refused) {
        Missing missing = snapshot.missing(
                new Scope(ask.scope().venues(), null, null, ask.scope().unreadable()), List.of());
        if (ask.scope().venues().size() < 2) {
            missing = missing.and(
                    new Missing.UnknownValue("rows", "a pair needs two exchanges: name at least two that are listed"));
        } else if (complete.count() == 0) {
            missing = missing.and(new Missing.UnknownValue(
                    "rows", "no pair in scope is complete over 30 days; incomplete says of each why"));
        }
        for (var list :
                List.of(new Cut("rows", complete), new Cut("incomplete", incomplete), new Cut("refused", refused))) {
            int cut = list.shown().count() - list.shown().first().size();
            if (cut > 0) {
                missing = missing.and(new Missing.UnknownValue(list.name(), cut + " more than limit, not shown"));
            }
        }
        if (book.leftBehind() > 0) {
            missing = missing.and(new Missing.UnknownValue(
                    "rows", book.leftBehind() + " assets whose pair table is not of this window are left out"));
        }
        return missing.and(new Missing.UnknownValue(
                "current_difference_8h, current_direction_agrees, price_ratio",
                "null where a leg has no row, no 8-hour rate or no mark price in the current observation"));
    }

    private record Cut(String name, Shown<?> shown) {}

    private void row(JsonGenerator json, PairRanking.Entry entry, int rank) throws IOException {
        CarryPair pair = entry.pair();
        json.writeStartObject();
        json.writeNumberField("rank", rank);
        json.writeStringField("asset", entry.asset());
        leg(json, "long", pair.longLeg(), "funding_sum_30d");
        leg(json, "short", pair.shortLeg(), "funding_sum_30d");
        Json.decimal(json, "funding_difference_30d", pair.fundingDifference());
        common(json, entry);
        json.writeEndObject();
    }

    /** What is summed here covers fewer days than thirty, so it does not stand under a name that says thirty. */
    private void incomplete(JsonGenerator json, PairRanking.Entry entry) throws IOException {
        CarryPair pair = entry.pair();
        json.writeStartObject();
        json.writeStringField("asset", entry.asset());
        leg(json, "long", pair.longLeg(), "funding_sum");
        leg(json, "short", pair.shortLeg(), "funding_sum");
        json.writeNullField("funding_difference_30d");
        Json.decimal(json, "funding_difference", pair.fundingDifference());
        Json.text(json, "reason", pair.reason());
        common(json, entry);
        json.writeEndObject();
    }

    private void common(JsonGenerator json, PairRanking.Entry entry) throws IOException {
        CarryPair pair = entry.pair();
        json.writeNumberField("days", pair.days());
        json.writeBooleanField("complete", pair.complete());
        json.writeStringField("orientation", "by_30d_sum");
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
        if (current == null || pair.fundingDifference() == null) {
            json.writeNull();
        } else {
            json.writeBoolean(current.signum() == pair.fundingDifference().signum());
        }
        BigDecimal shortPrice = price(shortRow);
        BigDecimal longPrice = price(longRow);
        Json.decimal(
                json,
                "price_ratio",
                shortPrice == null || longPrice == null ? null : shortPrice.divide(longPrice, RATIO));
        json.writeNumberField("window_end_ms", entry.windowEndMs());
        Json.text(json, "receipt", pair.receipt());
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
