package io.fundingobservatory.ingest.client;

import io.fundingobservatory.ingest.json.ReasonText;
import io.netty.channel.ConnectTimeoutException;
import io.netty.handler.timeout.ReadTimeoutException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Result of one HTTP request, not yet judged. */
public sealed interface HttpResult {
    /** A whole response: header names in lower case, the body as sent, possibly packed. */
    @SuppressWarnings("ArrayRecordComponent") // lives for one judgement, never compared
    record Response(int status, Map<String, String> headers, byte[] body) implements HttpResult {
        @Nullable
        String header(String name) {
            return headers.get(name);
        }
    }

    /** No whole response came; {@code isUnconnected} when there was no connection, so that nothing was sent. */
    record Broken(FetchResult failure, boolean isUnconnected) implements HttpResult {
        private static final int LONGEST = 120;

        /** For a response that did not end in time, whether the client or the waiting thread noticed. */
        static String notWhole(Duration deadline) {
            return "no whole response within " + deadline.toSeconds() + " s";
        }

        /** What broke, by the outermost cause that is known; {@code largestMb} as declared, in megabytes. */
        static Broken of(Throwable thrown, String host, int largestMb, Duration connect, Duration deadline) {
            Throwable inner = thrown;
            for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
                inner = cause;
                Broken known = switch (cause) {
                    case UnknownHostException e -> of("unknown host " + host);
                    case BodyCollector.TooLarge e ->
                        new Broken(new FetchResult.Unreadable("response larger than " + largestMb + " MB"), false);
                    case SSLException e -> of("no trusted connection to " + host);
                    case ConnectTimeoutException e ->
                        unconnected("no connection to " + host + " within " + connect.toSeconds() + " s");
                    // the client's own for a head that does not come, Netty's for a body that stops
                    case ReadTimeoutException e -> of(notWhole(deadline));
                    case io.micronaut.http.client.exceptions.ReadTimeoutException e -> of(notWhole(deadline));
                    case ConnectException e -> unconnected("no connection to " + host);
                    case NoRouteToHostException e -> unconnected("no route to " + host);
                    // such as IPv6 where there is none
                    case SocketException e when isUnreachable(e) -> unconnected("no route to " + host);
                    default -> null;
                };
                if (known != null) {
                    return known;
                }
            }
            String message = Objects.requireNonNullElse(
                    inner.getMessage(), inner.getClass().getSimpleName());
            return of("no response from " + host + ": " + ReasonText.oneLine(message.strip(), LONGEST));
        }

        static Broken of(String reason) {
            return new Broken(new FetchResult.NoResponse(reason), false);
        }

        private static Broken unconnected(String reason) {
            return new Broken(new FetchResult.NoResponse(reason), true);
        }

        private static boolean isUnreachable(SocketException e) {
            String message = e.getMessage();
            return message != null && message.contains("unreachable");
        }
    }
}
