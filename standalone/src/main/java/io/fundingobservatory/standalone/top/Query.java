package io.fundingobservatory.standalone.top;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** The value of a query parameter, with commas as they are. */
final class Query {
    private Query() {}

    static String encoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("%2C", ",");
    }
}
