package io.fundingobservatory.ingest.json;

/** Makes one readable line of what an exchange or a library wrote, so that it fits into a record, a log and a page. */
public final class ReasonText {
    private static final String REPLACEMENT = "\uFFFD";

    private ReasonText() {}

    /**
     * Returns the text without control characters, cut to a length with an ellipsis as its last character.
     *
     * @param longest the maximum length of the result in UTF-16 units. A surrogate pair is never split. A
     *     single surrogate has no UTF-8 form and is replaced.
     */
    public static String oneLine(String text, int longest) {
        var line = new StringBuilder(Math.min(text.length(), longest));
        int last = -1;
        for (int at = 0; at < text.length(); at += Character.charCount(last)) {
            last = text.codePointAt(at);
            String written = Character.isISOControl(last)
                    ? " "
                    : Character.isSurrogate(text.charAt(at)) && Character.charCount(last) == 1
                            ? REPLACEMENT
                            : Character.toString(last);
            boolean isWhole = at + Character.charCount(last) == text.length();
            if (line.length() + written.length() > (isWhole ? longest : longest - 1)) {
                return line.append('…').toString();
            }
            line.append(written);
        }
        return line.toString();
    }
}
