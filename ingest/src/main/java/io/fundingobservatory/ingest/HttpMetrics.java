package io.fundingobservatory.ingest;

import io.fundingobservatory.ingest.client.RequestMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts requests to exchanges by host and status, with their time and size, and logs each at DEBUG. */
@Singleton
final class HttpMetrics implements RequestMetrics {
    private static final Logger LOG = LoggerFactory.getLogger(HttpMetrics.class);
    private static final String PREFIX = "observatory.ingest.http.";

    private final MeterRegistry meters;

    HttpMetrics(MeterRegistry meters) {
        this.meters = meters;
    }

    @Override
    public void done(String host, int status, long bytes, Duration took) {
        String word = status == 0 ? "none" : Integer.toString(status);
        meters.timer(PREFIX + "requests", "host", host, "status", word).record(took);
        meters.summary(PREFIX + "response.bytes", "host", host).record((double) bytes);
        LOG.debug("host={} status={} bytes={} ms={}", host, word, bytes, took.toMillis());
    }
}
