package io.fundingobservatory.gateway.core.site;

import io.fundingobservatory.gateway.core.coding.Content;
import io.fundingobservatory.gateway.core.request.Parameters;
import io.fundingobservatory.gateway.core.request.RowForm;
import io.fundingobservatory.gateway.core.request.Scope;
import io.fundingobservatory.gateway.core.request.Selection;
import io.fundingobservatory.gateway.core.rows.EncodedRow;
import io.fundingobservatory.gateway.core.rows.ServedLists;
import io.fundingobservatory.gateway.core.snapshot.LatestPage;
import io.fundingobservatory.gateway.core.snapshot.Snapshot;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Bodies of {@code /api/v1/latest}: the plain list, rows in another form, and changes since a list that a client has. */
final class LatestBodies {
    /** A tag as a response carries it, with or without its quotes and coding. */
    private static final Pattern TAG = Pattern.compile("(?:W/)?\"?([0-9a-f]{32})(?:-[a-z]+)?\"?");

    private static final RowForm.Fields FIELDS = EncodedRow.COLUMNS.fields();
    static final int LIMIT_MOST = 10_000;

    /** Lists that most clients and the page request; others, of which anybody can name many, do not displace them. */
    private final ServedLists servedCommon = new ServedLists();

    private final ServedLists servedOthers = new ServedLists();
    private volatile @Nullable Snapshot newest;

    /** Remembers the list of the default scope, which is also served without a look at the parameters. */
    void seen(Snapshot snapshot) {
        if (newest != snapshot) {
            newest = snapshot;
            remember(snapshot, Parameters.NONE, Scope.DEFAULT, RowForm.WHOLE);
        }
    }

    /** Returns why the parameters cannot be read; null when they can. */
    static @Nullable String problem(Parameters.Names names) {
        String problem = Selection.problem(names);
        problem = problem == null ? RowForm.problem(names, FIELDS, LIMIT_MOST) : problem;
        return problem == null && names.of("since") != null && tag(names) == null
                ? "since is one tag: meta.tag of a list, or its ETag"
                : problem;
    }

    Content content(Snapshot snapshot, Parameters.Names names) {
        Scope scope = snapshot.scope(names);
        RowForm form = RowForm.of(names, null);
        Parameters.Names request = names.without("since");
        Content list = remember(snapshot, request, scope, form);
        String since = tag(names);
        return since == null
                ? list
                : LatestPage.changes(
                        snapshot,
                        scope,
                        form,
                        served(scope, form).since(since, request, snapshot.generatedAtMs()),
                        since);
    }

    /** Whether the tag of {@code since} is that of an equal request that was served in the last minutes. */
    boolean knows(Snapshot snapshot, Parameters.Names names) {
        String since = tag(names);
        return since != null
                && Stream.of(servedCommon, servedOthers)
                        .anyMatch(served ->
                                served.since(since, names.without("since"), snapshot.generatedAtMs()) != null);
    }

    private Content remember(Snapshot snapshot, Parameters.Names request, Scope scope, RowForm form) {
        Content list = snapshot.latest(scope, form);
        boolean whole = scope.wholeVenues() && form.limit() == null;
        served(scope, form)
                .served(
                        list.tag(),
                        request,
                        snapshot.generatedAtMs(),
                        snapshot.venuesNow(scope),
                        whole ? null : LatestPage.keys(snapshot, scope, form));
        return list;
    }

    private ServedLists served(Scope scope, RowForm form) {
        return (scope.equals(Scope.DEFAULT) || scope.equals(Scope.ALL))
                        && (form.equals(RowForm.WHOLE) || form.equals(RowForm.COLUMNS))
                ? servedCommon
                : servedOthers;
    }

    private static @Nullable String tag(Parameters.Names names) {
        Set<String> values = names.of("since");
        if (values == null || values.size() != 1) {
            return null;
        }
        Matcher tag = TAG.matcher(values.iterator().next());
        return tag.matches() ? tag.group(1) : null;
    }
}
