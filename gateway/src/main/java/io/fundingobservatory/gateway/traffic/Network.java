package io.fundingobservatory.gateway.traffic;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An address range in CIDR notation. */
public record Network(Address address, int bits) {
    /** How much more than a network the next wider one of {@link #around} may have. */
    public static final int TIMES_WIDER = 4;

    /**
     * The networks that a client is counted by, narrowest first. An IPv4 address is counted alone. An IPv6
     * address is counted by its /64, which one host has, and by its /56 and /48, which one customer may have.
     */
    public static List<Network> around(Address client) {
        return client.version() == 4
                ? List.of(new Network(client, 32))
                : List.of(
                        new Network(client.network(64), 64),
                        new Network(client.network(56), 56),
                        new Network(client.network(48), 48));
    }

    /**
     * Reads ranges separated by commas; an address alone is a range of one, null is none.
     *
     * @throws IllegalArgumentException naming the one that is not a range
     */
    public static List<Network> list(@Nullable String text) {
        return Stream.ofNullable(text)
                .flatMap(ranges -> Stream.of(ranges.split(",", -1)))
                .filter(item -> !item.isBlank())
                .map(item -> of(item.strip()))
                .toList();
    }

    private static Network of(String text) {
        int slash = text.indexOf('/');
        Address address = Address.parse(slash < 0 ? text : text.substring(0, slash))
                .orElseThrow(() -> new IllegalArgumentException(text + " is no address range such as 10.0.0.0/8"));
        int most = address.version() == 4 ? 32 : 128;
        String bits = slash < 0 ? Integer.toString(most) : text.substring(slash + 1);
        if (!bits.matches("\\d{1,3}") || Integer.parseInt(bits) > most) {
            throw new IllegalArgumentException(text + " is no address range such as 10.0.0.0/8");
        }
        int length = Integer.parseInt(bits);
        return new Network(address.network(length), length);
    }

    boolean holds(Address other) {
        return other.version() == address.version() && other.network(bits).equals(address);
    }

    static boolean anyHolds(List<Network> networks, Address address) {
        for (Network network : networks) {
            if (network.holds(address)) {
                return true;
            }
        }
        return false;
    }
}
