package io.fundingobservatory.ingest.venues;

import static org.junit.jupiter.api.Assertions.assertNotNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.topics.ListedVenue;
import java.net.URL;
import java.nio.file.Path;

/** The instances of one exchange share its bodies; they differ in host and quote currency. */
public final class Instances {
    private Instances() {}

    /** The venue whose bodies it has. */
    static String wireId(Venue venue) {
        return ListedVenue.of(venue.spec().id()).wireId();
    }

    /** The folder of the venue's bodies, with {@code expected.json}. */
    public static Path bodies(Venue venue) {
        String name = "/venues/" + wireId(venue) + "/expected.json";
        URL expected = Instances.class.getResource(name);
        assertNotNull(expected, "a registered venue needs ingest/src/test/resources" + name);
        return Path.of(expected.getPath()).getParent();
    }

    /** The expected quotes of the first instance, in the quote currency of this one. */
    static JsonNode quotesOf(Venue venue, JsonNode expected) {
        String id = venue.spec().id();
        if (!wireId(venue).equals(id)) {
            String quote = ListedVenue.of(id).instance().quote();
            expected.forEach(row -> ((ObjectNode) row).put("quote", quote));
        }
        return expected;
    }
}
