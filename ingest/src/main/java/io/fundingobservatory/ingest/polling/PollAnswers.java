package io.fundingobservatory.ingest.polling;

import io.fundingobservatory.ingest.answers.Answers;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one round of asking brought.
 *
 * @param answers everything at hand: this round's, and the last good ones of slower requests
 * @param fresh whether at least one answer with figures came in this round, or none was due: what is asked symbol by symbol every few
 *     minutes may leave a round without a request
 * @param readAtMs when the oldest answer with figures was read, epoch ms UTC; null when there is none
 * @param asked how many requests were made; a recording that was looked for counts as one
 * @param missing what was not answered and why, one short line each
 */
public record PollAnswers(
        Answers answers, boolean fresh, @Nullable Long readAtMs, int asked, List<String> missing) {
    public PollAnswers {
        missing = List.copyOf(missing);
    }
}
