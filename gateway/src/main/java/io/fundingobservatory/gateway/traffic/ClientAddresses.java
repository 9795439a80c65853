package io.fundingobservatory.gateway.traffic;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Determines the address of a client. A forwarding field counts only as far as trusted proxies wrote it. It
 * is read from the right: each entry is the address that the proxy to its right saw (RFC 7239 §7.4). Only one
 * field is ever read, the one that the proxies are set to write. Most proxies pass another one on unchanged
 * when a client sends it.
 */
public record ClientAddresses(List<Address> trusted, String field) {
    public static final String X_FORWARDED_FOR = "X-Forwarded-For";

    /** RFC 7239. */
    public static final String FORWARDED = "Forwarded";

    public ClientAddresses {
        trusted = List.copyOf(trusted);
    }

    /** The address of the client at the other end of a connection, given the values of the field in their order. */
    public Address client(Address peer, List<String> values) {
        if (values.isEmpty() || !peer.isIn(trusted)) {
            return peer;
        }
        List<String> hops = field.equalsIgnoreCase(FORWARDED) ? fors(values) : items(values);
        Address client = peer;
        for (int i = hops.size() - 1; i >= 0 && client.isIn(trusted); i--) {
            Optional<Address> hop = node(hops.get(i));
            if (hop.isEmpty()) {
                // A hop that hides its address ends what can be known: the proxy that passed it on stands for it.
                return client;
            }
            client = hop.get();
        }
        return client;
    }

    public boolean trusts(Address peer) {
        return peer.isIn(trusted);
    }

    private static List<String> items(List<String> values) {
        var items = new ArrayList<String>();
        for (String value : values) {
            for (String item : value.split(",", -1)) {
                items.add(item.strip());
            }
        }
        return items;
    }

    /** The {@code for} parameter of each element; an element without one is a hop that is not told. */
    private static List<String> fors(List<String> values) {
        var nodes = new ArrayList<String>();
        for (String element : items(values)) {
            String node = "";
            for (String pair : element.split(";", -1)) {
                String stripped = pair.strip();
                if (stripped.toLowerCase(Locale.ROOT).startsWith("for=")) {
                    node = stripped.substring(4).strip();
                }
            }
            nodes.add(node);
        }
        return nodes;
    }

    /** An address with or without quotes, brackets and port. */
    private static Optional<Address> node(String text) {
        String node = text.length() >= 2 && text.startsWith("\"") && text.endsWith("\"")
                ? text.substring(1, text.length() - 1)
                : text;
        if (node.startsWith("[")) {
            int end = node.indexOf(']');
            return end < 0 || !node.substring(end + 1).matches("(:\\d{1,5})?")
                    ? Optional.empty()
                    : Address.parse(node.substring(1, end));
        }
        int colon = node.indexOf(':');
        boolean port = colon > 0
                && colon == node.lastIndexOf(':')
                && node.substring(colon + 1).matches("\\d{1,5}");
        return Address.parse(port ? node.substring(0, colon) : node);
    }
}
