package io.fundingobservatory.standalone.top;

import io.fundingobservatory.ingest.json.JsonValue;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** The value of a member of a response, as the text of a cell; {@code -} where it is null or absent. */
final class Cells {
    private static final String UNKNOWN = "-";
    private static final DateTimeFormatter UTC =
            DateTimeFormatter.ofPattern("MM-dd HH:mm'Z'").withZone(ZoneOffset.UTC);

    private Cells() {}

    static String of(JsonValue row, String member) {
        String text = row.textOrNull(member);
        return text == null ? UNKNOWN : text;
    }

    /** Month, day, hour and minute in UTC. */
    static String instant(JsonValue row, String member) {
        Long millis = row.millis(member);
        return millis == null ? UNKNOWN : UTC.format(Instant.ofEpochMilli(millis));
    }
}
