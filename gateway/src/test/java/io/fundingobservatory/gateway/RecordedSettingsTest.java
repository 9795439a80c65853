package io.fundingobservatory.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fundingobservatory.gateway.settings.GatewaySettings;
import io.fundingobservatory.gateway.settings.PortSettings;
import io.fundingobservatory.gateway.settings.TrafficSettings;
import io.micronaut.core.bind.annotation.Bindable;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Every setting of the gateway with its default: a change of one is a change of this. */
class RecordedSettingsTest {
    @Test
    void everySettingHasItsRecordedDefault() {
        var defaults = new TreeMap<String, String>();
        for (Class<? extends Record> settings :
                List.of(GatewaySettings.class, TrafficSettings.class, PortSettings.class)) {
            String prefix =
                    settings == GatewaySettings.class ? "" : settings == TrafficSettings.class ? "traffic." : "port.";
            for (RecordComponent component : settings.getRecordComponents()) {
                String key = component.getName().replaceAll("([A-Z])", "-$1").toLowerCase();
                var bindable = component.getAccessor().getAnnotation(Bindable.class);
                defaults.put(prefix + key, bindable == null ? "none" : bindable.defaultValue());
            }
        }
        assertEquals("""
                access-log=false
                first-list-deadline=60s
                generation-interval=5s
                port.client-connections=64
                port.connections=2048
                port.drain-delay=0s
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
        assertEquals(defaults.keySet(), GatewaySettings.keys());
    }

    @Test
    void whatIsNoSettingIsNamed() {
        assertEquals(
                Optional.empty(), GatewaySettings.unknownKey(Set.of("port.connections", "access-log"), Set.of("PATH")));
        assertEquals(
                Optional.of("observatory.gateway.port.conections"),
                GatewaySettings.unknownKey(Set.of("port.conections", "access-log"), Set.of()));
        assertEquals(
                Optional.empty(),
                GatewaySettings.unknownKey(
                        Set.of(),
                        Set.of(
                                "OBSERVATORY_GATEWAY_TRAFFIC_TRUSTED_PROXIES",
                                "OBSERVATORY_GATEWAY_GENERATION_INTERVAL")));
        assertEquals(
                Optional.of("OBSERVATORY_GATEWAY_TRAFFIC_EXEMPTED"),
                GatewaySettings.unknownKey(Set.of(), Set.of("OBSERVATORY_GATEWAY_TRAFFIC_EXEMPTED", "OBSERVATORY_X")));
    }
}
