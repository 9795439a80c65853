package io.fundingobservatory.standalone.audit;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/** The result of an audit as a table, with the rows that differ below it. */
public final class AuditReport {
    private static final String LINE = "%-12s %9s %7s %7s %12s %10s %11s %13s %7s  %s%n";

    private AuditReport() {}

    /** Prints one line for each venue, one for each row that differs, and the sum. */
    public static void print(List<VenueAudit> audits, PrintStream out) {
        out.printf(
                Locale.ROOT,
                LINE,
                "exchange",
                "compared",
                "equal",
                "moved",
                "no interval",
                "different",
                "venue only",
                "service only",
                "apart",
                "problems");
        for (VenueAudit audit : audits) {
            out.printf(
                    Locale.ROOT,
                    LINE,
                    audit.venue(),
                    audit.compared(),
                    audit.equal(),
                    audit.moved(),
                    audit.withoutInterval(),
                    audit.different().size(),
                    audit.venueOnly().size(),
                    audit.serviceOnly().size(),
                    audit.apartMs() / 1_000 + " s",
                    String.join("; ", audit.problems()));
        }
        for (VenueAudit audit : audits) {
            audit.different().forEach((symbol, what) -> out.println(audit.venue() + " " + symbol + " " + what));
        }
        out.printf(
                Locale.ROOT,
                "%d different of %d rows compared; %d of %d exchanges compared%n",
                audits.stream().mapToInt(audit -> audit.different().size()).sum(),
                audits.stream().mapToInt(VenueAudit::compared).sum(),
                audits.stream().filter(VenueAudit::isComparable).count(),
                audits.size());
    }
}
