package io.fundingobservatory.ingest.venues;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.ingest.json.Skip;
import io.fundingobservatory.ingest.spec.Rows;
import io.fundingobservatory.ingest.spec.Settlements;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Aster books a share's dividend right after the ordinary payment of 20:00 New York, and no field marks it. */
class AsterHistoryTest {
    private static final long MIDNIGHT = 1_790_208_000_000L;

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 700, 59_000})
    void firstOfTwoRowsIsOrdinaryPayment(long afterMs) throws IOException {
        var read = new Settlements(new Aster().spec(), "AAPLUSDT", MIDNIGHT + 3_600_000);
        new Aster()
                .readHistory(
                        JsonValue.parse(
                                """
                [{"symbol":"AAPLUSDT","fundingTime":%1$d,"fundingRate":"0.00001250"},
                 {"symbol":"AAPLUSDT","fundingTime":%1$d,"fundingRate":"0.00001250"},
                 {"symbol":"AAPLUSDT","fundingTime":%2$d,"fundingRate":"-0.00104000"}]
                """.formatted(MIDNIGHT, MIDNIGHT + afterMs).getBytes(StandardCharsets.UTF_8)),
                        read);

        assertEquals(
                List.of(MIDNIGHT + " 0.00001250"),
                read.settled().stream()
                        .map(settled -> settled.settledMs() + " " + settled.rate())
                        .toList());
        assertEquals(List.of(new Rows.Skipped("AAPLUSDT", Skip.SPECIAL_PAYMENT)), read.specialPayments());
        assertEquals(List.of(), read.skipped());
    }
}
