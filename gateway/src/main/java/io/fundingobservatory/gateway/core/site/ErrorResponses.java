package io.fundingobservatory.gateway.core.site;

import io.fundingobservatory.gateway.core.coding.Content;
import io.fundingobservatory.gateway.core.coding.Json;
import io.fundingobservatory.gateway.core.coding.Segment;
import io.fundingobservatory.gateway.core.request.NearMiss;
import io.fundingobservatory.gateway.core.request.Query;
import io.fundingobservatory.gateway.core.request.Scope;
import io.fundingobservatory.gateway.core.rows.Missing;
import io.fundingobservatory.gateway.core.snapshot.Envelope;
import io.fundingobservatory.gateway.core.snapshot.Snapshot;
import io.fundingobservatory.gateway.traffic.ClientLimiter;
import io.fundingobservatory.gateway.traffic.ClientLimiter.Limits;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The responses that are refusals: status and reason first, the envelope, the addresses that work now. */
public record ErrorResponses(Files files, Limits limits, Supplier<String> waitingFor) {
    private static final String NOTHING_SERVED = "nothing is served at this address";
    private static final int STARTING_RETRY_S = 5;
    private static final int BUSY_RETRY_S = 10;

    /** Why a request gets no response, and where that helps, when to come back and what to request instead. */
    private record Problem(
            int status,
            String word,
            String reason,
            @Nullable Integer retryAfterS,
            @Nullable String useInstead) {
        Problem(int status, String word, String reason) {
            this(status, word, reason, null, null);
        }
    }

    /** The response to what the HTTP server itself refuses or fails at. */
    public SiteResponse of(int status, long nowMs, @Nullable Snapshot snapshot) {
        if (status == 503) {
            return starting(nowMs, snapshot);
        }
        Problem problem = switch (status) {
            case 404 -> new Problem(404, "unknown_address", NOTHING_SERVED);
            case 405 -> new Problem(405, "read_only", "this service is read-only: " + SiteResponse.METHODS);
            case 414 -> new Problem(414, "unreadable", "the request line is too long");
            case 431 -> new Problem(431, "unreadable", "the header fields are too long or too many");
            case 505 -> new Problem(505, "unreadable", "HTTP/1.0 and HTTP/1.1 are spoken here");
            default ->
                status >= 400 && status < 500
                        ? new Problem(400, "unreadable", "the request is not readable as HTTP")
                        : new Problem(500, "failed", "the service failed at this request; the failure is logged");
        };
        return response(problem, nowMs, snapshot);
    }

    /** The response where nothing is served; it names the address that was probably meant. */
    SiteResponse unknownEndpoint(String path, long nowMs, @Nullable Snapshot snapshot) {
        String meant = NearMiss.path(
                path, served -> served.equals(Files.MANIFEST) || files.get(served) != null || Route.of(served) != null);
        String question = meant == null ? "" : "; did you mean " + meant + "?";
        return response(new Problem(404, "unknown_address", NOTHING_SERVED + question, null, meant), nowMs, snapshot);
    }

    SiteResponse unreadable(String reason, long nowMs, @Nullable Snapshot snapshot) {
        return response(new Problem(400, "unreadable", reason), nowMs, snapshot);
    }

    SiteResponse notYet(String reason, long nowMs, @Nullable Snapshot snapshot) {
        return response(new Problem(501, "not_yet", reason), nowMs, snapshot);
    }

    SiteResponse starting(long nowMs, @Nullable Snapshot snapshot) {
        return starting(startingReason(waitingFor.get()), nowMs, snapshot);
    }

    /** Why there is no list yet; what it waits for may be empty. */
    public static String startingReason(String waitingFor) {
        return "the first complete snapshot is not there yet" + (waitingFor.isEmpty() ? "" : ": " + waitingFor);
    }

    SiteResponse starting(String reason, long nowMs, @Nullable Snapshot snapshot) {
        return response(new Problem(503, "starting", reason, STARTING_RETRY_S, null), nowMs, snapshot);
    }

    /** The response while something is used up; why, in a line. */
    public SiteResponse busy(String reason, long nowMs, @Nullable Snapshot snapshot) {
        return response(new Problem(503, "busy", reason, BUSY_RETRY_S, null), nowMs, snapshot);
    }

    /** The refusal of a client's traffic. */
    public SiteResponse refused(ClientLimiter.Refusal refused, SiteRequest request, @Nullable Snapshot snapshot) {
        String reason = switch (refused.cause()) {
            case VOLUME ->
                "Rate limit: " + limits.pointsPerMinute() + " points a minute, " + limits.burstPoints()
                        + " at once. Retry after " + refused.retryAfterS() + " s. The whole list costs "
                        + Site.ALL + " points; up to ten names, and a list that If-None-Match finds"
                        + " unchanged, cost 1.";
            case SWEEP ->
                "Refused: " + limits.sweepNames() + " or more different names in " + limits.windowS() / 60
                        + " minutes, each in a request of its own and most requested only once. Available now:"
                        + " use_instead, up to " + limits.requestNames()
                        + " names in one request, and names you already requested.";
            case NAMES ->
                "Refused: more than " + limits.windowNames() + " different names in " + limits.windowS() / 60
                        + " minutes, or " + limits.hourNames()
                        + " in an hour. Available now: names you already requested, and the whole list.";
        };
        return response(
                new Problem(429, "refused", reason, refused.retryAfterS(), useInstead(refused, request)),
                request.nowMs(),
                snapshot);
    }

    /**
     * The request that the client should have sent: the same endpoint with the refused and the recent names joined, at the venues that it
     * named. The whole list where it named no contract, or more names than it may have.
     */
    private String useInstead(ClientLimiter.Refusal refused, SiteRequest request) {
        Query query = request.query();
        Route route = request.route();
        if (route == null || query.problem() != null) {
            return Route.LATEST.path;
        }
        String parameter = query.count("assets") > 0 ? "assets" : "symbols";
        String venues = venues(query);
        if (query.count(parameter) == 0 || refused.cause() == ClientLimiter.Refusal.Cause.NAMES) {
            return Route.LATEST.path + (query.count(parameter) == 0 || venues.isEmpty() ? "" : "?" + venues);
        }
        String joined = Stream.concat(
                        query.repeatableContracts(parameter).stream(),
                        refused.recent().stream()
                                .filter(name -> name.startsWith(parameter + '='))
                                .map(name -> name.substring(parameter.length() + 1)))
                .distinct()
                .limit(limits.requestNames())
                .map(name -> URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20"))
                .collect(Collectors.joining(","));
        return route.path + '?' + parameter + '=' + joined + (venues.isEmpty() ? "" : '&' + venues);
    }

    /** The parameter that names the venues of a request; only listed ones are repeated. Empty where none was named. */
    private static String venues(Query query) {
        SortedSet<String> listed =
                Scope.of(query, asset -> false, symbol -> false).venues();
        return query.count("venues") == 0 || listed.isEmpty()
                ? ""
                : "venues=" + (listed.equals(Scope.ALL.venues()) ? Scope.EVERY_VENUE : String.join(",", listed));
    }

    private SiteResponse response(Problem problem, long nowMs, @Nullable Snapshot snapshot) {
        Integer retryAfterS = problem.retryAfterS();
        Map<String, String> units = retryAfterS == null ? Map.of() : Map.of("retry_after_s", "seconds");
        byte[] body = Json.bytes(json -> {
            json.writeStartObject();
            json.writeStringField("status", problem.word());
            json.writeStringField("reason", problem.reason());
            if (retryAfterS != null) {
                json.writeNumberField("retry_after_s", retryAfterS);
            }
            if (problem.useInstead() != null) {
                json.writeStringField("use_instead", problem.useInstead());
            }
            Json.texts(json, "addresses", endpoints(snapshot, problem.status() == 404 ? problem.useInstead() : null));
            envelope(nowMs, snapshot, units).members(json);
            json.writeEndObject();
        });
        Map<String, String> headers = SiteResponse.commonHeaders();
        headers.put("Cache-Control", "no-store");
        if (problem.status() == 405) {
            headers.put("Allow", SiteResponse.METHODS);
        }
        if (retryAfterS != null) {
            headers.put("Retry-After", Integer.toString(retryAfterS));
        }
        headers.put("Content-Type", Content.JSON);
        headers.put("Content-Length", Integer.toString(body.length));
        return new SiteResponse(problem.status(), headers, List.of(Segment.of(body)));
    }

    /** What to request instead: the endpoint that was meant, the tables that exist, what describes them; the manifest lists every file. */
    private List<String> endpoints(@Nullable Snapshot snapshot, @Nullable String meant) {
        var endpoints = new ArrayList<String>();
        if (snapshot != null) {
            endpoints.addAll(List.of(Route.INDEX.path, Route.LATEST.path, Route.VENUES.path));
        }
        if (snapshot != null && snapshot.ranking() != null) {
            endpoints.add(Route.CARRY.path);
        }
        endpoints.add(Files.MANIFEST);
        Stream.of(Files.OPENAPI, Files.SKILL)
                .filter(path -> files.get(path) != null)
                .forEach(endpoints::add);
        endpoints.sort(Comparator.comparing(endpoint -> !endpoint.equals(meant)));
        return endpoints;
    }

    /**
     * The envelope of an error. An error contains nothing of the observation, so all of it is listed as
     * missing. Responses that contain an observation list the venues and rows that it lacks.
     */
    private static Envelope envelope(long nowMs, @Nullable Snapshot snapshot, Map<String, String> units) {
        Missing missing =
                new Missing().and("rows, meta.missing", "this response holds no observation; its reason says why");
        if (snapshot != null) {
            return snapshot.envelope(null, 0, units, missing);
        }
        missing.and("meta.source, meta.coverage", "this gateway has no snapshot yet");
        return new Envelope(nowMs, null, null, 0, units, missing, null);
    }
}
