package io.fundingobservatory.gateway.traffic;

import java.util.Arrays;
import java.util.stream.Collectors;

/** The fields in which proxies say whom they forward for. */
public enum ForwardingHeader {
    X_FORWARDED_FOR("X-Forwarded-For"),
    /** RFC 7239. */
    FORWARDED("Forwarded");

    public final String field;

    ForwardingHeader(String field) {
        this.field = field;
    }

    /**
     * The one of that name, in capital letters or not.
     *
     * @throws IllegalArgumentException saying which there are
     */
    public static ForwardingHeader named(String name) {
        return Arrays.stream(values())
                .filter(header -> header.field.equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(name + " is none of the forwarding headers "
                        + Arrays.stream(values()).map(header -> header.field).collect(Collectors.joining(", "))));
    }
}
