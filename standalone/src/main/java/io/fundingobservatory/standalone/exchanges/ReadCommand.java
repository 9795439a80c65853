package io.fundingobservatory.standalone.exchanges;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.ingest.json.Skip;
import io.fundingobservatory.ingest.poll.RecordedResponses;
import io.fundingobservatory.ingest.spec.History;
import io.fundingobservatory.ingest.spec.Rows;
import io.fundingobservatory.ingest.spec.Rows.Skipped;
import io.fundingobservatory.ingest.spec.Settlements;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueError;
import io.fundingobservatory.standalone.terminal.Stop;
import io.fundingobservatory.streams.normalisation.Normaliser;
import io.fundingobservatory.topics.records.Quote;
import io.fundingobservatory.topics.records.Rate;
import io.fundingobservatory.topics.records.SettledRate;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Applies the reader of a venue and the normalisation to recorded bodies, without network or Kafka. */
@Command(
        name = "read",
        mixinStandardHelpOptions = true,
        description = {
            "Reads recorded bodies of an exchange and prints the rows that the service would return.",
            "The folder has one file for each request, <request>.json; a missing file is a request without a response."
        })
public final class ReadCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli injects it
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "VENUE", description = "The exchange's identifier, for example binance.")
    private String venue = "";

    @Parameters(index = "1", paramLabel = "DIR", description = "The folder with the recorded bodies.")
    private Path folder = Path.of("");

    @Option(
            names = "--at",
            paramLabel = "INSTANT",
            converter = InstantConverter.class,
            description = "When they were read, RFC 3339 (2026-11-25T13:00:00Z) or epoch milliseconds; default: now.")
    private Instant at = Instant.now();

    @Option(names = "--history", description = "Read settled history instead of quotes.")
    private boolean history;

    @Override
    public Integer call() throws IOException {
        Venue reader = ExchangeAccess.readers(List.of(venue)).getFirst();
        if (!Files.isDirectory(folder)) {
            throw new Stop("no such folder: " + folder + "; the second word is a folder of recorded bodies");
        }
        long readAtMs = at.toEpochMilli();
        var problems = new TreeMap<String, String>();
        if (history) {
            printHistory(reader, readAtMs, problems);
        } else {
            printRows(reader, readAtMs, problems);
        }
        problems.forEach((request, problem) -> spec.commandLine()
                .getErr()
                .println("observatory: " + request + " counts as without a response: " + problem));
        return 0;
    }

    private void printRows(Venue reader, long readAtMs, Map<String, String> problems) throws IOException {
        var rows = new Rows(reader.spec(), readAtMs);
        try {
            reader.read(RecordedResponses.responses(reader, folder, readAtMs, problems), rows);
        } catch (Skip e) {
            throw new Stop("the responses are not as documented: " + e.reason());
        }
        var rates = new ArrayList<Rate>();
        var skipped = lines(rows.skipped());
        for (Quote quote : rows.quotes()) {
            switch (Normaliser.normalise(quote)) {
                case Normaliser.Accepted(Rate rate) -> rates.add(rate);
                case Normaliser.Rejected(String reason) -> skipped.add(new LeftOut(quote.symbol(), reason));
            }
        }
        rates.sort(Comparator.comparing(Rate::key));
        print(
                "rows",
                json -> {
                    for (Rate rate : rates) {
                        Rate.CODEC.write(rate, json);
                    }
                },
                skipped);
    }

    private void printHistory(Venue reader, long readAtMs, Map<String, String> problems) throws IOException {
        var settled = new ArrayList<SettledRate>();
        var skipped = new ArrayList<LeftOut>();
        Map<String, String> symbols = symbolsByKey(reader, readAtMs);
        for (var recorded : RecordedHistories.of(reader.spec(), folder).entrySet()) {
            String file = recorded.getKey().getFileName().toString();
            try {
                JsonValue body = JsonValue.parse(Files.readAllBytes(recorded.getKey()));
                VenueError error = reader.error(body);
                if (error != null) {
                    problems.put(file, error.reason());
                    continue;
                }
                var settlements = new Settlements(
                        reader.spec(), symbols.getOrDefault(recorded.getValue(), recorded.getValue()), readAtMs);
                reader.readHistory(body, settlements);
                settled.addAll(settlements.settled());
                if (settlements.settled().stream()
                        .anyMatch(rate -> rate.symbol().isEmpty())) {
                    spec.commandLine()
                            .getErr()
                            .println("observatory: " + file
                                    + ": neither it nor its name (…_SYMBOL.json) names its contract;"
                                    + " symbol is null");
                }
                skipped.addAll(lines(settlements.skipped()));
                skipped.addAll(lines(settlements.specialPayments()));
            } catch (JacksonException e) {
                problems.put(file, JsonValue.problem(e));
            } catch (Skip e) {
                problems.put(file, e.reason().toString());
            }
        }
        print(
                "settlements",
                json -> {
                    for (SettledRate rate : settled) {
                        switch (Normaliser.settled(rate)) {
                            case Normaliser.Accepted(BigDecimal fraction) -> {
                                json.writeStartObject();
                                json.writeStringField("symbol", rate.symbol().isEmpty() ? null : rate.symbol());
                                json.writeNumberField("settled_ms", rate.settledMs());
                                json.writeFieldName("funding_rate");
                                json.writeNumber(fraction.toPlainString());
                                json.writeEndObject();
                            }
                            case Normaliser.Rejected(String reason) -> skipped.add(new LeftOut(rate.symbol(), reason));
                        }
                    }
                },
                skipped);
    }

    /** Symbols that the recorded lists give to the contracts whose keys are in the file names. */
    private Map<String, String> symbolsByKey(Venue reader, long readAtMs) throws IOException {
        var symbols = new HashMap<String, String>();
        List<History> histories = reader.spec().history();
        if (histories != null) {
            var responses = RecordedResponses.responses(reader, folder, readAtMs, new TreeMap<>());
            for (History declared : histories) {
                if (declared.keys() != null) {
                    symbols.putAll(declared.keys().apply(responses));
                }
            }
        }
        return symbols;
    }

    /** A row that is not printed, by the reader's or by the normalisation's reason. */
    private record LeftOut(String symbol, String reason) {}

    private static List<LeftOut> lines(List<Skipped> skipped) {
        return new ArrayList<>(skipped.stream()
                .map(skip -> new LeftOut(skip.symbol(), skip.reason().toString()))
                .toList());
    }

    private interface Elements {
        void write(JsonGenerator json) throws IOException;
    }

    private static void print(String name, Elements elements, List<LeftOut> skipped) throws IOException {
        OutputStream out = System.out;
        try (JsonGenerator json = new JsonFactory()
                .configure(JsonGenerator.Feature.AUTO_CLOSE_TARGET, false)
                .createGenerator(out, JsonEncoding.UTF8)) {
            json.useDefaultPrettyPrinter();
            json.writeStartObject();
            json.writeArrayFieldStart(name);
            elements.write(json);
            json.writeEndArray();
            json.writeArrayFieldStart("skipped");
            for (LeftOut skip : skipped) {
                json.writeStartObject();
                json.writeStringField("symbol", skip.symbol());
                json.writeStringField("reason", skip.reason());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        System.out.println();
    }

    /** Reads RFC 3339, or 13 digits of epoch milliseconds. */
    static final class InstantConverter implements ITypeConverter<Instant> {
        @Override
        public Instant convert(String at) {
            try {
                return at.matches("[0-9]{13}") ? Instant.ofEpochMilli(Long.parseLong(at)) : Instant.parse(at);
            } catch (DateTimeException e) {
                throw new TypeConversionException("it is an instant such as 2026-11-25T13:00:00Z or 1790000000000");
            }
        }
    }
}
