package io.fundingobservatory.ingest.polling;

import io.fundingobservatory.ingest.fetching.Call;
import io.fundingobservatory.ingest.fetching.Fetched;
import io.fundingobservatory.ingest.pacing.ExchangeGate;
import io.fundingobservatory.ingest.pacing.ExchangeGate.Asked;
import io.fundingobservatory.ingest.reading.Answers.Answer;
import io.fundingobservatory.ingest.reading.Node;
import io.fundingobservatory.ingest.reading.Request;
import io.fundingobservatory.ingest.reading.Skip;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * All pages of one request or, on a problem, those that came before it.
 *
 * @param asked how many requests were made
 * @param problem why the rest did not come, one line; null when all are there
 * @param outOfTime whether the problem is only that there was no room in time
 */
record Pages(List<Answer> answers, int asked, @Nullable String problem, boolean outOfTime) {
    private static final int MOST = 100;

    static Pages ask(ExchangeGate exchange, Request request, String key, long mayWaitMs) throws InterruptedException {
        var answers = new ArrayList<Answer>();
        var seen = new HashSet<String>();
        int asked = 0;
        Optional<String> next = Optional.of("");
        while (next.isPresent()) {
            if (!seen.add(next.get()) || seen.size() > MOST) {
                return new Pages(answers, asked, "its pages never end", false);
            }
            Fetched fetched;
            switch (exchange.ask(Call.of(request, key, next.get()), mayWaitMs)) {
                case Asked.Shut(String reason) -> {
                    return new Pages(answers, asked, reason, false);
                }
                case Asked.NoRoom() -> {
                    return new Pages(answers, asked, "no room in our share of the published limit", true);
                }
                case Asked.Heard(Fetched heard) -> fetched = heard;
            }
            asked++;
            switch (fetched) {
                case Fetched.Answered(Node body, long at, Map<String, String> limits) -> {
                    answers.add(new Answer(key, body, at));
                    next = following(request, body);
                }
                case Fetched.Throttled(String reason, Duration retryAfter) -> {
                    return new Pages(answers, asked, reason, false);
                }
                case Fetched.Barred(String reason, Duration retryAfter) -> {
                    return new Pages(answers, asked, reason, false);
                }
                case Fetched.Failed(String reason, boolean retryable) -> {
                    return new Pages(answers, asked, reason, false);
                }
            }
        }
        return new Pages(answers, asked, null, false);
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
