package io.fundingobservatory.ingest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.ingest.client.RateLimitMode;
import io.micronaut.context.ApplicationContext;
import io.micronaut.core.naming.NameUtils;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Every key and its default. */
class IngestSettingsTest {
    @Test
    void defaults() {
        try (var context = ApplicationContext.run(Map.of())) {
            assertEquals(
                    new IngestSettings(
                            "live", List.of(), Duration.ofSeconds(60), RateLimitMode.PUBLISHED, List.of(), "", ""),
                    context.getBean(IngestSettings.class));
        }
        Set<String> components = Arrays.stream(IngestSettings.class.getRecordComponents())
                .map(component -> NameUtils.hyphenate(component.getName()))
                .collect(Collectors.toSet());
        assertEquals(components, IngestSettings.KEYS);
    }

    @Test
    void sendsLiveExchangesNothingBeyondTheirLimits() {
        for (String exchanges : List.of("live", "replay:/tmp")) {
            var refused = assertThrows(
                    IllegalArgumentException.class,
                    () -> new IngestSettings(
                            exchanges, List.of(), Duration.ofSeconds(60), RateLimitMode.NONE, List.of(), "", ""));
            assertTrue(refused.getMessage().contains("observatory.ingest.limits"));
        }
    }

    @Test
    void rejectsUnlistedVenueAndTooShortPollInterval() {
        assertThrows(
                IllegalArgumentException.class,
                () -> new IngestSettings(
                        "live", List.of("mtgox"), Duration.ofSeconds(60), RateLimitMode.PUBLISHED, List.of(), "", ""));
        assertThrows(
                IllegalArgumentException.class,
                () -> new IngestSettings(
                        "live", List.of(), Duration.ofSeconds(60), RateLimitMode.PUBLISHED, List.of("mtgox"), "", ""));
        assertThrows(
                IllegalArgumentException.class,
                () -> new IngestSettings(
                        "live", List.of(), Duration.ofSeconds(60), RateLimitMode.PUBLISHED, List.of(), "Tokyo", ""));
        assertThrows(
                IllegalArgumentException.class,
                () -> new IngestSettings(
                        "live", List.of(), Duration.ofMillis(900), RateLimitMode.PUBLISHED, List.of(), "", ""));
    }
}
