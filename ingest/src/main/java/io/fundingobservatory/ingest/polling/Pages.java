package io.fundingobservatory.ingest.polling;

import io.fundingobservatory.ingest.answers.Answers.Response;
import io.fundingobservatory.ingest.answers.Node;
import io.fundingobservatory.ingest.answers.Skip;
import io.fundingobservatory.ingest.fetching.Call;
import io.fundingobservatory.ingest.fetching.Fetched;
import io.fundingobservatory.ingest.header.Request;
import io.fundingobservatory.ingest.pacing.ExchangeGate;
import io.fundingobservatory.ingest.pacing.ExchangeGate.Admission;
import io.fundingobservatory.ingest.pacing.Share;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * All pages of one request or, on a problem, those that came before it.
 *
 * @param asked how many requests were made
 * @param problem why the rest did not come, one line; null when all are there
 * @param outOfTime whether the problem is only that there was no room in time
 */
record Pages(List<Response> answers, int asked, @Nullable String problem, boolean outOfTime) {
    private static final int MOST = 100;

    /**
     * Asks for all pages.
     *
     * @param roomBytes what the pages may take in memory all together
     */
    static Pages ask(ExchangeGate exchange, Request request, String key, long mayWaitMs, long roomBytes)
            throws InterruptedException {
        long room = roomBytes;
        var answers = new ArrayList<Response>();
        var seen = new HashSet<String>();
        int asked = 0;
        boolean second = false;
        Optional<String> next = Optional.of("");
        while (next.isPresent()) {
            if (!second && (!seen.add(next.get()) || seen.size() > MOST)) {
                return new Pages(answers, asked, "its pages never end", false);
            }
            switch (exchange.ask(Call.of(request, key, next.get()), request.name(), Share.FIGURES, mayWaitMs)) {
                case Admission.Paused(String reason) -> {
                    return new Pages(answers, asked, reason, false);
                }
                case Admission.NoRoom() -> {
                    return new Pages(answers, asked, "no room in our share of the published limit", true);
                }
                case Admission.Admitted(Fetched fetched) -> {
                    asked++;
                    if (fetched instanceof Fetched.Answered answered) {
                        room -= answered.body().documentBytes();
                        if (room < 0) {
                            return new Pages(List.of(), asked, "its answers are too large to keep", false);
                        }
                        answers.add(new Response(key, answered.body(), answered.readAtMs()));
                        next = following(request, answered.body());
                        second = false;
                    } else if (!second && mayBeTriedAgain(request, fetched)) {
                        second = true;
                    } else {
                        return new Pages(answers, asked, problem(fetched), false);
                    }
                }
            }
        }
        return new Pages(answers, asked, null, false);
    }

    /** A lost connection would cost a minute of figures: those are tried once more at once. */
    private static boolean mayBeTriedAgain(Request request, Fetched fetched) {
        return request.keys() == null
                && request.cadence() == Request.Cadence.MINUTE
                && fetched instanceof Fetched.Failed failed
                && failed.retryable();
    }

    private static String problem(Fetched fetched) {
        return switch (fetched) {
            case Fetched.Answered answered -> "";
            case Fetched.Throttled throttled -> throttled.reason();
            case Fetched.Barred barred -> barred.reason();
            case Fetched.Failed failed -> failed.reason();
            case Fetched.Unreadable unreadable -> unreadable.reason();
        };
    }

    private static Optional<String> following(Request request, Node body) {
        try {
            return request.nextPage() == null
                    ? Optional.empty()
                    : request.nextPage().apply(body);
        } catch (Skip e) {
            return Optional.empty();
        }
    }
}
