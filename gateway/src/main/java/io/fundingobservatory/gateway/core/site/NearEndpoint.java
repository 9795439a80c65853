package io.fundingobservatory.gateway.core.site;

import io.fundingobservatory.gateway.core.request.Route;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds the address that a path where nothing is served was probably meant for. */
final class NearEndpoint {
    private static final Pattern PREFIX = Pattern.compile("^(/+api)?(/+v[0-9]+)?(?=/|$)");
    private static final String SUFFIX = ".json";

    private static final Map<String, String> MEANT = Map.ofEntries(
            Map.entry("", Route.INDEX.path),
            Map.entry("rates", Route.LATEST.path),
            Map.entry("funding", Route.LATEST.path),
            Map.entry("funding_rates", Route.LATEST.path),
            Map.entry("tickers", Route.LATEST.path),
            Map.entry("exchanges", Route.VENUES.path),
            Map.entry("pairs", Route.CARRY.path),
            Map.entry("openapi", Files.OPENAPI),
            Map.entry("openapi.yml", Files.OPENAPI),
            Map.entry("openapi.yaml", Files.OPENAPI),
            Map.entry("swagger", Files.OPENAPI),
            Map.entry("docs", Files.OPENAPI),
            Map.entry("manifest", Files.MANIFEST),
            Map.entry("skill.md", Files.SKILL));

    private NearEndpoint() {}

    static @Nullable String of(String path) {
        String lower = path.toLowerCase(Locale.ROOT);
        String name = withoutEnd(PREFIX.matcher(lower).replaceFirst(""))
                .replaceFirst("^/+", "")
                .replace('-', '_');
        Route route = Route.of("/api/v1/" + name);
        String meant = route != null ? route.path : MEANT.get(name);
        return meant == null || meant.equals(path) ? null : meant;
    }

    /** A pattern would look for its end from each of many slashes. */
    private static String withoutEnd(String path) {
        int end = path.length();
        while (end > 0 && path.charAt(end - 1) == '/') {
            end--;
        }
        String name = path.substring(0, end);
        return name.endsWith(SUFFIX) ? name.substring(0, name.length() - SUFFIX.length()) : name;
    }
}
