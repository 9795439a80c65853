package io.fundingobservatory.gateway.core;

import io.fundingobservatory.gateway.traffic.Limits;
import io.fundingobservatory.gateway.traffic.Request;
import io.fundingobservatory.gateway.traffic.Verdict;
import io.fundingobservatory.topics.Rate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Answers every request of the public port from a snapshot and the files; never from a store, never with an empty stand-in.
 *
 * <p>How long an answer may be kept: what comes of a snapshot, until the next beat ({@link GenerationInterval}), in whole seconds
 * rounded down and at least 1. A file for five minutes. An error, and what is not built, not at all.
 */
public final class Site {
    static final Missing.UnknownValue SOURCE_UNKNOWN =
            new Missing.UnknownValue("meta.source", "no exchange has reported yet");
    private static final Missing.UnknownValue COVERAGE_UNKNOWN =
            new Missing.UnknownValue("meta.coverage", "the tables are not restored yet");
    private static final Missing.UnknownValue COVERAGE_WITHHELD =
            new Missing.UnknownValue("meta.coverage", "a file list is no observation");

    private static final Missing.UnknownValue NO_OBSERVATION =
            new Missing.UnknownValue("rows", "this answer holds no observation; its reason says why");
    private static final Missing.UnknownValue MISSING_ELSEWHERE = new Missing.UnknownValue(
            "meta.missing.venues, meta.missing.symbols",
            "not listed here; /api/v1/venues and /api/v1/latest list them");

    private static final HttpDate MODIFIED = new HttpDate();

    /** Files change with a release, and a release takes a new process. */
    private static final int FILE_MAX_AGE_S = 300;

    /** While this service fails, a cache may show what it has for as long as a row may grow old. */
    private static final long STALE_IF_ERROR_S = Rate.REMOVED_AFTER_MS / 1000;

    private static final int STARTING_RETRY_S = 5;
    private static final int BUSY_RETRY_S = 10;
    private static final String EXPOSED =
            "ETag, Last-Modified, Cache-Control, Content-Encoding, Content-Length, Date, Link, Retry-After, Allow";
    private static final String METHODS = "GET, HEAD, OPTIONS";

    private static final Map<String, String> MANNERS = manners();

    private final Files files;
    private final long startedMs;
    private final Limits limits;
    private volatile Content manifest;

    /**
     * The site over its files.
     *
     * @param startedMs when this process began to serve them, epoch ms UTC
     */
    public Site(Files files, long startedMs) {
        this(files, startedMs, Limits.STANDARD);
    }

    /** The site of an installation with its own traffic limits, which the index states. */
    public Site(Files files, long startedMs, Limits limits) {
        this.limits = limits;
        this.files = files;
        this.startedMs = startedMs;
        this.manifest = manifest(files, startedMs);
    }

    /** Adds a coding to the files, once; until then clients get them in the others. */
    public void pack(Coding coding, Compressor compressor) {
        files.pack(coding, compressor);
        manifest = manifest.packedAs(coding, compressor);
    }

    private static Map<String, String> manners() {
        var headers = new LinkedHashMap<String, String>();
        headers.put("Access-Control-Allow-Origin", "*");
        headers.put("Access-Control-Expose-Headers", EXPOSED);
        headers.put("X-Content-Type-Options", "nosniff");
        headers.put("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
        headers.put("Referrer-Policy", "no-referrer");
        headers.put("Link", "<" + Files.API_CATALOG + ">; rel=\"api-catalog\"");
        return headers;
    }

    /** The answer to one request; without a snapshot, data addresses say that the service is starting. */
    public Answer answer(Ask ask, @Nullable Snapshot snapshot) {
        if (ask.method().equals("OPTIONS")) {
            return ask.body() ? bodyRefused(ask, snapshot) : options();
        }
        if (!ask.read()) {
            return refuse(405, ask.nowMs(), snapshot);
        }
        if (ask.body()) {
            return bodyRefused(ask, snapshot);
        }
        Content file = files.get(ask.path());
        if (file != null) {
            return plainly(ask, snapshot, () -> file(ask, file));
        }
        return switch (ask.path()) {
            case Files.MANIFEST -> plainly(ask, snapshot, () -> fresh(ask, manifest, FILE_MAX_AGE_S, startedMs));
            case "/api/v1" -> table(ask, snapshot, s -> s.prepared("index", () -> IndexPage.render(s, limits)));
            case "/api/v1/venues" -> table(ask, snapshot, s -> s.prepared("venues", () -> VenuesPage.render(s)));
            case "/api/v1/latest" -> latest(ask, snapshot);
            case "/api/v1/carry" -> carry(ask, snapshot);
            case "/api/v1/history" ->
                notYet("funding-rate history is not built yet; it is the next release", ask.nowMs(), snapshot);
            default -> {
                for (Kind kind : Kind.notYet()) {
                    if (ask.path().equals("/api/v1/" + kind.word)) {
                        yield notYet(kind.meaning + ": not returned yet in this release", ask.nowMs(), snapshot);
                    }
                }
                yield refuse(404, ask.nowMs(), snapshot);
            }
        };
    }

    /** What a request costs and names. HEAD and conditional requests are looks like any other. */
    public Request weigh(Ask ask, @Nullable Snapshot snapshot) {
        return switch (ask.path()) {
            case "/api/v1/latest" -> Weight.latest(ask, snapshot);
            case "/api/v1/carry" -> Weight.carry(ask);
            default -> Weight.OTHER;
        };
    }

    /** The answer to what the HTTP server itself refuses or fails at. */
    public Answer refuse(int status, long nowMs, @Nullable Snapshot snapshot) {
        return switch (status) {
            case 404 -> error(404, "unknown_address", "nothing is served at this address", nowMs, snapshot);
            case 405 -> error(405, "read_only", "this service is read-only: " + METHODS, nowMs, snapshot);
            case 413 -> error(413, "unreadable", "no address takes a request body", nowMs, snapshot);
            case 414 -> error(414, "unreadable", "the request line is too long", nowMs, snapshot);
            case 431 -> error(431, "unreadable", "the header fields are too long or too many", nowMs, snapshot);
            case 505 -> error(505, "unreadable", "HTTP/1.1 and HTTP/1.0 are spoken here", nowMs, snapshot);
            case 503 -> starting(nowMs, snapshot);
            default ->
                status >= 400 && status < 500
                        ? error(400, "unreadable", "the request is not readable as HTTP", nowMs, snapshot)
                        : error(
                                500,
                                "failed",
                                "the service failed at this request; the failure is logged",
                                nowMs,
                                snapshot);
        };
    }

    private interface Page {
        Content of(Snapshot snapshot);
    }

    private interface Served {
        Answer answer();
    }

    private Answer latest(Ask ask, @Nullable Snapshot snapshot) {
        return switch (Parameters.read(ask.rawQuery(), Scope.PARAMETERS)) {
            case Parameters.Unreadable(String reason) -> error(400, "unreadable", reason, ask.nowMs(), snapshot);
            case Parameters.Names names -> {
                if (snapshot == null) {
                    yield starting(ask.nowMs(), null);
                }
                yield fresh(ask, snapshot.latest(snapshot.scope(names)), snapshot);
            }
        };
    }

    private Answer carry(Ask ask, @Nullable Snapshot snapshot) {
        return switch (Parameters.read(ask.rawQuery(), PairQuery.PARAMETERS)) {
            case Parameters.Unreadable(String reason) -> error(400, "unreadable", reason, ask.nowMs(), snapshot);
            case Parameters.Names names -> {
                Integer limit = PairQuery.limit(names);
                if (limit == null) {
                    yield error(400, "unreadable", "limit is a whole number from 1 to 1000", ask.nowMs(), snapshot);
                }
                Content page = snapshot == null ? null : snapshot.pairs(new PairQuery(snapshot.scope(names), limit));
                if (snapshot == null || page == null) {
                    yield starting("the first table of 30-day pairs is not there yet", ask.nowMs(), snapshot);
                }
                yield fresh(ask, page, snapshot);
            }
        };
    }

    private Answer table(Ask ask, @Nullable Snapshot snapshot, Page page) {
        return plainly(
                ask,
                snapshot,
                () -> snapshot == null ? starting(ask.nowMs(), null) : fresh(ask, page.of(snapshot), snapshot));
    }

    /** For addresses that take no parameters. */
    private Answer plainly(Ask ask, @Nullable Snapshot snapshot, Served served) {
        return switch (Parameters.read(ask.rawQuery(), List.of())) {
            case Parameters.Unreadable(String reason) -> error(400, "unreadable", reason, ask.nowMs(), snapshot);
            case Parameters.Names names -> served.answer();
        };
    }

    private Answer file(Ask ask, Content file) {
        Answer answer = fresh(ask, file, FILE_MAX_AGE_S, startedMs);
        String policy = files.policy(ask.path());
        if (policy == null) {
            return answer;
        }
        var headers = new LinkedHashMap<>(answer.headers());
        headers.put("Content-Security-Policy", policy);
        return new Answer(answer.status(), headers, answer.pieces());
    }

    private static Answer fresh(Ask ask, Content content, Snapshot snapshot) {
        return fresh(ask, content, snapshot.maxAgeS(ask.nowMs()), snapshot.generatedAtMs());
    }

    private static Answer fresh(Ask ask, Content content, long maxAgeS, long modifiedMs) {
        Coding coding = Codings.choose(ask.acceptEncoding(), content.packed().keySet());
        var headers = new LinkedHashMap<>(MANNERS);
        headers.put("ETag", content.etag(coding));
        headers.put("Vary", "Accept-Encoding");
        headers.put("Cache-Control", "public, max-age=" + maxAgeS + ", stale-if-error=" + STALE_IF_ERROR_S);
        headers.put("Last-Modified", MODIFIED.at(modifiedMs));
        if (Codings.matches(ask.ifNoneMatch(), content.etag(coding))) {
            return new Answer(304, headers, List.of());
        }
        List<byte[]> pieces = content.pieces(coding);
        headers.put("Content-Type", content.type());
        if (coding != null) {
            headers.put("Content-Encoding", coding.word);
        }
        headers.put("Content-Length", Long.toString(Content.length(pieces)));
        return new Answer(200, headers, pieces);
    }

    private Answer options() {
        var headers = new LinkedHashMap<>(MANNERS);
        headers.put("Allow", METHODS);
        headers.put("Access-Control-Allow-Methods", METHODS);
        headers.put("Access-Control-Allow-Headers", "*, If-None-Match, Content-Type");
        headers.put("Access-Control-Max-Age", "86400");
        headers.put("Cache-Control", "public, max-age=" + FILE_MAX_AGE_S);
        return new Answer(204, headers, List.of());
    }

    private Answer notYet(String reason, long nowMs, @Nullable Snapshot snapshot) {
        return error(501, "not_yet", reason, nowMs, snapshot);
    }

    private Answer bodyRefused(Ask ask, @Nullable Snapshot snapshot) {
        return error(400, "unreadable", "no address takes a request body", ask.nowMs(), snapshot);
    }

    private Answer starting(long nowMs, @Nullable Snapshot snapshot) {
        return starting("the first complete list is not there yet", nowMs, snapshot);
    }

    private Answer starting(String reason, long nowMs, @Nullable Snapshot snapshot) {
        return error(new Refusal(503, "starting", reason, STARTING_RETRY_S, null), nowMs, snapshot);
    }

    /** The answer while something is used up; why, in a line. */
    public Answer busy(String reason, long nowMs, @Nullable Snapshot snapshot) {
        return error(new Refusal(503, "busy", reason, BUSY_RETRY_S, null), nowMs, snapshot);
    }

    /** The answer to a request whose traffic is refused: when to come back, and what to ask instead. */
    public Answer refuse(Verdict.Refused refused, long nowMs, @Nullable Snapshot snapshot) {
        String reason = switch (refused.shape()) {
            case VOLUME -> "too much was asked for in too short a time";
            case SWEEP ->
                "many different symbols or assets looked at once each are a sweep; the whole list is one call";
            case CONNECTIONS ->
                "too many connections are held open by one client; one is enough, requests follow on it";
        };
        return error(new Refusal(429, "refused", reason, refused.retryAfterS(), "/api/v1/latest"), nowMs, snapshot);
    }

    /** Why a request is not answered, and where that helps, when to come back and what to ask instead. */
    private record Refusal(
            int status,
            String word,
            String reason,
            @Nullable Integer retryAfterS,
            @Nullable String useInstead) {}

    private Answer error(int status, String word, String reason, long nowMs, @Nullable Snapshot snapshot) {
        return error(new Refusal(status, word, reason, null, null), nowMs, snapshot);
    }

    private Answer error(Refusal refusal, long nowMs, @Nullable Snapshot snapshot) {
        Integer retryAfterS = refusal.retryAfterS();
        Map<String, String> units = retryAfterS == null ? Units.ENVELOPE : Units.WAIT;
        byte[] body = Json.bytes(json -> {
            envelope(nowMs, snapshot, units).open(json);
            json.writeStringField("status", refusal.word());
            json.writeStringField("reason", refusal.reason());
            if (retryAfterS != null) {
                json.writeNumberField("retry_after_s", retryAfterS);
            }
            if (refusal.useInstead() != null) {
                json.writeStringField("use_instead", refusal.useInstead());
            }
            Json.texts(json, "addresses", addresses(snapshot != null && snapshot.ranking() != null));
            json.writeEndObject();
        });
        var headers = new LinkedHashMap<>(MANNERS);
        headers.put("Cache-Control", "no-store");
        if (refusal.status() == 405) {
            headers.put("Allow", METHODS);
        }
        if (retryAfterS != null) {
            headers.put("Retry-After", Integer.toString(retryAfterS));
        }
        headers.put("Content-Type", Content.JSON);
        headers.put("Content-Length", Integer.toString(body.length));
        return new Answer(refusal.status(), headers, List.of(body));
    }

    /** The tables that are there, and what describes them; the manifest lists every file. */
    private List<String> addresses(boolean pairs) {
        Stream<String> tables = Stream.of("/api/v1", "/api/v1/latest", "/api/v1/venues");
        Stream<String> carry = pairs ? Stream.of("/api/v1/carry") : Stream.of();
        Stream<String> described =
                Stream.of(SelfDescription.OPENAPI, SelfDescription.SKILL).filter(path -> files.get(path) != null);
        return Stream.of(tables, carry, Stream.of(Files.MANIFEST), described)
                .flatMap(all -> all)
                .toList();
    }

    /**
     * The envelope of an error. It holds nothing of the observation, so what is missing from it is the whole of it: which
     * exchanges and rows an observation lacks is said by the answers that hold one.
     */
    private static Envelope envelope(long nowMs, @Nullable Snapshot snapshot, Map<String, String> units) {
        Missing missing = Missing.NOTHING.and(NO_OBSERVATION).and(MISSING_ELSEWHERE);
        if (snapshot == null) {
            missing = missing.and(SOURCE_UNKNOWN).and(COVERAGE_UNKNOWN);
            return new Envelope(nowMs, null, null, 0, units, missing, Map.of());
        }
        if (snapshot.source() == null) {
            missing = missing.and(SOURCE_UNKNOWN);
        }
        return new Envelope(
                snapshot.generatedAtMs(), snapshot.source(), snapshot.coverage(), 0, units, missing, Map.of());
    }

    private static Content manifest(Files files, long startedMs) {
        var missing = Missing.NOTHING
                .and(new Missing.UnknownValue("meta.source", "a file list is no observation"))
                .and(COVERAGE_WITHHELD);
        return files.manifest(new Envelope(startedMs, null, null, 0, Units.MANIFEST, missing, Map.of()));
    }
}
