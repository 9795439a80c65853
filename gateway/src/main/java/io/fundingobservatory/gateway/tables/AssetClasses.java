package io.fundingobservatory.gateway.tables;

import io.fundingobservatory.topics.records.AssetClass;
import io.fundingobservatory.topics.records.Rate;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The classes that venues state, by asset, each with the newest price of a coin of which it was stated. A row whose venue states none has the
 * class of its asset. Two underlyings of one name are distinguished as in pairs: by prices that differ by more than 5 %.
 */
final class AssetClasses {
    private static final BigDecimal SAME_UNDERLYING = new BigDecimal("1.05");

    private final Map<String, Map<AssetClass, BigDecimal>> stated = new ConcurrentHashMap<>();

    /** Takes the class that the row's venue states, or returns the row with that of its asset; unchanged where none, or several, fit. */
    Rate classed(Rate row) {
        BigDecimal price = coinPrice(row);
        if (price == null) {
            return row;
        }
        AssetClass own = row.assetClass();
        if (own != null) {
            if (!row.assetClassByAsset()) {
                stated.computeIfAbsent(row.asset(), asset -> new ConcurrentHashMap<>())
                        .put(own, price);
            }
            return row;
        }
        List<AssetClass> fitting = stated.getOrDefault(row.asset(), Map.of()).entrySet().stream()
                .filter(known -> isSame(known.getValue(), price))
                .map(Map.Entry::getKey)
                .toList();
        return fitting.size() == 1
                ? Rate.CODEC.with(row, "asset_class", fitting.getFirst(), "asset_class_by_asset", true)
                : row;
    }

    private static boolean isSame(BigDecimal a, BigDecimal b) {
        return a.max(b).compareTo(a.min(b).multiply(SAME_UNDERLYING)) <= 0;
    }

    private static @Nullable BigDecimal coinPrice(Rate row) {
        BigDecimal price = row.markPrice() != null ? row.markPrice() : row.indexPrice();
        return price == null ? null : price.divide(row.priceScale(), MathContext.DECIMAL64);
    }
}
