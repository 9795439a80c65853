package io.fundingobservatory.ingest.venues;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fundingobservatory.ingest.answers.Answers;
import io.fundingobservatory.ingest.answers.Answers.Response;
import io.fundingobservatory.ingest.answers.Node;
import io.fundingobservatory.ingest.reading.Rows;
import io.fundingobservatory.ingest.reading.Venue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Where most rows come in one answer and some are asked singly, an old single answer leaves the age of the others as it is. */
class AgeOfRowsTest {
    private static final long EARLIER = 1_789_999_940_000L;
    private static final long NOW = 1_790_000_000_000L;

    private static Response answer(String key, long readAtMs, String json) throws IOException {
        return new Response(key, Node.parse(json.getBytes(StandardCharsets.UTF_8)), readAtMs);
    }

    private static Map<String, Long> observedAt(Venue venue, Answers answers) {
        var rows = new Rows(venue.header(), NOW);
        venue.read(answers, rows);
        var observed = new TreeMap<String, Long>();
        rows.quotes().forEach(quote -> observed.put(quote.symbol(), quote.observedAtMs()));
        return observed;
    }

    @Test
    void xtAsksOneContractSingly() throws IOException {
        var answers = new Answers()
                .add("cg_contracts", answer("", NOW, """
                        [{"symbol":"btc_usdt","funding_rate":"0.0001","collection_internal":8,"product_type":"PERPETUAL",
                          "next_funding_rate_timestamp":1790006400000,"index_price":"1"}]
                        """))
                .add("funding-rate_{}", answer("moonshot_usdt", EARLIER, """
                        {"returnCode":0,"result":{"symbol":"moonshot_usdt","fundingRate":"0.0001","collectionInternal":4,
                          "nextCollectionTime":1790006400000}}
                        """));
        assertEquals(Map.of("btc_usdt", NOW, "moonshot_usdt", EARLIER), observedAt(new Xt(), answers));
    }

    @Test
    void hyperliquidHasAnAnswerForEachExchangeThatOthersBuilt() throws IOException {
        var answers = new Answers()
                .add("metaAndAssetCtxs", answer("", NOW, """
                        [{"universe":[{"name":"BTC"}],"collateralToken":0},[{"funding":"0.0000125","markPx":"1","oraclePx":"1"}]]
                        """))
                .add("metaAndAssetCtxs_{}", answer("xyz", EARLIER, """
                        [{"universe":[{"name":"xyz:GOLD"}],"collateralToken":0},[{"funding":"0.0000125","markPx":"1","oraclePx":"1"}]]
                        """));
        assertEquals(Map.of("BTC", NOW, "xyz:GOLD", EARLIER), observedAt(new Hyperliquid(), answers));
    }
}
