package io.fundingobservatory.ingest.poll;

import io.fundingobservatory.ingest.client.Time;
import io.fundingobservatory.ingest.json.Skip;
import io.fundingobservatory.ingest.spec.Request;
import io.fundingobservatory.ingest.spec.Request.Priority;
import io.fundingobservatory.ingest.spec.VenueResponses;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/** The requests of one venue with what is remembered of each: which one is due next, and the responses that count. */
final class RequestQueue {
    private final List<Request> requests;
    private final Time time;
    private final Map<String, Map<String, QueuedRequest>> byName = new LinkedHashMap<>();

    RequestQueue(List<Request> requests, Time time) {
        this.requests = requests;
        this.time = time;
        requests.forEach(request -> byName.put(request.name(), new LinkedHashMap<>()));
    }

    List<Request> declared(Priority priority) {
        return requests.stream().filter(r -> r.priority() == priority).toList();
    }

    QueuedRequest plain(Request request) {
        return of(request).computeIfAbsent("", key -> new QueuedRequest(request, key));
    }

    Collection<QueuedRequest> keys(Request request) {
        return of(request).values();
    }

    private Map<String, QueuedRequest> of(Request request) {
        return Objects.requireNonNull(byName.get(request.name()));
    }

    /**
     * The requests by key that are due, the one that is due for longest first. Keys that responses no longer name are
     * forgotten. No key of details is forgotten without a response that names keys: its loss must not cost all details.
     *
     * @param unreadable receives a request whose keys cannot be read, and why
     */
    List<QueuedRequest> due(Priority priority, BiConsumer<Request, String> unreadable) {
        record Due(QueuedRequest request, int position) {}
        var due = new ArrayList<Due>();
        for (Request request : declared(priority)) {
            Map<String, QueuedRequest> known = of(request);
            List<String> keys = List.of();
            try {
                keys = Objects.requireNonNull(request.keys()).apply(available()).stream()
                        .distinct()
                        .toList();
            } catch (Skip e) {
                unreadable.accept(request, "its keys are unreadable, " + e.reason());
            }
            if (!keys.isEmpty() || request.isFrequent()) {
                known.keySet().retainAll(new HashSet<>(keys));
            }
            for (int i = 0; i < keys.size(); i++) {
                QueuedRequest queued = known.computeIfAbsent(keys.get(i), key -> new QueuedRequest(request, key));
                if (queued.isDue(time.elapsedMs())) {
                    due.add(new Due(queued, i));
                }
            }
        }
        return due.stream()
                .sorted(Comparator.<Due>comparingLong(d -> d.request().orderMs())
                        .thenComparingInt(Due::position))
                .map(Due::request)
                .toList();
    }

    VenueResponses available() {
        long nowMs = time.elapsedMs();
        var responses = new VenueResponses();
        all().filter(queued -> queued.isAvailable(nowMs))
                .forEach(queued -> queued.responses()
                        .forEach(r -> responses.add(queued.request().name(), r)));
        return responses;
    }

    long bytes() {
        return all().mapToLong(QueuedRequest::bytes).sum();
    }

    /** Forgets the rates of the last poll: those of all exchanges together are most of the heap. */
    void forgetRates() {
        declared(Priority.EACH_POLL).forEach(request -> plain(request).forget());
    }

    /** Makes the lists due, except those that were read a few minutes ago. */
    void doubtLists() {
        all().forEach(queued -> queued.doubt(time.elapsedMs()));
    }

    private Stream<QueuedRequest> all() {
        return byName.values().stream().flatMap(keys -> keys.values().stream());
    }
}
