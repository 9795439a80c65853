package io.fundingobservatory.ingest.backfill;

import io.fundingobservatory.ingest.json.ReasonText;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What keeps a venue's settled rates from being read, in one line: what concerns the whole venue, then the most frequent refusal. */
final class HistoryProblem {
    private static final int LONGEST = 300;

    private HistoryProblem() {}

    static @Nullable String line(
            @Nullable String addresses, @Nullable String lastTurn, List<ContractBackfill> contracts) {
        String line = addresses != null ? addresses : lastTurn != null ? lastTurn : refusals(contracts);
        return line == null ? null : ReasonText.oneLine(line, LONGEST);
    }

    private static @Nullable String refusals(List<ContractBackfill> contracts) {
        Map<String, Long> byReason = contracts.stream()
                .map(ContractBackfill::problem)
                .filter(Objects::nonNull)
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        long refused = byReason.values().stream().mapToLong(Long::longValue).sum();
        return byReason.entrySet().stream()
                .max(Map.Entry.<String, Long>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
                .map(most -> refused + " of " + contracts.size() + " contracts could not be read: " + most.getKey())
                .orElse(null);
    }
}
