package io.fundingobservatory.topics.json;

import java.math.BigDecimal;

/** Bounds of a field of a record. Writers and readers check the same ones, so every written record can be read. */
public final class FieldLimits {
    /** Digits of a number, and likewise before and after its point when it is written out: 1e400 would print 401 of them. */
    public static final int DIGITS = 64;

    /** UTF-16 units of a text. */
    public static final int TEXT_LENGTH = 4_096;

    /** Characters of the name of a count. */
    static final int NAME_LENGTH = 256;

    private FieldLimits() {}

    /** Whether a number, written out in plain notation, can be read back. */
    public static boolean fits(BigDecimal value) {
        long wholeDigits = (long) value.precision() - value.scale();
        return value.precision() <= DIGITS && value.scale() <= DIGITS && wholeDigits <= DIGITS;
    }

    /** Whether a text is short enough, and has a UTF-8 form: half of a surrogate pair has none. */
    public static boolean fits(String text) {
        if (text.length() > TEXT_LENGTH) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                if (!Character.isSurrogatePair(text.charAt(i), i + 1 < text.length() ? text.charAt(i + 1) : 'x')) {
                    return false;
                }
                i++;
            }
        }
        return true;
    }
}
