package io.fundingobservatory.gateway.core.snapshot;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.fundingobservatory.gateway.core.coding.Content;
import io.fundingobservatory.gateway.core.coding.Segment;
import java.util.List;
import org.junit.jupiter.api.Test;

class PreparedContentsTest {
    private static final int MB = 1 << 20;

    private final PreparedContents contents = new PreparedContents();

    private static Content content(int bytes) {
        return new Content(Content.JSON, "tag", List.of(Segment.of(new byte[bytes])), List.of());
    }

    /** Large responses of one client must not keep those out that everybody requests. */
    @Test
    void whatIsRequestedOftenStays() {
        contents.keep("/api/v1", content(1_000));
        for (int i = 0; i < 40; i++) {
            contents.keep("response " + i, content(MB));
            assertNotNull(contents.get("/api/v1"), "after response " + i);
        }
        assertNotNull(contents.get("response 39"));
        assertNull(contents.get("response 35"), "4 MB");
    }

    @Test
    void tooLargeAResponseIsNotKept() {
        contents.keep("/api/v1", content(1_000));
        contents.keep("response", content(5 * MB));
        assertNull(contents.get("response"));
        assertNotNull(contents.get("/api/v1"));
    }

    @Test
    void keepsTwoHundredFiftySix() {
        for (int i = 0; i < 300; i++) {
            contents.keep("response " + i, content(1));
        }
        assertNull(contents.get("response 43"));
        assertNotNull(contents.get("response 44"));
    }
}
