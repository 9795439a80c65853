package io.fundingobservatory.standalone;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;

import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.ingest.json.Skip;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.standalone.audit.AuditReport;
import io.fundingobservatory.standalone.audit.AuditedRow;
import io.fundingobservatory.standalone.audit.VenueAudit;
import io.fundingobservatory.standalone.audit.VenueReading;
import io.fundingobservatory.standalone.exchanges.ExchangeAccess;
import io.fundingobservatory.standalone.terminal.Stop;
import io.fundingobservatory.standalone.top.ServiceClient;
import io.fundingobservatory.standalone.top.ServiceResponse;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** Compares the rows of a running service with what its venues return now. */
@Command(
        name = "audit",
        mixinStandardHelpOptions = true,
        description = {
            "Requests the rows of a running service, and polls each exchange once within its published limits. It compares them:",
            "rows that are equal, that moved between the two readings, whose interval only one side knows, that differ,",
            "and that only one side has.",
            "Exit code 0 when nothing differs, 3 when a row does, 4 when an exchange or the service could not be compared."
        })
final class AuditCommand implements Callable<Integer> {
    private static final int DIFFERENT = 3;
    private static final int NOT_COMPARED = 4;
    private static final String SIMULATED = "simulated:";

    private final InstantSource clock;

    @Parameters(arity = "0..*", paramLabel = "VENUE", description = "Exchanges by identifier; default: all.")
    private List<String> venues = List.of();

    @Option(
            names = "--url",
            paramLabel = "BASE",
            converter = TopCommand.BaseUrl.class,
            description = "The service's base address. Default: ${DEFAULT-VALUE}.")
    private URI url = URI.create("http://localhost:8080");

    @Option(
            names = "--exchanges",
            paramLabel = "SOURCE",
            description =
                    "live, or simulated:http://HOST:PORT for those that the service polls. Default: ${DEFAULT-VALUE}.")
    private String source = "live";

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "How long an exchange may take that is polled symbol by symbol. Default: ${DEFAULT-VALUE}.")
    private int seconds = 10;

    AuditCommand() {
        this(InstantSource.system());
    }

    /** An audit whose venues are read at this clock's time. */
    AuditCommand(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public Integer call() throws InterruptedException {
        List<Venue> readers = ExchangeAccess.readers(venues);
        String path = "/api/v1/latest?venues="
                + (venues.isEmpty()
                        ? "all"
                        : readers.stream().map(v -> v.spec().id()).collect(joining(",")));
        ServiceResponse response;
        try (var service = new ServiceClient(url, Duration.ofSeconds(1), System::nanoTime)) {
            response = service.read(path);
        }
        JsonValue body = response.body();
        if (body == null) {
            System.err.println("observatory: " + url + path + " was not compared: " + response.problem());
            return NOT_COMPARED;
        }
        String observed = body.at("meta").textOrNull("source");
        String wanted = source.startsWith(SIMULATED) ? "simulated" : "live";
        if (!wanted.equals(observed)) {
            System.err.println("observatory: the service observes " + observed + " exchanges, " + wanted
                    + " ones were to be compared; see --exchanges");
            return NOT_COMPARED;
        }
        Map<String, List<AuditedRow>> atService;
        try {
            atService = body.list("rows").stream().map(AuditedRow::of).collect(groupingBy(AuditedRow::venue));
        } catch (Skip e) {
            System.err.println("observatory: the service's rows are not as documented: " + e.reason());
            return NOT_COMPARED;
        }
        List<VenueAudit> audits = audits(readings(readers), atService);
        AuditReport.print(audits, System.out);
        if (audits.stream().anyMatch(audit -> !audit.different().isEmpty())) {
            return DIFFERENT;
        }
        return audits.stream().allMatch(VenueAudit::isComparable) ? 0 : NOT_COMPARED;
    }

    private static List<VenueAudit> audits(Map<Venue, VenueReading> readings, Map<String, List<AuditedRow>> atService) {
        var audits = new ArrayList<VenueAudit>();
        readings.forEach((venue, reading) -> {
            String id = venue.spec().id();
            audits.add(VenueAudit.of(id, reading, atService.getOrDefault(id, List.of())));
        });
        return audits;
    }

    /** Polls the venues side by side. */
    private Map<Venue, VenueReading> readings(List<Venue> readers) throws InterruptedException {
        var readings = new LinkedHashMap<Venue, VenueReading>();
        try (ExchangeAccess access = open();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var polled = new LinkedHashMap<Venue, Future<VenueReading>>();
            for (Venue venue : readers) {
                polled.put(
                        venue,
                        threads.submit(
                                () -> VenueReading.of(venue, access.exchanges(), clock, Duration.ofSeconds(seconds))));
            }
            for (var one : polled.entrySet()) {
                readings.put(one.getKey(), reading(one.getValue()));
            }
        }
        return readings;
    }

    /** The result of one reading. A reading that broke off is a problem of its venue alone. */
    static VenueReading reading(Future<VenueReading> polled) throws InterruptedException {
        try {
            return polled.get();
        } catch (ExecutionException e) {
            return new VenueReading(List.of(), List.of("its reading broke off: " + e.getCause()));
        }
    }

    private ExchangeAccess open() {
        if (source.equals("live")) {
            return ExchangeAccess.live();
        }
        if (source.startsWith(SIMULATED)) {
            try {
                URI base = new TopCommand.BaseUrl().convert(source.substring(SIMULATED.length()));
                return ExchangeAccess.simulatedAt(base.toString(), clock);
            } catch (TypeConversionException e) {
                // as below
            }
        }
        throw new Stop("--exchanges is live or simulated:http://HOST:PORT");
    }
}
