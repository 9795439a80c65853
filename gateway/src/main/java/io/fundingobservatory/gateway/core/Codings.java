package io.fundingobservatory.gateway.core;

import java.util.List;
import java.util.Locale;

/** Reads {@code Accept-Encoding} and {@code If-None-Match} (RFC 9110 §12.5.3, §13.1.2). */
final class Codings {
    private Codings() {}

    /** Whether gzip is acceptable: named, or matched by {@code *}, and not with weight 0. */
    static boolean gzip(List<String> acceptEncoding) {
        boolean any = false;
        for (String field : acceptEncoding) {
            for (String item : field.split(",", -1)) {
                String[] parts = item.toLowerCase(Locale.ROOT).split(";", -1);
                String coding = parts[0].strip();
                boolean wanted = true;
                for (int i = 1; i < parts.length; i++) {
                    wanted &= !parts[i].strip().matches("q=0(\\.0{0,3})?");
                }
                if (coding.equals("gzip") || coding.equals("x-gzip")) {
                    return wanted;
                }
                any |= coding.equals("*") && wanted;
            }
        }
        return any;
    }

    /** Whether one of the listed tags, compared weakly as the field asks for, is the given one. */
    static boolean matches(List<String> ifNoneMatch, String etag) {
        for (String field : ifNoneMatch) {
            for (String item : field.split(",", -1)) {
                String tag = item.strip();
                if (tag.equals("*") || tag.equals(etag) || tag.equals("W/" + etag)) {
                    return true;
                }
            }
        }
        return false;
    }
}
