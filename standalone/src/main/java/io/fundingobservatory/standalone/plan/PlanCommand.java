package io.fundingobservatory.standalone.plan;

import io.fundingobservatory.ingest.spec.RateLimit;
import io.fundingobservatory.ingest.spec.Request;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.standalone.exchanges.ExchangeAccess;
import io.fundingobservatory.standalone.terminal.Instants;
import io.fundingobservatory.standalone.terminal.Stop;
import io.fundingobservatory.standalone.terminal.Table;
import io.fundingobservatory.standalone.terminal.Table.Align;
import io.fundingobservatory.testbed.sim.Dispersion;
import io.fundingobservatory.testbed.sim.SimulatedMarket;
import io.fundingobservatory.testbed.sim.Wire;
import io.fundingobservatory.testbed.sim.server.Realism;
import io.fundingobservatory.testbed.sim.server.SimulatedExchange;
import io.fundingobservatory.testbed.sim.venues.Wires;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints which requests a venue's poller sends within an hour, without network or Kafka. */
@Command(
        name = "plan",
        mixinStandardHelpOptions = true,
        description = {
            "Prints the requests of a venue in the hour after a start: their times, and the part of each published limit",
            "that they take. The poller itself sends them, on a clock that jumps, to the simulated exchange."
        })
public final class PlanCommand implements Callable<Integer> {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

    /** The priority of settled history, which comes after the declared ones. */
    private static final String HISTORY = "history";

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli injects it
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "VENUE", description = "The exchange's identifier, for example binance.")
    private String venue = "";

    @Option(
            names = "--at",
            paramLabel = "INSTANT",
            description = "When the poller starts, " + Instants.FORM + "; default: now.")
    private @Nullable String at;

    @Option(
            names = "--contracts",
            paramLabel = "N",
            description = "How many contracts the exchange lists at most. Default: as many as the venue does.")
    private int contracts = Integer.MAX_VALUE;

    @Option(names = "--all", description = "Print each request with its time instead of a line for each kind.")
    private boolean all;

    @Override
    public Integer call() {
        if (contracts < 1) {
            throw new Stop("--contracts is at least 1, not " + contracts);
        }
        Venue planned = ExchangeAccess.readers(List.of(venue)).getFirst();
        Instant start = Instants.orNow(at);
        var hour = PlannedHour.of(planned, time -> new SimulatedVenue(exchange(), time), start, Duration.ofMinutes(1));
        PrintWriter out = spec.commandLine().getOut();
        out.println(venue + ": " + hour.sent().size() + " requests in the hour from " + TIME.format(start) + " UTC, "
                + hour.contracts() + " simulated contracts");
        out.println();
        Table requests = all ? each(planned, hour) : kinds(planned, hour);
        requests.lines().forEach(out::println);
        out.println();
        pools(planned, hour).lines().forEach(out::println);
        out.flush();
        return 0;
    }

    private SimulatedExchange exchange() {
        Wire wire = Wires.all().stream()
                .filter(one -> one.venue().equals(venue))
                .findFirst()
                .orElseThrow(() -> new Stop("no simulated exchange for " + venue));
        var market = new SimulatedMarket(1, List.of(wire), Dispersion.NONE, contracts);
        return new SimulatedExchange(wire, market, new Realism(true, true, false, Dispersion.NONE, contracts));
    }

    private static Table kinds(Venue venue, PlannedHour hour) {
        var table = new Table()
                .column("priority", Align.LEFT)
                .column("request", Align.LEFT)
                .column("due", Align.LEFT)
                .column("requests", Align.RIGHT)
                .column("first", Align.LEFT)
                .column("second", Align.LEFT)
                .column("last", Align.LEFT);
        Map<String, List<PlannedHour.Sent>> byRequest = hour.sent().stream()
                .collect(Collectors.groupingBy(PlannedHour.Sent::request, LinkedHashMap::new, Collectors.toList()));
        for (Request.Priority priority : Request.Priority.values()) {
            for (Request request : venue.spec().requests()) {
                if (request.priority() == priority) {
                    row(table, word(priority), request.name(), due(request), byRequest.remove(request.name()));
                }
            }
        }
        byRequest.forEach((request, sent) -> row(table, HISTORY, request, "after each settlement", sent));
        return table;
    }

    private static void row(
            Table table, String priority, String request, String due, @Nullable List<PlannedHour.Sent> sent) {
        List<PlannedHour.Sent> times = sent == null ? List.of() : sent;
        table.row(
                priority,
                request,
                due,
                Integer.toString(times.size()),
                time(times, 0),
                time(times, 1),
                time(times, times.size() - 1));
    }

    private static String time(List<PlannedHour.Sent> sent, int position) {
        return position < 0 || position >= sent.size()
                ? ""
                : TIME.format(sent.get(position).at());
    }

    private static Table each(Venue venue, PlannedHour hour) {
        Map<String, String> priorities = venue.spec().requests().stream()
                .collect(Collectors.toMap(Request::name, request -> word(request.priority()), (a, b) -> a));
        var table = new Table()
                .column("time", Align.LEFT)
                .column("priority", Align.LEFT)
                .column("request", Align.LEFT)
                .column("units", Align.LEFT);
        for (PlannedHour.Sent sent : hour.sent()) {
            table.row(
                    TIME.format(sent.at()),
                    priorities.getOrDefault(sent.request(), HISTORY),
                    sent.name(),
                    new TreeMap<>(sent.units())
                            .entrySet().stream()
                                    .map(draw -> draw.getValue() + " of " + draw.getKey())
                                    .collect(Collectors.joining(", ")));
        }
        return table;
    }

    private static Table pools(Venue venue, PlannedHour hour) {
        var table = new Table()
                .column("pool", Align.LEFT)
                .column("published limit", Align.LEFT)
                .column("units in the hour", Align.RIGHT)
                .column("part of the hour", Align.POINT)
                .column("highest part in use", Align.POINT);
        var units = new TreeMap<String, Integer>();
        hour.sent().forEach(sent -> sent.units().forEach((pool, drawn) -> units.merge(pool, drawn, Integer::sum)));
        units.forEach((pool, drawn) -> {
            List<RateLimit> limits = new ArrayList<>(venue.spec().limits());
            limits.removeIf(limit -> !limit.pool().equals(pool));
            if (limits.isEmpty()) {
                table.row(
                        pool,
                        "none",
                        Integer.toString(drawn),
                        "",
                        percent(hour.highest().getOrDefault(pool, 0.0)));
            }
            for (RateLimit limit : limits) {
                double published = (double) limit.units()
                        * Duration.ofHours(1).toMillis()
                        / limit.per().toMillis();
                table.row(
                        pool,
                        limit.units() + " in " + limit.per().toSeconds() + " s",
                        Integer.toString(drawn),
                        percent(drawn / published),
                        percent(hour.highest().getOrDefault(pool, 0.0)));
            }
        });
        return table;
    }

    private static String percent(double part) {
        return String.format(Locale.ROOT, "%.1f %%", part * 100);
    }

    private static String due(Request request) {
        Duration every = request.every();
        return every.isZero()
                ? "each poll"
                : every.toHours() >= 1 ? "every " + every.toHours() + " h" : "every " + every.toMinutes() + " min";
    }

    private static String word(Request.Priority priority) {
        return priority.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
