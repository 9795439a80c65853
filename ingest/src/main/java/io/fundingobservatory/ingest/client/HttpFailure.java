package io.fundingobservatory.ingest.client;

import io.fundingobservatory.ingest.json.ReasonText;
import io.netty.channel.ConnectTimeoutException;
import io.netty.handler.timeout.ReadTimeoutException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Objects;
import javax.net.ssl.SSLException;

/** What the HTTP client throws, as one line for people. */
final class HttpFailure {
    private static final int LONGEST = 120;

    private HttpFailure() {}

    /**
     * Returns the text for a response that did not end in time, whether the client or the waiting thread
     * noticed.
     */
    static String notWhole(Duration deadline) {
        return "no whole response within " + deadline.toSeconds() + " s";
    }

    /**
     * What broke, by the outermost cause with a message.
     *
     * @param largestMb the most megabytes that a response of this host may have
     * @param connect how long a connection was waited for
     * @param deadline how long the whole response was waited for, and each piece of it
     */
    static HttpResult of(Throwable thrown, String host, int largestMb, Duration connect, Duration deadline) {
        Throwable inner = thrown;
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            inner = cause;
            switch (cause) {
                case UnknownHostException e -> {
                    return new HttpResult.Broken("unknown host " + host, false);
                }
                case BodyCollector.TooLarge e -> {
                    return new HttpResult.TooLarge("response larger than " + largestMb + " MB");
                }
                case SSLException e -> {
                    return new HttpResult.Broken("no trusted connection to " + host, false);
                }
                case ConnectTimeoutException e -> {
                    return new HttpResult.Broken(
                            "no connection to " + host + " within " + connect.toSeconds() + " s", true);
                }
                // the client's own for a head that does not come, Netty's for a body that stops
                case ReadTimeoutException e -> {
                    return new HttpResult.Broken(notWhole(deadline), false);
                }
                case io.micronaut.http.client.exceptions.ReadTimeoutException e -> {
                    return new HttpResult.Broken(notWhole(deadline), false);
                }
                case ConnectException e -> {
                    return new HttpResult.Broken("no connection to " + host, true);
                }
                case NoRouteToHostException e -> {
                    return new HttpResult.Broken("no route to " + host, true);
                }
                case SocketException e
                when isUnreachable(e) -> {
                    // such as IPv6 where there is none
                    return new HttpResult.Broken("no route to " + host, true);
                }
                default -> {}
            }
        }
        String message =
                Objects.requireNonNullElse(inner.getMessage(), inner.getClass().getSimpleName());
        return new HttpResult.Broken(
                "no response from " + host + ": " + ReasonText.oneLine(message.strip(), LONGEST), false);
    }

    private static boolean isUnreachable(SocketException e) {
        String message = e.getMessage();
        return message != null && message.contains("unreachable");
    }
}
