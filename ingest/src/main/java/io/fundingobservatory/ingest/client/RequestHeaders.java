package io.fundingobservatory.ingest.client;

import io.micronaut.context.annotation.Property;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.MutableHttpRequest;
import jakarta.inject.Singleton;

/**
 * Headers of every request to an exchange: our name and contact ({@code observatory.ingest.contact}), and that JSON is accepted, also
 * compressed. Several exchanges reject a request without {@code User-Agent} at their edge.
 */
@Singleton
final class RequestHeaders {
    private static final String USER_AGENT =
            "funding-observatory/1.0 (public funding-rate observation, about once a minute";

    private final String userAgent;

    /** An empty contact is none. */
    RequestHeaders(@Property(name = "observatory.ingest.contact", defaultValue = "") String contact) {
        this.userAgent = USER_AGENT + (contact.isBlank() ? ")" : "; +" + requireWord(contact.strip()) + ")");
    }

    private static String requireWord(String contact) {
        if (!contact.matches("[\\x21-\\x7e&&[^()]]{1,200}")) {
            throw new IllegalArgumentException(
                    "observatory.ingest.contact is one address, such as https://example.org/about or ops@example.org");
        }
        return contact;
    }

    void add(MutableHttpRequest<?> request) {
        request.getHeaders()
                .set(HttpHeaders.ACCEPT, "application/json")
                .set(HttpHeaders.ACCEPT_ENCODING, "gzip")
                .set(HttpHeaders.USER_AGENT, userAgent);
    }
}
