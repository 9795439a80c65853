package io.fundingobservatory.gateway;

import java.util.Locale;

/** The few names under which addresses are counted and logged. */
enum AddressLabel {
    INDEX,
    LATEST,
    VENUES,
    CARRY,
    /** Addresses that are not built yet. */
    NOT_YET,
    /** Files, the page, the manifest. */
    FILE,
    /** Nothing is served there, or it was refused before that was looked at. */
    UNKNOWN;

    static AddressLabel of(String path, int status) {
        return switch (path) {
            case "/api/v1" -> INDEX;
            case "/api/v1/latest" -> LATEST;
            case "/api/v1/venues" -> VENUES;
            case "/api/v1/carry" -> CARRY;
            default -> status == 501 ? NOT_YET : status == 200 || status == 304 ? FILE : UNKNOWN;
        };
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The path where it is known to be one of ours, else the label: what is not served is not repeated. */
    String shown(String path) {
        return this == UNKNOWN || this == NOT_YET ? word() : path;
    }
}
