package io.fundingobservatory.standalone;

import io.fundingobservatory.standalone.terminal.Stop;
import io.fundingobservatory.standalone.terminal.TerminalSize;
import io.fundingobservatory.standalone.top.Display;
import io.fundingobservatory.standalone.top.ServiceClient;
import io.fundingobservatory.standalone.top.ServiceView;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** A running service at a glance: its exchanges, the ranking, rates of the named assets. */
@Command(
        name = "top",
        mixinStandardHelpOptions = true,
        description = {
            "Shows a running service at any URL: the state of its exchanges, the ranking of pairs, the rates of",
            "the named assets at every exchange. On a terminal it refreshes until Ctrl-C; into a file or a pipe it prints once.",
            "Exit code 1 when an endpoint does not respond."
        })
final class TopCommand implements Callable<Integer> {
    /** Three addresses cost four points a look, of 120 a minute. */
    private static final int LEAST_SECONDS = 3;

    private static final int MOST_PAIRS = 250;

    @Parameters(arity = "0..*", paramLabel = "ASSET", description = "Assets as in the rows' asset, such as BTC ETH.")
    private List<String> assets = List.of();

    @Option(
            names = "--url",
            paramLabel = "BASE",
            converter = BaseUrl.class,
            description = "The service's base URL. Default: ${DEFAULT-VALUE}.")
    private URI url = URI.create("http://localhost:8080");

    @Option(
            names = "--venues",
            paramLabel = "LIST",
            description = "Exchanges whose rates and pairs are shown, with commas. Default: ${DEFAULT-VALUE}.")
    private String venues = "all";

    @Option(names = "--pairs", paramLabel = "N", description = "Pairs of the ranking. Default: ${DEFAULT-VALUE}.")
    private int pairs = 20;

    @Option(
            names = "--every",
            paramLabel = "SECONDS",
            description = "Time between two requests, at least a response's max-age. Default: ${DEFAULT-VALUE}.")
    private int every = 5;

    @Option(
            names = "--times",
            paramLabel = "N",
            description = "Number of refreshes. Default: one, or until Ctrl-C on a terminal.")
    private @Nullable Integer times;

    @Override
    public Integer call() throws InterruptedException {
        if (assets.size() > ServiceView.MOST_ASSETS || every < LEAST_SECONDS || pairs < 1 || pairs > MOST_PAIRS) {
            throw new Stop("at most " + ServiceView.MOST_ASSETS + " assets, --every at least " + LEAST_SECONDS
                    + ", --pairs 1 to " + MOST_PAIRS);
        }
        boolean terminal = Console.isTerminal();
        int refreshes = times != null ? times : terminal ? Integer.MAX_VALUE : 1;
        ServiceView last = null;
        try (var service = new ServiceClient(url, Duration.ofSeconds(every), System::nanoTime);
                Display display = display(terminal)) {
            var restored = new Thread(display::close, "restore-terminal");
            Runtime.getRuntime().addShutdownHook(restored);
            for (int refresh = 1; refresh <= refreshes; refresh++) {
                last = ServiceView.read(service, assets, venues, pairs);
                display.show(last);
                if (refresh < refreshes) {
                    TimeUnit.NANOSECONDS.sleep(Math.max(0, last.dueNanos() - System.nanoTime()));
                }
            }
            Runtime.getRuntime().removeShutdownHook(restored);
        }
        if (last != null && !last.isWhole()) {
            throw new Stop(url + ": "
                    + String.join("; ", new LinkedHashSet<>(last.problems().values())));
        }
        return 0;
    }

    /** Where the looks are shown. Closing it restores the terminal and leaves standard output open. */
    private static Display display(boolean terminal) {
        return terminal
                ? new Display.FullScreen(System.out, Ansi.AUTO, TerminalSize::now)
                : new Display.Plain(System.out);
    }

    /** {@code http://host:port} or {@code host:port}, without a query. */
    static final class BaseUrl implements ITypeConverter<URI> {
        @Override
        public URI convert(String word) {
            try {
                String whole = word.contains("://") ? word : "http://" + word;
                var base = new URI(whole.endsWith("/") ? whole.substring(0, whole.length() - 1) : whole);
                boolean spoken = "http".equals(base.getScheme()) || "https".equals(base.getScheme());
                if (spoken && base.getHost() != null && base.getRawQuery() == null && base.getRawFragment() == null) {
                    return base;
                }
            } catch (URISyntaxException e) {
                // as below
            }
            throw new TypeConversionException("it is http://HOST:PORT, with a path at most");
        }
    }
}
