package io.fundingobservatory.ingest.backfill;

import io.fundingobservatory.ingest.json.ReasonText;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Why a venue's settled rates cannot be read, in one line: what concerns the whole venue, then the contracts' most frequent problem. */
final class HistoryProblem {
    private static final int LONGEST = 300;

    private HistoryProblem() {}

    static @Nullable String line(
            @Nullable String endpoints, @Nullable String lastRun, List<ContractBackfill> contracts) {
        String line = endpoints != null ? endpoints : lastRun != null ? lastRun : mostFrequent(contracts);
        return line == null ? null : ReasonText.oneLine(line, LONGEST);
    }

    private static @Nullable String mostFrequent(List<ContractBackfill> contracts) {
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
