package io.fundingobservatory.gateway.core.rows;

import static io.fundingobservatory.testbed.SampleRecords.fields;

import io.fundingobservatory.gateway.core.snapshot.PairRanking;
import io.fundingobservatory.testbed.SampleRecords;
import io.fundingobservatory.topics.carry.CarryLeg;
import io.fundingobservatory.topics.carry.CarryPair;
import io.fundingobservatory.topics.carry.CarryRefusal;
import io.fundingobservatory.topics.carry.CarryTable;
import io.fundingobservatory.topics.carry.DailySums;
import io.fundingobservatory.topics.records.AssetClass;
import io.fundingobservatory.topics.records.Basis;
import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.IntervalSource;
import io.fundingobservatory.topics.records.Rate;
import io.fundingobservatory.topics.records.RateKind;
import io.fundingobservatory.topics.records.Source;
import io.fundingobservatory.topics.records.VenueStatus;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rows and statuses for tests. */
public final class Samples {
    private Samples() {}

    /** A row of which everything is known. */
    public static Rate rate(String venue, String symbol, String asset, long observedAtMs) {
        return rate(venue, symbol, asset, AssetClass.CRYPTO, observedAtMs);
    }

    /** The same of an asset class, or of none. */
    public static Rate rate(
            String venue, String symbol, String asset, @Nullable AssetClass assetClass, long observedAtMs) {
        return SampleRecords.rate(
                fields("venue", venue, "symbol", symbol, "asset", asset, "quote", "USDT"),
                fields("contract_type", ContractType.LINEAR, "asset_class", assetClass, "dex", null),
                fields("funding_rate_8h", new BigDecimal("0.0001"), "funding_interval_h", new BigDecimal("4")),
                fields("funding_interval_source", IntervalSource.ROW, "funding_rate", new BigDecimal("0.00005")),
                fields("rate_kind", RateKind.ESTIMATE, "funding_rate_annualised", new BigDecimal("0.1095")),
                fields("next_funding_ms", observedAtMs + 3_600_000, "mark_price", new BigDecimal("50000.5")),
                fields("index_price", new BigDecimal("50001"), "price_scale", BigDecimal.ONE),
                fields("venue_time_ms", observedAtMs - 100, "observed_at_ms", observedAtMs, "stale", false));
    }

    /** A row of which nothing but the names is known. */
    public static Rate bare(String venue, String symbol, String asset, long observedAtMs) {
        return SampleRecords.rate(
                fields("venue", venue, "symbol", symbol, "asset", asset, "quote", "USDT"),
                fields("contract_type", ContractType.LINEAR, "asset_class", null, "dex", null, "funding_rate_8h", null),
                fields("funding_interval_h", null, "funding_interval_source", null, "funding_rate", null),
                fields("rate_kind", RateKind.ESTIMATE, "funding_rate_annualised", null, "next_funding_ms", null),
                fields("mark_price", null, "index_price", null, "price_scale", BigDecimal.ONE, "venue_time_ms", null),
                fields("observed_at_ms", observedAtMs, "stale", false));
    }

    public static VenueStatus read(String venue, long atMs, long symbols, Map<String, Long> skipped) {
        return new VenueStatus(
                venue, Source.LIVE, RateKind.ESTIMATE, true, docs(venue), atMs, atMs, null, null, symbols, skipped);
    }

    public static VenueStatus failed(String venue, long atMs, @Nullable Long lastSuccessMs, String reason) {
        return new VenueStatus(
                venue,
                Source.LIVE,
                RateKind.ESTIMATE,
                false,
                docs(venue),
                atMs,
                lastSuccessMs,
                atMs,
                reason,
                null,
                Map.of());
    }

    private static String docs(String venue) {
        return "https://docs.example/" + venue;
    }

    public static VenueStatus from(VenueStatus status, Source source) {
        return VenueStatus.CODEC.with(status, "source", source);
    }

    public static VenueStatus untouched(String venue) {
        return status(venue, RateKind.ESTIMATE);
    }

    public static VenueStatus withoutReader(String venue) {
        return status(venue, null);
    }

    private static VenueStatus status(String venue, @Nullable RateKind kind) {
        return new VenueStatus(venue, Source.LIVE, kind, false, null, null, null, null, null, null, Map.of());
    }

    /** A leg with ninety settlements of eight hours. */
    public static CarryLeg leg(String venue, String symbol, String sum, long missing, long endMs) {
        return new CarryLeg(
                venue,
                symbol,
                0,
                "USDT",
                new BigDecimal(sum),
                90 - missing,
                90,
                3,
                endMs - 89 * 28_800_000L,
                endMs,
                new BigDecimal("8"),
                Basis.ESTIMATE,
                allOnOneDay(sum),
                null);
    }

    /** Thirty days, of which only the third to last has any funding. */
    private static DailySums allOnOneDay(String sum) {
        var days = new ArrayList<>(Collections.nCopies(30, BigDecimal.ZERO));
        days.set(27, new BigDecimal(sum));
        return DailySums.of(days);
    }

    public static CarryPair pair(CarryLeg longLeg, CarryLeg shortLeg, long days, @Nullable String reason) {
        return new CarryPair(
                longLeg,
                shortLeg,
                days,
                reason == null,
                reason,
                shortLeg.fundingSum().subtract(longLeg.fundingSum()),
                days / 2,
                "ab".repeat(32));
    }

    public static CarryTable table(String asset, long endMs, List<CarryPair> pairs, List<CarryRefusal> refused) {
        return new CarryTable(asset, endMs - 720 * 3_600_000L, endMs, pairs, refused);
    }

    /** The ranking of these tables; there is at least one. */
    public static PairRanking ranking(Collection<CarryTable> tables) {
        return PairRanking.none("")
                .with(tables.stream().map(PairRanking.Table::of).toList());
    }

    /** Rows of one venue that are not in a table. */
    public static VenueRows rows(String venue, Collection<Rate> rates, long nowMs) {
        return new VenueRows(venue, rates.stream().map(EncodedRow::of).toList(), nowMs, null);
    }
}
