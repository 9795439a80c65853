package io.fundingobservatory.gateway.traffic;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * An IP address as a number. {@code low} alone holds an IPv4 address. An IPv4 address written as IPv6 is the
 * IPv4 one.
 *
 * @param version 4 or 6
 * @param high the first 64 bits of an IPv6 address; 0 for IPv4
 * @param low the last 64 bits, or the 32 bits of an IPv4 address
 */
public record Address(int version, long high, long low) {
    private static final Pattern IPV4 = Pattern.compile("\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}");
    private static final Pattern IPV6 = Pattern.compile("[0-9A-Fa-f:.]{2,45}");

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

    /** The network of so many leading bits that this address lies in. */
    public Address network(int bits) {
        if (version == 4) {
            return new Address(4, 0, low & (mask(bits) >>> 32));
        }
        return bits <= 64 ? new Address(6, high & mask(bits), 0) : new Address(6, high, low & mask(bits - 64));
    }

    private static long mask(int bits) {
        return bits == 0 ? 0 : -1L << (64 - bits);
    }

    /** What a log may show of it: the first three bytes of IPv4, the first 48 bits of IPv6. */
    public String prefix() {
        return version == 4
                ? (low >>> 24) + "." + ((low >>> 16) & 0xff) + "." + ((low >>> 8) & 0xff) + ".0/24"
                : Long.toHexString(high >>> 48) + ":" + Long.toHexString((high >>> 32) & 0xffff) + ":"
                        + Long.toHexString((high >>> 16) & 0xffff) + "::/48";
    }
}
