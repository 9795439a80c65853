package io.fundingobservatory.oracle;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.oracle.KnownSettlements.Listing;
import io.fundingobservatory.oracle.KnownSettlements.Settlement;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A table whose values were computed by hand, its receipt with {@code sha256sum}; then the same table with each value changed. */
class PairsModelTest {
    private static final long T = 1_790_002_800_000L;
    private static final long HOUR_MS = 3_600_000;
    private static final String TABLE = """
            {"window_end_ms":1790002800000,"legs":[
            {"venue":"bybit","symbol":"A-P","listing_epoch":1,"funding_sum_30d":0.00002,"settlements":3,"expected":3,"estimated":0,
            "first_settlement_ms":1789945200000,"last_settlement_ms":1790002800000,"daily_sums":[0.00002]},
            {"venue":"okx","symbol":"A-P","listing_epoch":0,"funding_sum_30d":0.00025,"settlements":3,"expected":3,"estimated":0,
            "first_settlement_ms":1789945200000,"last_settlement_ms":1790002800000,"daily_sums":[0.00025]}],
            "pairs":[{"long":0,"short":1,"days":1,"funding_difference":0.00023,"positive_days":1,
            "receipt":"9cc7755ad9685c1326694073872768269bffcbd49df12c64311daa86073f5f42"}]}""";

    private static final Map<String, String> WRONG = Map.ofEntries(
            Map.entry("0.00002,", "0.00001,"),
            Map.entry("0.00025", "0.00024"),
            Map.entry("\"settlements\":3", "\"settlements\":2"),
            Map.entry("\"expected\":3", "\"expected\":4"),
            Map.entry("\"estimated\":0", "\"estimated\":1"),
            Map.entry("0.00023", "0.000230001"),
            Map.entry("\"positive_days\":1", "\"positive_days\":0"),
            Map.entry("9cc7", "9cc8"),
            Map.entry("\"days\":1", "\"days\":2"),
            Map.entry("\"long\":0,\"short\":1", "\"long\":1,\"short\":0"),
            Map.entry("first_settlement_ms\":1789945200000", "first_settlement_ms\":1789916400000"),
            Map.entry("last_settlement_ms\":1790002800000", "last_settlement_ms\":1790031600000"),
            Map.entry("[0.00002]", "[0.00003]"),
            Map.entry("[0.00025]", "[]"));

    private final KnownSettlements known = new KnownSettlements();

    PairsModelTest() {
        settle(new Listing("bybit", "A-P", 1), "0.00001", "0", "0.00001");
        settle(new Listing("bybit", "A-P", 0), "9", "9", "9");
        settle(new Listing("okx", "A-P", 0), "0.0001", "0.00020", "-0.00005");
    }

    private void settle(Listing listing, String... rates) {
        long settledMs = T - 24 * HOUR_MS;
        put(listing, settledMs, "1", "settled"); // at the start of the window, and so not in it
        for (String rate : rates) {
            settledMs += 8 * HOUR_MS;
            put(listing, settledMs, rate, "settled");
        }
        put(listing, T + 8 * HOUR_MS, "1", "settled");
    }

    private void put(Listing listing, long settledMs, String rate, String basis) {
        known.put(listing, settledMs, new Settlement(new BigDecimal(rate), basis, BigDecimal.valueOf(8)));
    }

    private List<String> differences(String table) {
        var differences = new ArrayList<String>();
        new PairsModel(known, differences::add).table(Json.object(table.getBytes(UTF_8)));
        return differences;
    }

    @Test
    void findsEachWrongValue() {
        assertEquals(List.of(), differences(TABLE));
        WRONG.forEach((right, wrong) -> {
            assertTrue(TABLE.contains(right), right);
            assertFalse(differences(TABLE.replace(right, wrong)).isEmpty(), wrong);
        });
    }

    /**
     * Thirty days of one settlement a day. The n-th has n thousandths per 8 hours. The first ten have an interval of a third of a
     * day. So n is a weight of 24 hours from the eleventh on, and of 8 before.
     */
    @Test
    void weighsPercentilesByTime() {
        var listing = new Listing("gate", "B-P", 0);
        for (int day = 1; day <= 30; day++) {
            long hours = day <= 10 ? 8 : 24;
            known.put(
                    listing,
                    T - (30 - day) * 24 * HOUR_MS,
                    new Settlement(BigDecimal.valueOf(day * hours, 3), "settled", BigDecimal.valueOf(hours)));
        }
        // 80 hours and 480: a tenth of 560 ends in the seventh, the half in the nineteenth, nine tenths in the
        // twenty-eighth.
        String leg = """
                {"venue":"gate","symbol":"B-P","listing_epoch":0,"settlements":30,"expected":30,"estimated":0,"first_settlement_ms":%d,
                "last_settlement_ms":1790002800000,"funding_sum_30d":null,"rate_8h_p10":0.056,"rate_8h_p50":0.152,"rate_8h_p90":0.224}""".formatted(T - 29 * 24 * HOUR_MS);
        String table =
                "{\"window_end_ms\":1790002800000,\"legs\":[%s],\"pairs\":[{\"long\":0,\"short\":0,\"days\":0}]}";
        assertEquals(List.of(), differences(table.formatted(leg)));
        for (String wrong : List.of("0.056", "0.152", "0.224")) {
            assertFalse(
                    differences(table.formatted(leg.replace(wrong, "0.064"))).isEmpty(), wrong);
        }
    }

    /** The venue publishes a settlement a minute after the instant of our own estimate. */
    @Test
    void countsCloseStampsOnce() {
        put(new Listing("okx", "A-P", 0), T - 8 * HOUR_MS - 60_000, "7", "estimate");
        assertEquals(List.of(), differences(TABLE));
    }
}
