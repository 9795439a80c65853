package io.fundingobservatory.ingest.poll;

import io.fundingobservatory.ingest.client.FetchResult.Received;
import io.fundingobservatory.ingest.client.Pages;
import io.fundingobservatory.ingest.json.Skip;
import io.fundingobservatory.ingest.spec.Request;
import io.fundingobservatory.ingest.spec.VenueRequest;
import io.fundingobservatory.ingest.spec.VenueResponses.Response;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/** The pages of a declared request, with those that have come. */
final class RequestPages extends Pages {
    private static final int MOST = 100;

    private final Request request;
    private final String key;
    private final LongPredicate fits;
    private final List<Response> responses = new ArrayList<>();
    private final Set<String> seen = new HashSet<>(Set.of(""));
    private Optional<String> next = Optional.of("");
    private long bytes;

    /**
     * Begins with the first page.
     *
     * @param key the key of an expansion, empty for a plain request
     * @param fits whether so many bytes of all pages together can be kept
     */
    RequestPages(Request request, String key, LongPredicate fits) {
        this.request = request;
        this.key = key;
        this.fits = fits;
    }

    Request request() {
        return request;
    }

    List<Response> responses() {
        return responses;
    }

    @Override
    protected String endpoint() {
        return request.name();
    }

    @Override
    protected @Nullable VenueRequest next() {
        return next.map(page -> VenueRequest.of(request, key, page)).orElse(null);
    }

    /** A lost connection would cost a minute of values. */
    @Override
    protected boolean isSentAgain() {
        return request.priority() == Request.Priority.EACH_POLL;
    }

    @Override
    protected @Nullable String take(Received page) {
        bytes += page.body().documentBytes();
        if (!fits.test(bytes)) {
            responses.clear();
            return "its responses are too large to keep";
        }
        responses.add(new Response(key, page.body(), page.readAtMs()));
        try {
            next = request.nextPage() == null
                    ? Optional.empty()
                    : request.nextPage().apply(page.body());
        } catch (Skip e) {
            return "its next page is unreadable, " + e.reason();
        }
        boolean ends = next.isEmpty() || (seen.add(next.get()) && seen.size() <= MOST);
        return ends ? null : "its pages never end";
    }
}
