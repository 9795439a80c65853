package io.fundingobservatory.gateway.publishing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.gateway.core.rows.Samples;
import io.fundingobservatory.topics.records.AssetClass;
import io.fundingobservatory.topics.records.Rate;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AssetClassesTest {
    private final Tables.AssetClasses classes = new Tables.AssetClasses();

    private static Rate row(String venue, @Nullable AssetClass stated, @Nullable String mark, int scale) {
        return Rate.CODEC.with(
                Samples.rate(venue, "AAPL-1", "AAPL", stated, 1_790_000_000_000L),
                "mark_price",
                mark == null ? null : new BigDecimal(mark),
                "index_price",
                null,
                "price_scale",
                BigDecimal.valueOf(scale));
    }

    @Test
    void assetHasTheClassThatAnotherVenueStates() {
        Rate stated = row("okx", AssetClass.EQUITY, "250", 1);
        assertSame(stated, classes.classed(stated));
        assertFalse(stated.assetClassByAsset());
        Rate known = classes.classed(row("gate", null, "26250", 100));
        assertEquals(AssetClass.EQUITY, known.assetClass(), "262.50 a share is 5 % more");
        assertTrue(known.assetClassByAsset());
        assertTrue(new String(Rate.CODEC.encode(known), StandardCharsets.UTF_8)
                .endsWith(",\"asset_class_by_asset\":true}"));
        assertSame(known, classes.classed(known));
    }

    @Test
    void anotherUnderlyingHasNoClassOfItsNamesake() {
        classes.classed(row("okx", AssetClass.EQUITY, "250", 1));
        assertNull(classes.classed(row("gate", null, "262.51", 1)).assetClass(), "more than 5 % apart");
        assertNull(classes.classed(row("gate", null, null, 1)).assetClass(), "no price to compare");
        classes.classed(row("lbank", AssetClass.CRYPTO, "0.02", 1));
        assertEquals(
                AssetClass.EQUITY, classes.classed(row("gate", null, "251", 1)).assetClass());
        assertEquals(
                AssetClass.CRYPTO,
                classes.classed(row("gate", null, "0.0201", 1)).assetClass());
    }

    /** Of two classes at one price neither is that of the asset; a price that moves on is the newest. */
    @Test
    void contradictoryClassesGiveNone() {
        classes.classed(row("okx", AssetClass.EQUITY, "250", 1));
        classes.classed(row("bybit", AssetClass.INDEX, "249", 1));
        assertNull(classes.classed(row("gate", null, "250", 1)).assetClass());
        classes.classed(row("bybit", AssetClass.INDEX, "400", 1));
        assertEquals(
                AssetClass.EQUITY, classes.classed(row("gate", null, "250", 1)).assetClass());
    }
}
