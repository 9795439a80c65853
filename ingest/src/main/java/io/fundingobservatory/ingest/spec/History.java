package io.fundingobservatory.ingest.spec;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The endpoint at which a venue publishes its settled rates, requested contract by contract.
 *
 * @param declared the request. The name has {@code {}} for the contract's key; a recorded body is the file {@code
 *     <name>.json}. The URL has {@code {key}}. Placeholders of the span: {@code {from_ms}} {@code {to_ms}}
 *     {@code {from_s}} {@code {to_s}} {@code {from_ns}} {@code {to_ns}} {@code {from_iso}} {@code {to_iso}}.
 *     Placeholders of the page: {@code {page}}, counted from 1, and {@code {next}}, empty at first, then the
 *     argument of {@code Settlements.next(String)}. {@code {rows}} is the number of rows that the span may
 *     hold, {@code maxRows} at most. A POST's body has the same placeholders.
 * @param paging how further pages are requested
 * @param maxRows the maximum number of rows of a response; fewer than this is the last page
 * @param longest the longest span between the two instants of one request; null when any is accepted
 * @param stampedEarlier how long before its settlement a row is stamped, and a request begins; zero where a
 *     stamp is the settlement's instant
 * @param rowsPerUnit this many rows of the response cost one unit more; 0 where rows cost nothing
 * @param keys the keys that the endpoint takes, each with its symbol, from the responses of the latest
 *     observation; null: the keys are the symbols
 */
public record History(
        VenueRequest declared,
        Paging paging,
        int maxRows,
        @Nullable Duration longest,
        Duration stampedEarlier,
        int rowsPerUnit,
        @Nullable Function<VenueResponses, Map<String, String>> keys) {

    private static final List<String> NARROWING = List.of("{from_", "{to_", "{page}", "{next}", "{rows}");

    /** How the rows beyond one response are reached. */
    public enum Paging {
        /** One response holds all there is. */
        NONE,
        /** Newest first: the next request ends at the oldest row read. */
        OLDER,
        /** Oldest first: the next request begins at the newest row read. */
        NEWER,
        /** By page number. */
        PAGE,
        /** By what the response before names ({@code Settlements.next(String)}). */
        NEXT
    }

    public static History get(String name, String url, Paging paging, int maxRows) {
        return new History(VenueRequest.get(name, url), paging, maxRows, null, Duration.ZERO, 0, null);
    }

    public static History post(String name, String url, String body, Paging paging, int maxRows) {
        return new History(VenueRequest.post(name, url, body), paging, maxRows, null, Duration.ZERO, 0, null);
    }

    public String name() {
        return declared.name();
    }

    /** Limits the span of one request: the exchange rejects a longer one. */
    public History longest(Duration span) {
        return new History(declared, paging, maxRows, span, stampedEarlier, rowsPerUnit, keys);
    }

    /** Rows are stamped at the start of a period of this length, and found by that stamp. */
    public History stampedAtStart(Duration period) {
        return new History(declared, paging, maxRows, longest, period, rowsPerUnit, keys);
    }

    public History weight(int units) {
        return weight(units, 0);
    }

    /** It costs so many units, and one more for each so many rows of the response. */
    public History weight(int units, int rowsPerUnit) {
        return new History(declared.weight(units), paging, maxRows, longest, stampedEarlier, rowsPerUnit, keys);
    }

    /** What a response about a span costs at most, with a settlement an hour. */
    public int weight(Duration span) {
        if (rowsPerUnit == 0) {
            return declared.weight();
        }
        long rows = Math.min(maxRows, span.toHours() + 1);
        return declared.weight() + (int) Math.ceilDiv(rows, (long) rowsPerUnit);
    }

    /** The most rows that a span may hold, with a settlement every half hour and some to spare. */
    public int rows(Duration span) {
        return Math.clamp(2 * span.toHours() + 5, 1, maxRows);
    }

    /** Whether a request can be limited to what is new; false where each response holds the whole past. */
    public boolean canBeNarrowed() {
        String template = declared.url() + declared.body();
        return NARROWING.stream().anyMatch(template::contains);
    }

    public History pool(String pool) {
        return pool(pool, 1);
    }

    /** It draws so many units of a pool that the header declares, in addition to its weight of the host's. */
    public History pool(String pool, int units) {
        return new History(declared.pool(pool, units), paging, maxRows, longest, stampedEarlier, rowsPerUnit, keys);
    }

    public History keys(Function<VenueResponses, Map<String, String>> keysOf) {
        return new History(declared, paging, maxRows, longest, stampedEarlier, rowsPerUnit, keysOf);
    }

    /** Only for some symbols: where an exchange has an endpoint for each of its books. */
    public History symbols(Function<VenueResponses, Set<String>> symbolsOf) {
        return keys(responses -> symbolsOf.apply(responses).stream()
                .collect(Collectors.toMap(Function.identity(), Function.identity())));
    }

    /** {@link #symbols}, taken from a field of a request's rows. */
    public History symbolsIn(String request, String field, String... path) {
        return symbols(responses -> responses.rowsBy(field, request, path).keySet());
    }
}
