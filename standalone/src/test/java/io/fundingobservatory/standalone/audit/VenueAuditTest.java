package io.fundingobservatory.standalone.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.ingest.json.JsonValue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rows of one venue on both sides: which are equal, which may have moved, and which differ. */
class VenueAuditTest {
    /** 8 hours from the reading at 10:00 to the settlement at 18:00; the service read 40 s earlier. */
    private static final String ROW = """
            {"venue":"okx","symbol":"%s","asset":"BTC","quote":"USDT","contract_type":"linear","funding_rate_8h":0.0002,
             "funding_interval_h":4,"funding_rate":0.0001,"rate_kind":"estimate","next_funding_ms":1795024800000,
             "mark_price":91000,"index_price":91010,"price_scale":1,"observed_at_ms":1794996000000}""";

    private static AuditedRow row(String symbol, String... changes) {
        String json = ROW.formatted(symbol);
        for (int i = 0; i < changes.length; i += 2) {
            assertTrue(json.contains(changes[i]), changes[i]);
            json = json.replace(changes[i], changes[i + 1]);
        }
        try {
            return AuditedRow.of(JsonValue.parse(json.getBytes(StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static VenueAudit audit(AuditedRow venue, AuditedRow service) {
        return audit(List.of(venue), List.of(service));
    }

    private static VenueAudit audit(List<AuditedRow> venue, List<AuditedRow> service) {
        return VenueAudit.of("okx", new VenueReading(venue, List.of()), service);
    }

    @Test
    void equalNumbersInAnotherSpellingAreEqual() {
        VenueAudit audit =
                audit(row("A"), row("A", "0.0002", "0.00020", ":4,", ":4.0,", "1794996000000", "1794995960000"));
        assertEquals(List.of(1, 1, 0), List.of(audit.compared(), audit.equal(), audit.moved()));
        assertEquals(40_000, audit.apartMs());
    }

    @ParameterizedTest
    @CsvSource({"estimate", "continuous"})
    void ratesOfAMovingKindMayMove(String kind) {
        VenueAudit audit = audit(
                row("A", "estimate", kind), row("A", "estimate", kind, "0.0002", "-0.0003", "0.0001", "-0.00015"));
        assertEquals(Map.of(), audit.different());
        assertEquals(1, audit.moved());
    }

    @ParameterizedTest
    @CsvSource({"fixed", "last_settled"})
    void otherRatesMoveAtASettlementOnly(String kind) {
        String[] after = {"estimate", kind, "0.0002", "0.0003", "0.0001", "0.00015"};
        VenueAudit same = audit(row("A", "estimate", kind), row("A", after));
        assertEquals(
                Map.of("A", kind + " funding_rate_8h: 0.0002 at the venue, 0.0003 at the service"), same.different());

        // the service read 40 s before the settlement at 10:00, the venue was read after it
        AuditedRow before = row("A", "estimate", kind, "1795024800000", "1794996000000");
        VenueAudit between = audit(row("A", after), before);
        assertEquals(Map.of(), between.different());
        assertEquals(1, between.moved());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"asset\":\"BTC\"|\"asset\":\"ETH\"|asset: BTC at the venue, ETH at the service",
                "\"quote\":\"USDT\"|\"quote\":\"USD\"|quote: USDT at the venue, USD at the service",
                "linear|inverse|contract_type: linear at the venue, inverse at the service",
                "estimate|fixed|rate_kind: estimate at the venue, fixed at the service",
                "\"funding_interval_h\":4|\"funding_interval_h\":8|funding_interval_h: 4 at the venue, 8 at the service",
                "\"price_scale\":1|\"price_scale\":1000|price_scale: 1 at the venue, 1000 at the service",
                "\"mark_price\":91000|\"mark_price\":910|mark_price: 91000 at the venue, 910 at the service",
                "0.0002|0.0004|funding_rate_8h for its funding_rate: 0.0002 at the venue, 0.0004 at the service",
                "0.0002|null|funding_rate_8h: 0.0002 at the venue, null at the service",
                "1795024800000|1795010400000|"
                        + "next_funding_ms: 1795024800000 at the venue, 1795010400000 at the service",
                "1795024800000|null|next_funding_ms: 1795024800000 at the venue, null at the service"
            })
    void whatDoesNotMoveMustBeEqual(String value, String changed, String difference) {
        assertEquals(
                Map.of("A", difference),
                audit(row("A"), row("A", value, changed)).different());
    }

    /** The service may have requested the rate to come, which a single poll had no time for. The other way round it shows a settled one. */
    @Test
    void pollMayHaveTheLastSettledRateAlone() {
        AuditedRow settled = row("A", "estimate", "last_settled", "0.0002", "0.0004", "0.0001", "0.0002");
        AuditedRow fixed = row("A", "estimate", "fixed");
        VenueAudit audit = audit(settled, fixed);
        assertEquals(Map.of(), audit.different());
        assertEquals(1, audit.moved());
        assertEquals(1, audit(fixed, settled).different().size());
        assertEquals(
                1,
                audit(settled, row("A", "estimate", "fixed", "BTC", "BTT"))
                        .different()
                        .size());
    }

    @Test
    void aPriceMayMoveAndBeUnknown() {
        assertEquals(
                1,
                audit(row("A"), row("A", ":91000", ":88000", ":91010", ":null")).equal());
    }

    @Test
    void ratesThatDifferByOneFactorDiffer() {
        var venue = List.of(row("A"), row("B"), row("C"), row("D", "0.0002", "0", "0.0001", "0"));
        String[] percent = {"0.0002", "0.00000206", "0.0001", "0.00000103"};
        var service = List.of(
                row("A", percent), row("B", percent), row("C", percent), row("D", "0.0002", "0", "0.0001", "0"));
        VenueAudit audit = audit(venue, service);
        String factor = "rates at the service are about 0.0103 times those at the venue, in 3 of 3 rows";
        assertEquals(Map.of("A", factor, "B", factor, "C", factor), audit.different());
        assertEquals(1, audit.equal(), "a rate of 0 shows no factor");
    }

    @Test
    void permitsEstimatesThatMoveApartOrLittle() {
        var venue = List.of(row("A"), row("B"), row("C"));
        String[] little = {"0.0002", "0.00022", "0.0001", "0.00011"};
        assertEquals(
                3,
                audit(venue, List.of(row("A", little), row("B", little), row("C", little)))
                        .moved());
        VenueAudit apart = audit(
                venue,
                List.of(
                        row("A", "0.0002", "0.0004", "0.0001", "0.0002"),
                        row("B", "0.0002", "0.00004", "0.0001", "0.00002"),
                        row("C", "0.0002", "-0.0002", "0.0001", "-0.0001")));
        assertEquals(Map.of(), apart.different());
        assertEquals(3, apart.moved());
    }

    @ParameterizedTest
    @CsvSource({"0.000202,0.000101,1", "0.000206,0.000103,0"})
    void permitsFixedRatesInProportionToPrices(String rate8h, String rate, int moved) {
        VenueAudit audit = audit(
                row("A", "estimate", "fixed"),
                row("A", "estimate", "fixed", "0.0002", rate8h, "0.0001,", rate + ",", ":91000", ":91910"));
        assertEquals(
                List.of(moved, 1 - moved),
                List.of(audit.moved(), audit.different().size()),
                "prices moved 1 %");
    }

    @Test
    void contractsOfOneSideAreNamed() {
        VenueAudit audit = audit(List.of(row("A"), row("B")), List.of(row("B"), row("C")));
        assertEquals(List.of("A"), audit.venueOnly());
        assertEquals(List.of("C"), audit.serviceOnly());
        assertTrue(audit.isComparable());
        assertFalse(audit(List.of(row("A")), List.of()).isComparable());
    }

    private static final String WITHHELD = "\"funding_interval_h\":null";

    /** A service withholds an interval that settlements contradict; a single poll lacks one that takes a request of its own. */
    @Test
    void comparesTheRestWithoutAnInterval() {
        String interval = "\"funding_interval_h\":4";
        AuditedRow[] lacking = {
            row("A", interval, WITHHELD, "0.0002", "null", "1795024800000", "null"),
            // the value covers hours of its own
            row("A", interval, WITHHELD, "0.0001", "null"),
        };
        for (AuditedRow one : lacking) {
            for (VenueAudit audit : List.of(audit(row("A"), one), audit(one, row("A")))) {
                assertEquals(Map.of(), audit.different());
                assertEquals(List.of(1, 0, 0), List.of(audit.withoutInterval(), audit.equal(), audit.moved()));
            }
        }
        AuditedRow fixed = row("A", "estimate", "fixed");
        AuditedRow other = row("A", "estimate", "fixed", interval, WITHHELD, "0.0002", "null", "0.0001", "0.00015");
        assertEquals(
                Map.of("A", "fixed funding_rate: 0.0001 at the venue, 0.00015 at the service"),
                audit(fixed, other).different());
        assertEquals(
                Map.of("A", "asset: BTC at the venue, ETH at the service"),
                audit(row("A"), row("A", interval, WITHHELD, "BTC", "ETH")).different());
    }
}
