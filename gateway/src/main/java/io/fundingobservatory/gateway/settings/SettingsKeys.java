package io.fundingobservatory.gateway.settings;

import io.fundingobservatory.runtime.SettingVariables;
import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Every key that may be set below {@code observatory.gateway}, in a file or by environment variable. */
public final class SettingsKeys {
    private SettingsKeys() {}

    /** All of them, without their common prefix. */
    public static Set<String> known() {
        var keys = new TreeSet<String>();
        add(keys, "", GatewaySettings.class);
        add(keys, "traffic.", TrafficSettings.class);
        add(keys, "port.", PortSettings.class);
        return keys;
    }

    /** A key is the component's name with a hyphen before each capital letter. */
    private static void add(Set<String> keys, String prefix, Class<? extends Record> settings) {
        for (RecordComponent component : settings.getRecordComponents()) {
            keys.add(prefix + component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT));
        }
    }

    /** The first configured key or environment variable that means nothing here. */
    public static Optional<String> unknown(Collection<String> configured, Collection<String> environment) {
        Set<String> known = known();
        List<String> variables =
                known.stream().map(name -> name.replace('.', '-')).toList();
        return configured.stream()
                .filter(name -> !known.contains(name))
                .sorted()
                .findFirst()
                .map(name -> GatewaySettings.PREFIX + '.' + name)
                .or(() -> SettingVariables.unknown(GatewaySettings.PREFIX, variables, List.of(), environment));
    }
}
