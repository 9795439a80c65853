package io.fundingobservatory.ingest.publish;

import io.fundingobservatory.ingest.json.SkipReason;
import java.time.Duration;

/**
 * What happens in ingest, for metrics and logs. Methods are called by the threads that do the work, and return
 * at once.
 */
public interface IngestEvents {
    IngestEvents NONE = new IngestEvents() {};

    /** What became of a request to a venue; the name in lower case is the metric's label. */
    enum RequestOutcome {
        ANSWERED,
        /** The venue refused the request as too frequent. */
        THROTTLED,
        /** 403, 418 or 451. */
        BANNED,
        /** The venue rejects this request: a status of 4xx, or an error inside a success. */
        REFUSED,
        /** No usable response came. */
        FAILED
    }

    /** An HTTP exchange ended: its status, 0 when no whole response came, and the bytes of the body as it was sent. */
    default void exchanged(String host, int status, long bytes, Duration took) {}

    /** A request to a venue ended; {@code request} is its declared name. */
    default void requested(String venue, String request, RequestOutcome outcome) {}

    /** A request drew on a pool: units drawn in the window before now, as a fraction of the published units. */
    default void drawn(String venue, String pool, double fraction) {}

    /** A poll ended; {@code sent} is false when its records were dropped, {@code banned} true while a host bans us. */
    default void polled(PollReport report, boolean sent, boolean banned) {}

    /** The quotes of a poll were dropped; the reason is one word for the metric's label. */
    default void dropped(String venue, String reason) {}

    /** Kafka has acknowledged so many settlements. */
    default void settled(String venue, int count) {}

    /** A response with settled rates could not be read: its shape differs from the documented one, or its reader has a bug. */
    default void unreadable(String venue, String request, RuntimeException why) {}

    /** So many rows of a response with settled rates were left out for a reason, the rest of it was read. */
    default void skippedSettlements(String venue, SkipReason reason, long rows) {}

    /** A record was left out because no consumer would accept it, an internal error; {@code flaw} names the field. */
    default void unwritable(String venue, String topic, String flaw) {}

    /** A step such as {@code poll} or {@code history} threw, an internal error. The polling of the venue goes on. */
    default void broke(String venue, String step, Throwable bug) {}
}
