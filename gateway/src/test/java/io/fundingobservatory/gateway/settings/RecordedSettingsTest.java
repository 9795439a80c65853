package io.fundingobservatory.gateway.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.gateway.traffic.StandardLimits;
import io.micronaut.core.bind.annotation.Bindable;
import io.micronaut.core.convert.ConversionService;
import io.micronaut.core.naming.NameUtils;
import io.micronaut.http.HttpVersion;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Every setting of the gateway with its default, and the line with which a value is refused that cannot be used. */
class RecordedSettingsTest {
    @Test
    void everySettingHasItsRecordedDefault() {
        var defaults = new TreeMap<String, String>();
        for (Class<? extends Record> settings :
                List.of(GatewaySettings.class, GatewaySettings.Traffic.class, GatewaySettings.Port.class)) {
            String prefix = settings == GatewaySettings.class
                    ? ""
                    : settings == GatewaySettings.Traffic.class ? "traffic." : "port.";
            for (RecordComponent component : settings.getRecordComponents()) {
                var bindable = component.getAccessor().getAnnotation(Bindable.class);
                defaults.put(prefix + key(component), bindable == null ? "none" : bindable.defaultValue());
            }
        }
        assertEquals("""
                first-list-deadline=60s
                generation-interval=5s
                port.client-connections=64
                port.connections=2048
                port.idle-timeout=60s
                port.request-deadline=10s
                port.response-deadline=60s
                security-contact=
                traffic.burst-points=120
                traffic.exempt=none
                traffic.forwarding-header=X-Forwarded-For
                traffic.hour-names=300
                traffic.memory-mb=16
                traffic.points-per-minute=120
                traffic.request-names=50
                traffic.sweep-names=40
                traffic.sweep-percent=70
                traffic.trusted-proxies=none
                traffic.window=10m
                traffic.window-names=120""", defaults.toString().replaceAll("[{}]", "").replace(", ", "\n"));
    }

    @ParameterizedTest
    @CsvSource({
        "prot.connections, observatory.gateway.prot",
        "port.conections, observatory.gateway.port.conections",
        "traffic.exempted, observatory.gateway.traffic.exempted",
    })
    void refusesUnknownKey(String key, String named) {
        SettingsCheck.checkKeys(entriesOf("port.connections", "traffic.exempt", "security-contact"));
        var failure = assertThrows(
                IllegalArgumentException.class,
                () -> SettingsCheck.checkKeys(entriesOf("port.connections", "security-contact", key)));
        assertTrue(failure.getMessage().startsWith("unknown key " + named + "; known below "), failure.getMessage());
    }

    /** The names directly below a prefix, as the framework lists them. */
    private static Function<String, Collection<String>> entriesOf(String... keys) {
        return prefix -> Stream.of(keys)
                .map(key -> "observatory.gateway." + key)
                .filter(key -> key.startsWith(prefix + '.'))
                .map(key -> key.substring(prefix.length() + 1).replaceAll("\\..*", ""))
                .collect(Collectors.toSet());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 | 8081 | observatory.management.port is 0 and must be a port from 1 to 65535",
                "8081 | 8081 | the public port and observatory.management.port are both 8081",
            })
    void refusesManagementOnPublicPort(int managementPort, int port, String reason) {
        SettingsCheck.checkPorts(0, 8081);
        assertEquals(
                reason,
                assertThrows(IllegalArgumentException.class, () -> SettingsCheck.checkPorts(port, managementPort))
                        .getMessage());
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "HTTP_1_1")
    void refusesOtherVersionsOfHttp(HttpVersion version) {
        SettingsCheck.checkVersion(HttpVersion.HTTP_1_1);
        var refused = assertThrows(IllegalArgumentException.class, () -> SettingsCheck.checkVersion(version));
        assertTrue(
                refused.getMessage().startsWith("micronaut.server.http-version is " + version + " and must be 1.1: "),
                refused.getMessage());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "port.connections | 0 | at least 1",
                "port.client-connections | 0 | at least 1",
                "port.request-deadline | 99ms | from 100ms to 3600s",
                "port.response-deadline | 2h | from 100ms to 3600s",
                "port.idle-timeout | 0s | from 1s to 3600s",
                "traffic.points-per-minute | 0 | at least 1",
                "traffic.burst-points | 5 | at least 6",
                "traffic.window | 2h | from 1s to 3600s",
                "traffic.sweep-names | 1 | at least 2",
                "traffic.sweep-percent | 101 | from 1 to 100",
                "traffic.request-names | 0 | at least 1",
                "traffic.window-names | 30 | at least 50, which is observatory.gateway.traffic.request-names",
                "traffic.hour-names | 49 | at least 50, which is observatory.gateway.traffic.request-names",
                "traffic.memory-mb | 65 | from 1 to 64",
                "traffic.forwarding-header | X-Real-IP | X-Forwarded-For or Forwarded",
                "first-list-deadline | -1s | at least 0s",
                "generation-interval | 0s | from 1s to 10s in whole seconds",
                "generation-interval | 11s | from 1s to 10s in whole seconds",
                "generation-interval | 1500ms | from 1s to 10s in whole seconds",
                "security-contact | me@example.org | a mailto: or https: URI",
            })
    void refusesValueInOneLine(String key, String value, String usable) {
        Class<? extends Record> settings = key.startsWith("port.")
                ? GatewaySettings.Port.class
                : key.startsWith("traffic.") ? GatewaySettings.Traffic.class : GatewaySettings.class;
        Object[] values = Stream.of(settings.getRecordComponents())
                .map(component -> key.substring(key.lastIndexOf('.') + 1).equals(key(component))
                        ? ConversionService.SHARED.convertRequired(value, component.getType())
                        : StandardLimits.byDefault(component))
                .toArray();
        var refused = assertThrows(
                InvocationTargetException.class, () -> settings.getDeclaredConstructors()[0].newInstance(values));
        String shown = value.equals("2h") ? "7200s" : value;
        assertEquals(
                "observatory.gateway." + key + " is " + shown + " and must be " + usable,
                refused.getCause().getMessage());
    }

    private static String key(RecordComponent component) {
        return NameUtils.hyphenate(component.getName());
    }
}
