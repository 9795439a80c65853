package io.fundingobservatory.ingest.json;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import java.util.Collection;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Makes one readable line of what an exchange or a library wrote, so that it fits into a record, a log and a page. */
public final class ReasonText {
    private static final String REPLACEMENT = "\uFFFD";

    private ReasonText() {}

    /**
     * Returns the text without control characters, cut to a length with an ellipsis as its last character.
     *
     * @param longest the maximum length of the result in UTF-16 units, at least 2. A surrogate pair is never
     *     split. A single surrogate has no UTF-8 form and is replaced.
     */
    public static String oneLine(String text, int longest) {
        String line = text.replaceAll("\\p{Cc}", " ").replaceAll("\\p{Cs}", REPLACEMENT);
        if (line.length() <= longest) {
            return line;
        }
        int end = longest - 1;
        return line.substring(0, Character.isHighSurrogate(line.charAt(end - 1)) ? end - 1 : end) + '…';
    }

    /** The most frequent reason, of equally frequent ones the last by spelling; null when there is none. */
    public static <T extends Comparable<T>> @Nullable T mostFrequent(Collection<T> reasons) {
        return reasons.stream().collect(groupingBy(Function.identity(), counting())).entrySet().stream()
                .max(Map.Entry.<T, Long>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
                .map(Map.Entry::getKey)
                .orElse(null);
    }
}
