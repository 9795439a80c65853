package io.fundingobservatory.ingest.venues;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.fundingobservatory.ingest.backfill.AuthoredHistoriesTest;
import io.fundingobservatory.topics.ListedVenue;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A venue that is not listed, made by ADD_A_VENUE.md and checked like a listed one. So each build follows the
 * page. Reader {@link Bitrue}, simulation {@link BitrueWire}, bodies in {@code spare/bitrue}.
 */
class SpareVenueTest {
    private final Bitrue venue = new Bitrue();
    private final BitrueWire wire = new BitrueWire();

    @Test
    void itsBodiesAreRead() throws IOException, URISyntaxException {
        AuthoredBodiesTest.assertReadsWhatIsExpected(venue, bodies());
        AuthoredBodiesTest.assertNoMissingResponseBreaks(venue, bodies());
        AuthoredBodiesTest.assertAnEmptyListIsNoList(venue, bodies());
    }

    @Test
    void itsSettlementsAreFound() throws IOException, URISyntaxException {
        AuthoredHistoriesTest.assertFindsEverySettlement(venue, bodies().resolve("expected.json"));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void readsItsContractsBack(long seed) throws IOException {
        RoundTripTest.assertEveryLiveContract(venue, seed, wire);
    }

    @Test
    void readsItsHistoryBack() throws IOException {
        RoundTripTest.assertHistory(venue, wire, Long.MAX_VALUE);
    }

    /** Reader, wire, its entry in the list, its limits, and its bodies with what is expected of them. */
    @Test
    void itTakesEightFiles() throws IOException, URISyntaxException {
        try (var files = Files.walk(bodies())) {
            long bodies = files.filter(Files::isRegularFile).count();
            assertEquals(8, 4 + bodies);
        }
    }

    @Test
    void itIsNeitherListedNorRegistered() {
        assertNull(Registry.find("bitrue"));
        assertThrows(
                IllegalArgumentException.class,
                () -> ListedVenue.of(venue.spec().id()));
    }

    private static Path bodies() throws URISyntaxException {
        var expected = Objects.requireNonNull(SpareVenueTest.class.getResource("/spare/bitrue/expected.json"));
        return Path.of(expected.toURI()).getParent();
    }
}
