package io.fundingobservatory.gateway.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fundingobservatory.gateway.fixture.FixedSnapshots;
import io.fundingobservatory.gateway.fixture.RunningGateway;
import io.micronaut.context.annotation.Property;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What gets a response before the router, and what it costs. */
@MicronautTest
@Property(name = FixedSnapshots.ROWS, value = "3")
@Property(name = "observatory.gateway.traffic.exempt", value = "127.0.0.1")
class PublicRequestFilterTest {
    @Inject
    RunningGateway gateway;

    @Test
    void healthIsStillToldByItsStatus() {
        assertEquals(200, gateway.managed("/health/liveness"));
    }

    /** The framework's own metric counts what gets a response before its filter of metrics. */
    @Test
    void earlyResponsesAreTimedLikeOthers() {
        long lists = gateway.responses("/api/v1/latest");
        long unchanged = gateway.responses("REDIRECTION");
        assertEquals(200, gateway.get("/api/v1/latest").statusCode());
        assertEquals(304, gateway.get("/api/v1/latest", "If-None-Match", "*").statusCode());
        assertEquals(200, gateway.get("/api/v1/latest?assets=C1").statusCode());
        assertEquals(lists + 2, gateway.responses("/api/v1/latest"));
        assertEquals(unchanged + 1, gateway.responses("REDIRECTION"));
    }

    /** RFC 9110 §5.6.7: three forms are to be read, one is written. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Sat, 06 Nov 2060 08:49:37 GMT | 304",
                "Saturday, 06-Nov-60 08:49:37 GMT | 304",
                "Sat Nov  6 08:49:37 2060 | 304",
                "Sun, 06 Nov 1994 08:49:37 GMT | 200",
                "Sunday, 06-Nov-94 08:49:37 GMT | 200",
                "Sun Nov  6 08:49:37 1994 | 200",
                "soon | 200",
            })
    void datesOfEveryFormAreRead(String date, int status) {
        assertEquals(
                status, gateway.get("/robots.txt", "If-Modified-Since", date).statusCode());
    }
}
