package io.fundingobservatory.gateway.core.site;

import java.util.List;

/** Reads {@code If-None-Match} (RFC 9110 §13.1.2), which compares tags weakly. */
final class IfNoneMatch {
    private IfNoneMatch() {}

    /** Whether one of the listed tags is the given one, or stands for any. */
    static boolean matches(List<String> fields, String etag) {
        return holds(fields, etag, true);
    }

    /** Whether one of the listed tags is the given one. */
    static boolean names(List<String> fields, String etag) {
        return holds(fields, etag, false);
    }

    private static boolean holds(List<String> fields, String etag, boolean any) {
        for (String field : fields) {
            if (field.equals(etag)) {
                return true;
            }
            for (String item : field.split(",", -1)) {
                String tag = item.strip();
                if (tag.equals(etag) || (any && tag.equals("*")) || tag.equals("W/" + etag)) {
                    return true;
                }
            }
        }
        return false;
    }
}
