package io.fundingobservatory.runtime;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.kafka.clients.CommonClientConfigs;
import org.jspecify.annotations.Nullable;

/**
 * Access to the brokers, the same for every service, below {@code observatory.kafka}. {@code docs/operations/settings.md} has these lines.
 *
 * @param bootstrapServers bootstrap brokers, separated by commas
 * @param replicationFactor copies of created topics; -1: the default of the brokers. {@code ingest} stops where topics have fewer
 * @param client every key below it is passed to every Kafka client
 */
public record KafkaAccess(String bootstrapServers, short replicationFactor, Map<String, String> client) {
    public static final String PREFIX = "observatory.kafka";

    /** The brokers' own {@code default.replication.factor}. */
    public static final short BROKERS_DEFAULT = -1;

    private static final String BOOTSTRAP_SERVERS = "bootstrap-servers";
    private static final String REPLICATION_FACTOR = "replication-factor";
    private static final String CLIENT = "client";
    private static final List<String> KEYS = List.of(BOOTSTRAP_SERVERS, CLIENT, REPLICATION_FACTOR);
    private static final String CLIENT_VARIABLES = "OBSERVATORY_KAFKA_CLIENT_";
    private static final String DEFAULT_BOOTSTRAP = "localhost:9092";

    public KafkaAccess {
        if (bootstrapServers.isBlank()) {
            throw new IllegalArgumentException(PREFIX + "." + BOOTSTRAP_SERVERS + " is empty; host:port is wanted");
        }
        if (replicationFactor != BROKERS_DEFAULT && replicationFactor < 1) {
            throw new IllegalArgumentException(PREFIX + "." + REPLICATION_FACTOR + " is " + replicationFactor
                    + "; 1 or more is wanted, or -1 for the brokers' default");
        }
        client = Map.copyOf(client);
    }

    /** Brokers without authentication, with their own default of copies. */
    public static KafkaAccess at(String bootstrapServers) {
        return new KafkaAccess(bootstrapServers, BROKERS_DEFAULT, Map.of());
    }

    /**
     * Reads the settings; an unknown key or an unreadable number is an {@link IllegalArgumentException} with one line.
     *
     * @param value the value of a key below {@link #PREFIX}, null when it is not set
     * @param entries the names that are set directly below {@link #PREFIX}, every reading of an environment variable among them
     * @param client what is set below {@code observatory.kafka.client} in files and arguments, by Kafka's own names
     * @param environment the environment: {@code OBSERVATORY_KAFKA_CLIENT_SASL_MECHANISM} is {@code sasl.mechanism}, and outranks
     *     a file
     */
    public static KafkaAccess of(
            Function<String, @Nullable String> value,
            Collection<String> entries,
            Map<String, Object> client,
            Map<String, String> environment) {
        refuseUnknown(entries, environment.keySet());
        String servers = value.apply(BOOTSTRAP_SERVERS);
        String replicas = value.apply(REPLICATION_FACTOR);
        return new KafkaAccess(
                servers == null ? DEFAULT_BOOTSTRAP : servers,
                replicas == null ? BROKERS_DEFAULT : number(replicas),
                clientSettings(client, environment));
    }

    private static void refuseUnknown(Collection<String> entries, Collection<String> variables) {
        SettingVariables.unknown(PREFIX, KEYS, List.of(CLIENT + "-"), variables).ifPresent(variable -> {
            throw new IllegalArgumentException(variable + " is no setting; known are below " + PREFIX + ": "
                    + String.join(", ", KEYS) + " (settings of Kafka's clients go below " + PREFIX + ".client)");
        });
        for (String entry : entries) {
            // A variable REPLICATION_FACTOR is read as replication-factor and as replication.factor: both begin so.
            if (KEYS.stream().noneMatch(key -> key.equals(entry) || key.startsWith(entry + "-"))) {
                throw new IllegalArgumentException("unknown key " + PREFIX + "." + entry + "; known are "
                        + String.join(", ", KEYS) + " (settings of Kafka's clients go below " + PREFIX + ".client)");
            }
        }
    }

    private static short number(String text) {
        try {
            return Short.parseShort(text.strip());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(PREFIX + "." + REPLICATION_FACTOR + " is no whole number: " + text, e);
        }
    }

    private static Map<String, String> clientSettings(Map<String, Object> configured, Map<String, String> environment) {
        var settings = new HashMap<String, String>();
        configured.forEach((key, value) -> settings.put(key, String.valueOf(value)));
        environment.forEach((name, value) -> {
            if (name.startsWith(CLIENT_VARIABLES)) {
                settings.put(
                        name.substring(CLIENT_VARIABLES.length())
                                .toLowerCase(Locale.ROOT)
                                .replace('_', '.'),
                        value);
            }
        });
        return settings;
    }

    /** The configuration of a client: what was handed through, and over it what the service itself needs to be right. */
    public Map<String, Object> client(Map<String, ?> own) {
        var config = new HashMap<String, Object>(client);
        config.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        config.putAll(own);
        return config;
    }

    /** The configuration of a client: what the service prefers, as long as nothing else was handed through. */
    public Map<String, Object> clientPreferring(Map<String, ?> preferred) {
        var config = new HashMap<String, Object>(preferred);
        config.putAll(client);
        config.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        return config;
    }

    /** Names of the handed-through settings only: their values may be secrets. */
    @Override
    public String toString() {
        return bootstrapServers + " replication_factor=" + replicationFactor + " client="
                + new TreeMap<>(client).keySet();
    }
}
