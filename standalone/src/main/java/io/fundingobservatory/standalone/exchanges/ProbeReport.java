package io.fundingobservatory.standalone.exchanges;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What a probe found, as a table for people or as JSON. */
final class ProbeReport {
    private static final String LINE = "%-12s %-14s %9s %6s %7s %6s  %s%n";

    private ProbeReport() {}

    static void table(List<ProbeResult> results, List<AnnouncedChange> due, PrintStream out) {
        out.printf(Locale.ROOT, LINE, "exchange", "status", "bytes", "rows", "ms", "limit", "skipped, problems");
        for (ProbeResult result : results) {
            out.printf(
                    Locale.ROOT,
                    LINE,
                    result.venue(),
                    statuses(result),
                    result.bytes(),
                    result.rows(),
                    result.ms(),
                    result.percentOfLimit() + " %",
                    remarks(result));
        }
        long responding = results.stream().filter(r -> r.rows() > 0).count();
        out.printf(
                Locale.ROOT,
                "%d of %d exchanges brought rows, %d in all%n",
                responding,
                results.size(),
                results.stream().mapToInt(ProbeResult::rows).sum());
        due.forEach(change -> out.println(change.line()));
    }

    /** Such as {@code 200x4 403}; {@code none} means no whole response. */
    private static String statuses(ProbeResult result) {
        Map<String, Long> counts = result.requests().stream()
                .collect(Collectors.groupingBy(
                        r -> r.status() == 0 ? "none" : Integer.toString(r.status()),
                        TreeMap::new,
                        Collectors.counting()));
        return counts.entrySet().stream()
                .map(e -> e.getKey() + (e.getValue() > 1 ? "x" + e.getValue() : ""))
                .collect(Collectors.joining(" "));
    }

    private static String remarks(ProbeResult result) {
        String skipped = result.skipped().entrySet().stream()
                .map(e -> e.getValue() + " " + e.getKey())
                .collect(Collectors.joining(", "));
        String problems = String.join("; ", result.problems());
        String all = skipped + (skipped.isEmpty() || problems.isEmpty() ? "" : " | ") + problems;
        return all.length() > 200 ? all.substring(0, 199) + "…" : all;
    }

    static void json(List<ProbeResult> results, List<AnnouncedChange> due, PrintStream out) {
        try (JsonGenerator json = new JsonFactory()
                .configure(JsonGenerator.Feature.AUTO_CLOSE_TARGET, false)
                .createGenerator(out, JsonEncoding.UTF8)) {
            json.useDefaultPrettyPrinter();
            json.writeStartObject();
            json.writeArrayFieldStart("venues");
            for (ProbeResult result : results) {
                write(result, json);
            }
            json.writeEndArray();
            json.writeArrayFieldStart("announced");
            for (AnnouncedChange change : due) {
                write(change, json);
            }
            json.writeEndArray();
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        out.println();
    }

    private static void write(AnnouncedChange change, JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeStringField("venue", change.venue());
        json.writeStringField("due", String.valueOf(change.due()));
        json.writeStringField("what", change.what());
        json.writeStringField("source", change.source());
        json.writeStringField("action", change.action());
        json.writeEndObject();
    }

    private static void write(ProbeResult result, JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeStringField("venue", result.venue());
        json.writeNumberField("rows", result.rows());
        json.writeNumberField("bytes", result.bytes());
        json.writeNumberField("ms", result.ms());
        json.writeStringField("limit_pool", result.pool());
        json.writeNumberField("limit_percent", result.percentOfLimit());
        json.writeObjectFieldStart("skipped");
        for (var skipped : result.skipped().entrySet()) {
            json.writeNumberField(skipped.getKey().toString(), skipped.getValue());
        }
        json.writeEndObject();
        json.writeArrayFieldStart("problems");
        for (String problem : result.problems()) {
            json.writeString(problem);
        }
        json.writeEndArray();
        json.writeArrayFieldStart("requests");
        for (ProbeResult.Request request : result.requests()) {
            json.writeStartObject();
            json.writeStringField("name", request.name());
            json.writeNumberField("status", request.status());
            json.writeNumberField("bytes", request.bytes());
            json.writeNumberField("ms", request.ms());
            json.writeStringField("reason", request.reason());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }
}
