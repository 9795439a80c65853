package io.fundingobservatory.ingest.client;

import io.fundingobservatory.ingest.publish.IngestEvents;
import io.micronaut.http.client.DefaultHttpClientConfiguration;
import io.micronaut.http.client.RawHttpClient;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/** HTTP through a client of its own, outside of any application. */
public final class UnmanagedHttp {
    private static final Duration CONNECT = Duration.ofSeconds(3);

    private UnmanagedHttp() {}

    /** Requests that are given up after a time of the test's own. */
    public static HttpTransport within(Duration deadline) {
        return within(CONNECT, deadline);
    }

    /**
     * As {@link #within(Duration)}, with a separate time limit for the connection. Where
     * no connection hangs, use a limit that no stall of the machine reaches.
     */
    public static HttpTransport within(Duration connect, Duration deadline) {
        var configuration = new DefaultHttpClientConfiguration();
        configuration.setConnectTimeout(connect);
        configuration.setReadTimeout(deadline);
        configuration.setConnectionPoolIdleTimeout(Duration.ofSeconds(20));
        configuration.setAlpnModes(List.of("http/1.1"));
        configuration.setNumOfThreads(2);
        HttpClientRules.apply(configuration);
        return new HttpTransport(
                RawHttpClient.create(null, configuration), new HostAddresses(), deadline, "", IngestEvents.NONE);
    }

    /** A stand-in for all venues. */
    public static VenueHttpClient inPlaceOfThem(String base, InstantSource clock, Duration deadline) {
        return VenueHttpClient.inPlaceOfThem(within(deadline), base, clock);
    }
}
