package io.fundingobservatory.gateway.core.site;

import io.fundingobservatory.gateway.core.coding.Content;
import io.fundingobservatory.gateway.core.request.Query;
import io.fundingobservatory.gateway.core.request.RowForm;
import io.fundingobservatory.gateway.core.request.Scope;
import io.fundingobservatory.gateway.core.rows.ServedLists;
import io.fundingobservatory.gateway.core.snapshot.LatestPage;
import io.fundingobservatory.gateway.core.snapshot.Snapshot;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Bodies of {@code /api/v1/latest}: the plain list, rows in another form, and changes since a list that a client has. */
final class LatestBodies {
    /** Lists that most clients and the page request; others, of which anybody can name many, do not displace them. */
    private final ServedLists servedCommon = new ServedLists();

    private final ServedLists servedOthers = new ServedLists();
    private volatile @Nullable Snapshot newest;

    /** Remembers the list of the default scope, which is also served without a look at the parameters. */
    void seen(Snapshot snapshot) {
        if (newest != snapshot) {
            newest = snapshot;
            remember(snapshot, Map.of(), Scope.DEFAULT, RowForm.WHOLE);
        }
    }

    /** The list, or what it lacks of the one that the client has. */
    Content content(Snapshot snapshot, Query query) {
        Scope scope = snapshot.scope(query);
        RowForm form = query.form();
        Content list = remember(snapshot, query.withoutSince(), scope, form);
        String since = query.since();
        if (since == null) {
            return list;
        }
        ServedLists.Former former = served(scope, form).since(since, query.withoutSince(), snapshot.generatedAtMs());
        return former == null ? list : new LatestPage(snapshot, scope, form).changes(former, since);
    }

    /** Whether the client has a list of an equal request that was served in the last minutes. */
    boolean knows(Snapshot snapshot, Query query) {
        String since = query.since();
        return since != null
                && Stream.of(servedCommon, servedOthers)
                        .anyMatch(
                                served -> served.since(since, query.withoutSince(), snapshot.generatedAtMs()) != null);
    }

    private Content remember(Snapshot snapshot, Object request, Scope scope, RowForm form) {
        Content list = snapshot.latest(scope, form);
        boolean whole = scope.wholeVenues() && form.limit() == null;
        served(scope, form)
                .served(
                        list.tag(),
                        request,
                        snapshot.generatedAtMs(),
                        snapshot.venuesNow(scope),
                        whole ? null : new LatestPage(snapshot, scope, form).keys());
        return list;
    }

    private ServedLists served(Scope scope, RowForm form) {
        return scope.isCommon() && form.isPrepared() ? servedCommon : servedOthers;
    }
}
