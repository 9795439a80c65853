package io.fundingobservatory.ingest.spec;

import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.records.RateKind;
import io.fundingobservatory.topics.records.RateRequest;
import java.time.Duration;
import java.time.LocalDate;
import java.time.temporal.TemporalUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A venue's data sheet: everything about it that its responses do not contain.
 *
 * @param id the venue's identifier, one of {@link ListedVenue#ALL}
 * @param docs the venue's own documentation
 * @param rateKind the kind of its rates; a row may override it
 * @param limits its published request limits, by pool
 * @param throttles HTTP statuses in addition to 429 by which it refuses too frequent requests
 * @param bans how long it bans an IP address after an HTTP status, where that is published
 * @param waits where a refused request's response gives the time to wait, in addition to {@code Retry-After}
 * @param largestMb the size limit of one body as it is sent, in megabytes; a larger one is cut off and counts
 *     as no response
 * @param requests its requests, in order: an expansion comes after the responses that it takes its keys from
 * @param history where it publishes settled rates; null when it does not
 * @param bulkHistory endpoints that return the newest settlements of many contracts in one request, oldest
 *     first; the URL has no key
 */
public record VenueSpec(
        String id,
        String docs,
        RateKind rateKind,
        List<RateLimit> limits,
        Set<Integer> throttles,
        Map<Integer, Duration> bans,
        List<WaitHeader> waits,
        int largestMb,
        List<Request> requests,
        @Nullable List<History> history,
        List<History> bulkHistory) {

    /** A header with the time to wait, by the beginning of its name in lower case; some end in a group of addresses. */
    public record WaitHeader(String prefix, TemporalUnit unit) {}

    /** Begins the data sheet of a venue; a registered one is one of {@link ListedVenue#ALL}. */
    public static Builder venue(String id) {
        return new Builder(id);
    }

    /** The hosts that may be addressed: those of the declared requests. */
    public Set<String> hosts() {
        return declared().map(VenueRequest::host).collect(Collectors.toCollection(TreeSet::new));
    }

    private Stream<VenueRequest> declared() {
        return Stream.concat(
                requests.stream().map(Request::declared), allHistory().stream().map(History::declared));
    }

    /** Every endpoint of settled rates, by contract and in bulk. */
    public List<History> allHistory() {
        return Stream.concat(history == null ? Stream.empty() : history.stream(), bulkHistory.stream())
                .toList();
    }

    /** The requests that rates are read from: those that are marked, or else all that are sent every minute. */
    public List<RateRequest> rateRequests() {
        boolean marked = requests.stream().anyMatch(Request::isRates);
        return requests.stream()
                .filter(r -> marked ? r.isRates() : r.isFrequent())
                .map(Request::declared)
                .map(r -> new RateRequest(r.method(), r.url(), r.body()))
                .distinct()
                .toList();
    }

    /** A host that publishes no limit has a declared one as well. */
    private void requireLimits() {
        Set<String> pools = hosts();
        declared().forEach(request -> pools.addAll(request.pools().keySet()));
        limits.forEach(limit -> pools.remove(limit.pool()));
        if (!pools.isEmpty()) {
            throw new IllegalStateException(id + ": no limit is declared for " + pools);
        }
    }

    /** Collects a data sheet line by line. */
    public static final class Builder {
        private final String id;
        private @Nullable String docs;
        private @Nullable LocalDate docsReadOn;
        private @Nullable RateKind rateKind;
        private final List<RateLimit> limits = new ArrayList<>();
        private final Set<Integer> throttles = new TreeSet<>();
        private final Map<Integer, Duration> bans = new TreeMap<>();
        private final List<WaitHeader> waits = new ArrayList<>();
        private int largestMb = 4;
        private final List<Request> requests = new ArrayList<>();
        private final List<History> history = new ArrayList<>();
        private final List<History> bulkHistory = new ArrayList<>();

        private Builder(String id) {
            this.id = id;
        }

        /** The documentation and the day (ISO) on which it or a recording was last read. */
        public Builder docs(String url, String readOn) {
            this.docs = url;
            this.docsReadOn = LocalDate.parse(readOn);
            return this;
        }

        public Builder rate(RateKind kind) {
            this.rateKind = kind;
            return this;
        }

        /** A host's published limit: units (requests or weight) in so many seconds. */
        public Builder limit(String host, int units, int seconds) {
            limits.add(new RateLimit(host, units, Duration.ofSeconds(seconds)));
            return this;
        }

        /** A published limit that counts only the requests that name its pool: units in so many seconds. */
        public Builder pool(String pool, int units, int seconds) {
            limits.add(new RateLimit(pool, units, Duration.ofSeconds(seconds)));
            return this;
        }

        /** Declares a further HTTP status by which the venue refuses too frequent requests. */
        public Builder throttlesBy(int status) {
            throttles.add(status);
            return this;
        }

        /** Declares the ban that follows an HTTP status: no request before it ends, whether or not the response names it. */
        public Builder bansFor(int status, Duration published) {
            bans.put(status, published);
            return this;
        }

        /** Declares a header of the venue's own with the time to wait, by the beginning of its name in lower case. */
        public Builder waitHeader(String prefix, TemporalUnit unit) {
            waits.add(new WaitHeader(prefix, unit));
            return this;
        }

        /** Its responses may be larger than the 4 MB that are enough elsewhere. */
        public Builder largestResponse(int megabytes) {
            largestMb = megabytes;
            return this;
        }

        public Builder request(Request request) {
            requests.add(request);
            return this;
        }

        public Builder history(History settled) {
            history.add(settled);
            return this;
        }

        /**
         * Declares an endpoint that returns the settlements of many contracts since an instant, oldest first. It follows
         * up settlements; older ones are requested contract by contract. The keys name the contracts that it covers.
         */
        public Builder bulkHistory(History settled) {
            bulkHistory.add(settled);
            return this;
        }

        public VenueSpec build() {
            if (docs == null || docsReadOn == null || rateKind == null || limits.isEmpty() || requests.isEmpty()) {
                throw new IllegalStateException(id + ": docs, rate kind, limit and requests must be declared");
            }
            VenueSpec spec = new VenueSpec(
                    id,
                    docs,
                    rateKind,
                    List.copyOf(limits),
                    Set.copyOf(throttles),
                    Map.copyOf(bans),
                    List.copyOf(waits),
                    largestMb,
                    List.copyOf(requests),
                    history.isEmpty() ? null : List.copyOf(history),
                    List.copyOf(bulkHistory));
            spec.requireLimits();
            return spec;
        }
    }
}
