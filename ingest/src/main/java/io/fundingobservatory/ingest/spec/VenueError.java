package io.fundingobservatory.ingest.spec;

import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.ingest.json.ReasonText;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An exchange's own error inside a response that looks like a success.
 *
 * @param reason the exchange's code and message, one line
 * @param throttled whether it says that we ask too often
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
     * @param success the code of a response; any other one is a refusal, no code at all is none
     * @param throttled the codes that say that we ask too often
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
