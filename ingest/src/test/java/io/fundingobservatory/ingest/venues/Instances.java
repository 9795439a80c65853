package io.fundingobservatory.ingest.venues;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.topics.ListedVenue;

/** The instances of one exchange share its bodies; they differ in host and quote currency. */
public final class Instances {
    private Instances() {}

    /** The folder of the venue's bodies; an unlisted venue has its own. */
    public static String wireId(Venue venue) {
        String id = venue.spec().id();
        return ListedVenue.isListed(id) ? ListedVenue.of(id).wireId() : id;
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
