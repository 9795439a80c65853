package io.fundingobservatory.ingest.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What a response may take in memory, whatever it is made of. */
class PackedJsonBoundsTest {
    private static JsonValue parse(String body) throws IOException {
        return JsonValue.parse(new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)));
    }

    private static String problem(String body) {
        return JsonValue.problem(assertThrows(IOException.class, () -> parse(body)));
    }

    private static String list(String element, int bytes) {
        return '[' + (element + ',').repeat(bytes / (element.length() + 1)) + element + ']';
    }

    @Test
    void readsListFiveTimesLongestKnown() throws IOException {
        String row = "{\"symbol\":\"BTCUSDT\",\"rate\":\"0.00010000\",\"mark\":\"92517.10\",\"time\":1790000000000}";
        assertEquals(
                5 * 1024 * 1024 / (row.length() + 1) + 1,
                parse(list(row, 5 * 1024 * 1024)).elements().size());
    }

    @Test
    void rejectsManySmallValues() {
        for (String element : new String[] {"0", "[]", "{}", "null", "true", "[[],[]]"}) {
            assertEquals("more than 1000000 values", problem(list(element, 24 * 1024 * 1024)), element);
        }
    }

    @Test
    void rejectsMuchText() {
        assertEquals("more than 12 MB of values", problem(list("\"" + "x".repeat(4_000) + "\"", 24 * 1024 * 1024)));
        assertEquals("more than 12 MB of values", problem(list("\"" + "\u20ac".repeat(1_300) + "\"", 8 * 1024 * 1024)));
    }

    @Test
    void rejectsManyNames() {
        var body = new StringBuilder("{");
        for (int i = 0; i < 400_000; i++) {
            body.append(i == 0 ? "" : ",")
                    .append("\"name-of-a-member-")
                    .append(i)
                    .append("\":0");
        }
        String problem = problem(body.append('}').toString());
        assertTrue(problem.contains("more than 12 MB") || problem.contains("symbol"), problem);
    }

    @Test
    void cutsLongTextAndRejectsVeryLongText() throws IOException {
        JsonValue notice = parse("{\"notice\":\"" + "x".repeat(100_000) + "\",\"rate\":\"0.0001\"}");
        assertEquals(4_096, notice.text("notice").length());
        assertEquals("0.0001", notice.text("rate"));
        assertTrue(problem("[\"" + "x".repeat(300_000) + "\"]").contains("String value length"));
    }

    /**
     * The lists of all exchanges together are 20 to 25 MB of text, and are kept for an hour. In the heap of 96 MB 35 MB are alive with the
     * simulated lists, so the real ones must not take more than their text.
     */
    @Test
    void instrumentListsTakeNoMoreMemoryThanText() throws IOException {
        long text = 0;
        long kept = 0;
        for (int list = 0; list < 50; list++) {
            var body = new StringBuilder("{\"code\":0,\"data\":[");
            for (int i = 0; i < 600; i++) {
                body.append(i == 0 ? "" : ",").append(instrument(list * 600 + i));
            }
            String whole = body.append("]}").toString();
            text += whole.length();
            kept += parse(whole).documentBytes();
        }
        assertTrue(text > 24_000_000, text + " bytes of text");
        assertTrue(kept <= text, kept + " bytes kept of " + text);
    }

    /** As many members, and as long, as in the longest list that was recorded: 59 thousand values in 1.0 MB. */
    private static String instrument(int i) {
        return """
                {"symbol":"SYM%dUSDT","pair":"SYM%dUSDT","contractType":"PERPETUAL","deliveryDate":4133404800000,"onboardDate":%d,\
                "status":"TRADING","maintMarginPercent":"2.5000","requiredMarginPercent":"5.0000","baseAsset":"SYM%d","quoteAsset":"USDT",\
                "marginAsset":"USDT","pricePrecision":%d,"quantityPrecision":3,"baseAssetPrecision":8,"quotePrecision":8,\
                "underlyingType":"COIN","underlyingSubType":["PoW"],"triggerProtect":"0.0500","liquidationFee":"0.012500",\
                "marketTakeBound":"0.05","maxMoveOrderLimit":10000,"filters":[{"filterType":"PRICE_FILTER","minPrice":"0.%d","maxPrice":\
                "4529764","tickSize":"0.10"},{"filterType":"LOT_SIZE","stepSize":"0.001","maxQty":"%d","minQty":"0.001"}],"orderTypes":\
                ["LIMIT","MARKET","STOP","STOP_MARKET","TAKE_PROFIT"],"timeInForce":["GTC","IOC","FOK","GTX","GTD"]}""".formatted(i, i, 1_569_398_400_000L + i, i, i % 8, i, i);
    }
}
