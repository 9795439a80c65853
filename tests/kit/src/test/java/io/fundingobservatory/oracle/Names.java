package io.fundingobservatory.oracle;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** The asset of each contract, as its maker defined it; not derived from any spelling. */
@FunctionalInterface
public interface Names {
    /** The asset of a contract and the coins that one priced unit is; null for a contract that was never made up. */
    @Nullable
    Asset of(String venue, String symbol);

    record Asset(String name, BigDecimal priceScale) {}
}
