package io.fundingobservatory.ingest.spec;

import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.ingest.json.ReasonText;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An exchange's own error inside a response that looks like a success.
 *
 * @param reason the exchange's code and message, one line
 * @param throttled whether it reports too many requests
 */
public record VenueError(String reason, boolean throttled) {
    private static final int LONGEST = 160;

    public VenueError {
        reason = ReasonText.oneLine(reason.strip(), LONGEST);
    }

    /** For exchanges that put a code and a message into nothing but their errors. */
    public static @Nullable VenueError ifCoded(
            JsonValue body, String codeField, String messageField, String... throttled) {
        return unless("", body, codeField, messageField, throttled);
    }

    /**
     * For exchanges that put a code and a message around every response.
     *
     * @param success the code of success; any other code is an error, no code is none
     * @param throttled the codes that report too many requests
     */
    public static @Nullable VenueError unless(
            String success, JsonValue body, String codeField, String messageField, String... throttled) {
        String code = body.textOrNull(codeField);
        if (code == null || code.equals(success)) {
            return null;
        }
        String message = body.textOrNull(messageField);
        return new VenueError(
                message == null ? code : code + " " + message,
                List.of(throttled).contains(code));
    }
}
