package io.fundingobservatory.gateway.traffic;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An IP address as a number, or the network of all addresses with the same first bits. {@code low} alone holds an IPv4 address. An IPv4
 * address written as IPv6 is the IPv4 one.
 *
 * @param version 4 or 6
 * @param high the first 64 bits of an IPv6 address; 0 for IPv4
 * @param low the last 64 bits, or the 32 bits of an IPv4 address
 * @param bits of the network, 32 or 128 for an address; the others are 0
 */
public record Address(int version, long high, long low, int bits) {
    /** How much more than a network the next wider one of {@link #networks} may have. */
    public static final int TIMES_WIDER = 4;

    private static final Pattern IPV4 = Pattern.compile("\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}");
    private static final Pattern IPV6 = Pattern.compile("[0-9A-Fa-f:.]{2,45}");

    public Address(int version, long high, long low) {
        this(version, high, low, version == 4 ? 32 : 128);
    }

    public static Address of(InetAddress address) {
        ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
        return address instanceof Inet4Address
                ? new Address(4, 0, Integer.toUnsignedLong(bytes.getInt()))
                : new Address(6, bytes.getLong(), bytes.getLong());
    }

    /** Reads a literal; nothing is ever looked up. Empty when it is none. */
    public static Optional<Address> parse(String text) {
        boolean shaped = text.indexOf(':') < 0
                ? IPV4.matcher(text).matches()
                : IPV6.matcher(text).matches();
        if (!shaped) {
            return Optional.empty();
        }
        try {
            return Optional.of(of(InetAddress.ofLiteral(text)));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /**
     * Reads ranges in CIDR notation, separated by commas; an address alone is a range of one, null is none.
     *
     * @throws IllegalArgumentException naming the one that is not a range
     */
    public static List<Address> ranges(@Nullable String text) {
        return Stream.ofNullable(text)
                .flatMap(ranges -> Stream.of(ranges.split(",", -1)))
                .filter(item -> !item.isBlank())
                .map(item -> range(item.strip())
                        .orElseThrow(() ->
                                new IllegalArgumentException(item.strip() + " is no address range such as 10.0.0.0/8")))
                .toList();
    }

    private static Optional<Address> range(String text) {
        int slash = text.indexOf('/');
        String bits = text.substring(slash + 1);
        return slash < 0
                ? parse(text)
                : parse(text.substring(0, slash))
                        .filter(address -> bits.matches("\\d{1,3}") && Integer.parseInt(bits) <= address.bits)
                        .map(address -> address.network(Integer.parseInt(bits)));
    }

    /** The network of so many leading bits that this address lies in. */
    public Address network(int leading) {
        if (version == 4) {
            return new Address(4, 0, low & (mask(leading) >>> 32), leading);
        }
        return leading <= 64
                ? new Address(6, high & mask(leading), 0, leading)
                : new Address(6, high, low & mask(leading - 64), leading);
    }

    private static long mask(int bits) {
        return bits == 0 ? 0 : -1L << (64 - bits);
    }

    /**
     * The networks that a client is counted by, narrowest first. An IPv4 address is counted alone. An IPv6
     * address is counted by its /64, which one host has, and by its /56 and /48, which one customer may have.
     */
    public List<Address> networks() {
        return version == 4 ? List.of(this) : List.of(network(64), network(56), network(48));
    }

    public boolean isIn(List<Address> ranges) {
        for (Address range : ranges) {
            if (range.version == version && network(range.bits).equals(range)) {
                return true;
            }
        }
        return false;
    }
}
