package io.fundingobservatory.gateway;

import io.fundingobservatory.gateway.settings.GatewaySettings;
import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Every key that may be set below {@code observatory.gateway}, in a file or by environment variable. */
final class SettingsKeys {
    private static final String VARIABLES = "OBSERVATORY_GATEWAY_";

    private SettingsKeys() {}

    /** All of them, without their common prefix. */
    static Set<String> known() {
        var keys = new TreeSet<String>();
        add(keys, "", GatewaySettings.class);
        add(keys, "traffic.", TrafficSettings.class);
        add(keys, "port.", PortSettings.class);
        return keys;
    }

    /** Each component of a settings record is a key, {@code likeThis} written {@code like-this}. */
    private static void add(Set<String> keys, String prefix, Class<? extends Record> settings) {
        for (RecordComponent component : settings.getRecordComponents()) {
            keys.add(prefix + component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT));
        }
    }

    /** The first configured key or environment variable that means nothing here. */
    static Optional<String> unknown(Collection<String> configured, Collection<String> environment) {
        Set<String> known = known();
        Optional<String> key = configured.stream()
                .filter(name -> !known.contains(name))
                .sorted()
                .findFirst()
                .map(name -> GatewaySettings.PREFIX + '.' + name);
        if (key.isPresent()) {
            return key;
        }
        Set<String> variables = known.stream()
                .map(name ->
                        VARIABLES + name.replace('.', '_').replace('-', '_').toUpperCase(Locale.ROOT))
                .collect(Collectors.toSet());
        return environment.stream()
                .filter(name -> name.startsWith(VARIABLES) && !variables.contains(name))
                .sorted()
                .findFirst();
    }
}
