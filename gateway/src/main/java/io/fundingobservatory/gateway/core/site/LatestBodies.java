package io.fundingobservatory.gateway.core.site;

import io.fundingobservatory.gateway.core.coding.Content;
import io.fundingobservatory.gateway.core.form.RateColumns;
import io.fundingobservatory.gateway.core.request.Parameters;
import io.fundingobservatory.gateway.core.request.RowForm;
import io.fundingobservatory.gateway.core.request.Scope;
import io.fundingobservatory.gateway.core.rows.ServedSnapshots;
import io.fundingobservatory.gateway.core.snapshot.Snapshot;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Bodies of {@code /api/v1/latest}: the plain list, rows in another form, and changes since a list that a client has. */
final class LatestBodies {
    /** A tag as a response carries it, with or without its quotes and coding. */
    private static final Pattern TAG = Pattern.compile("(?:W/)?\"?([0-9a-f]{32})(?:-[a-z]+)?\"?");

    private static final RowForm.Fields FIELDS = RateColumns.ALL.fields();
    private static final List<String> NARROWING = List.of("assets", "symbols", "asset_class");
    static final int LIMIT_MOST = 10_000;

    /** Lists of the two scopes that most clients request; those of other scopes, of which anybody can name many, do not displace them. */
    private final ServedSnapshots servedWhole = new ServedSnapshots();

    private final ServedSnapshots servedNarrow = new ServedSnapshots();
    private volatile @Nullable Snapshot newest;

    /** Remembers the list of the default scope, which is also served without a look at the parameters. */
    void seen(Snapshot snapshot) {
        if (newest != snapshot) {
            newest = snapshot;
            remember(snapshot, Scope.DEFAULT, snapshot.latest(Scope.DEFAULT));
        }
    }

    /** Returns why the parameters cannot be read; null when they can. */
    static @Nullable String problem(Parameters.Names names) {
        String problem = Scope.classProblem(names);
        problem = problem == null ? RowForm.problem(names, FIELDS, LIMIT_MOST) : problem;
        if (problem != null || names.of("since") == null) {
            return problem;
        }
        if (tag(names) == null) {
            return "since is one tag: the value of ETag, or of tag in a response to since";
        }
        return !RowForm.of(names, null).formed() && NARROWING.stream().allMatch(name -> names.of(name) == null)
                ? null
                : "since is for lists of whole exchanges: with venues alone, or without any other parameter";
    }

    Content content(Snapshot snapshot, Parameters.Names names) {
        Scope scope = snapshot.scope(names);
        String since = tag(names);
        if (since != null) {
            return changes(snapshot, scope, since);
        }
        RowForm form = RowForm.of(names, null);
        if (form.formed()) {
            return snapshot.formed(scope, form);
        }
        Content list = snapshot.latest(scope);
        if (scope.wholeVenues()) {
            remember(snapshot, scope, list);
        }
        return list;
    }

    private Content changes(Snapshot snapshot, Scope scope, String since) {
        Content list = snapshot.latest(scope);
        ServedSnapshots.Delta delta =
                served(scope).since(since, scope, snapshot.generatedAtMs(), snapshot.venuesNow(scope));
        remember(snapshot, scope, list);
        return snapshot.changes(scope, delta, delta == null ? null : since, list.tag());
    }

    private void remember(Snapshot snapshot, Scope scope, Content list) {
        served(scope).served(list.tag(), scope, snapshot.generatedAtMs(), snapshot.venuesNow(scope));
    }

    private ServedSnapshots served(Scope scope) {
        return scope.equals(Scope.DEFAULT) || scope.equals(Scope.ALL) ? servedWhole : servedNarrow;
    }

    /** Whether the tag of {@code since} is that of a list of the scope that was served in the last minutes. */
    boolean knows(Snapshot snapshot, Parameters.Names names) {
        String since = tag(names);
        Scope scope = snapshot.scope(names);
        return since != null && served(scope).knows(since, scope, snapshot.generatedAtMs());
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
