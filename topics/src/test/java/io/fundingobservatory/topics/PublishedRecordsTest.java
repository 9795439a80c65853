package io.fundingobservatory.topics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.fundingobservatory.topics.json.JsonCodec;
import io.fundingobservatory.topics.json.MalformedRecord;
import java.io.IOException;
import java.io.InputStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A record of each schema and version as it is on the topics of running installations ({@code records}). A change that one of these
 * files does not survive needs a new version of its schema.
 */
class PublishedRecordsTest {
    static Stream<JsonCodec<?>> codecs() {
        return Topics.typed().stream().<JsonCodec<?>>map(Topic::codec).distinct();
    }

    @ParameterizedTest
    @MethodSource("codecs")
    <T> void readsAndRewritesPublishedRecordUnchanged(JsonCodec<T> codec) throws IOException, MalformedRecord {
        String name = "/records/" + codec.schemaId().replace('/', '-') + ".json";
        try (InputStream file = PublishedRecordsTest.class.getResourceAsStream(name)) {
            assertNotNull(file, "no published record of " + codec.schemaId());
            byte[] published = file.readAllBytes();
            assertEquals(new String(published, UTF_8), new String(codec.encode(codec.decode(published)), UTF_8));
        }
    }
}
