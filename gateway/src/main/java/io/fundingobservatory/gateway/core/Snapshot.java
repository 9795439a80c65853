package io.fundingobservatory.gateway.core;

import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.Rate;
import io.fundingobservatory.topics.Source;
import io.fundingobservatory.topics.VenueQuality;
import io.fundingobservatory.topics.VenueStatus;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Everything that is known at one instant, complete and immutable, with the whole list prepared in every coding. What else is
 * asked of it is prepared once and kept as long as the snapshot is served.
 */
public final class Snapshot {
    /** Answers kept besides the whole list, and their bytes; more in one generation are made anew each time. */
    private static final int KEPT = 256;

    private static final long KEPT_BYTES = 32L << 20;

    private final long generatedAtMs;
    private final long nextAtMs;
    private final TreeMap<String, VenueState> venues = new TreeMap<>();
    private final @Nullable Source source;
    private final @Nullable PairRanking carry;
    private volatile Content wholeList;
    private final Map<String, Content> prepared = new ConcurrentHashMap<>();
    private final AtomicLong preparedBytes = new AtomicLong();
    private volatile @Nullable Names names;

    /** Every asset and symbol of the observation, upper case. */
    record Names(Set<String> assets, Set<String> symbols) {}

    private Snapshot(
            long generatedAtMs,
            long nextAtMs,
            Map<String, VenueRows> fragments,
            Map<String, VenueStatus> statuses,
            Map<String, VenueQuality> qualities,
            @Nullable PairRanking carry) {
        this.generatedAtMs = generatedAtMs;
        this.nextAtMs = nextAtMs;
        this.carry = carry;
        this.source = source(statuses.values());
        for (ListedVenue venue : ListedVenue.ALL) {
            VenueRows fragment = fragments.get(venue.id());
            venues.put(
                    venue.id(),
                    new VenueState(
                            venue,
                            fragment == null ? VenueRows.of(venue.id(), List.of(), generatedAtMs) : fragment,
                            statuses.get(venue.id()),
                            qualities.get(venue.id())));
        }
        this.wholeList = LatestPage.render(this, Scope.DEFAULT);
    }

    /**
     * Puts a snapshot together.
     *
     * @param generatedAtMs the instant as of which the fragments' ages were told, epoch ms UTC
     * @param nextAtMs when the next one is expected, epoch ms UTC
     * @param fragments rows by venue; a venue without one has no rows
     * @param statuses what each venue's poller last said
     * @param qualities how far estimates were from what was settled; a venue of which nothing is known has none
     * @param carry the ranking of pairs; null as long as there is no table of pairs
     */
    public static Snapshot of(
            long generatedAtMs,
            long nextAtMs,
            Map<String, VenueRows> fragments,
            Map<String, VenueStatus> statuses,
            Map<String, VenueQuality> qualities,
            @Nullable PairRanking carry) {
        return new Snapshot(generatedAtMs, nextAtMs, fragments, statuses, qualities, carry);
    }

    /** Anything that is not live wins: a simulated figure is never shown as live. */
    private static @Nullable Source source(Collection<VenueStatus> statuses) {
        Source source = null;
        for (VenueStatus status : statuses) {
            source = switch (status.source()) {
                case SIMULATED -> Source.SIMULATED;
                case REPLAY -> source == Source.SIMULATED ? source : Source.REPLAY;
                case LIVE -> source == null ? Source.LIVE : source;
            };
        }
        return source;
    }

    public long generatedAtMs() {
        return generatedAtMs;
    }

    /** Whole seconds until the next snapshot is expected, rounded down; 0 once it is due. */
    long secondsLeft(long nowMs) {
        return Math.max(0, Math.floorDiv(nextAtMs - Math.max(nowMs, generatedAtMs), 1_000L));
    }

    /** Rows shown, of all exchanges. */
    public int rows() {
        return venues.values().stream()
                .mapToInt(state -> state.fragment().size())
                .sum();
    }

    /** Exchanges with at least one row shown. */
    public int coverage() {
        return coverage(Scope.ALL);
    }

    int coverage(Scope scope) {
        return (int) states(scope).stream().filter(VenueState::present).count();
    }

    @Nullable
    Source source() {
        return source;
    }

    @Nullable
    PairRanking carry() {
        return carry;
    }

    /** The row of one contract; null when it is not shown. */
    @Nullable
    Rate row(String venue, String symbol) {
        VenueState state = venues.get(venue);
        return state == null ? null : state.fragment().row(symbol);
    }

    List<VenueState> states(Scope scope) {
        var states = new ArrayList<VenueState>(scope.venues().size());
        for (String id : scope.venues()) {
            VenueState state = venues.get(id);
            if (state != null) {
                states.add(state);
            }
        }
        return states;
    }

    /** What a scope does not contain. */
    Missing missing(Scope scope, List<Missing.LeftOut> unknownInRows) {
        var absent = new ArrayList<Missing.AbsentVenue>();
        var left = new ArrayList<Missing.LeftOut>();
        for (VenueState state : states(scope)) {
            if (!state.present()) {
                absent.add(state.absence());
            }
            left.addAll(state.leftOut());
            if (scope.wholeVenues()) {
                state.fragment()
                        .unknown()
                        .forEach((reason, count) ->
                                left.add(new Missing.LeftOut(state.venue().id(), reason, count)));
            }
        }
        left.addAll(unknownInRows);
        var missing = new Missing(List.copyOf(absent), List.copyOf(left), List.of());
        return source == null ? missing.and(Site.SOURCE_UNKNOWN) : missing;
    }

    /** The names of the observation, gathered the first time somebody names one. */
    Names names() {
        Names known = names;
        if (known == null) {
            var assets = new HashSet<String>();
            var symbols = new HashSet<String>();
            for (VenueState state : venues.values()) {
                for (VenueRows.Row row : state.fragment().rows()) {
                    assets.add(Scope.upper(row.rate().asset()));
                    symbols.add(Scope.upper(row.rate().symbol()));
                }
            }
            known = new Names(Set.copyOf(assets), Set.copyOf(symbols));
            names = known;
        }
        return known;
    }

    Content latest(Scope scope) {
        return scope.equals(Scope.DEFAULT)
                ? wholeList
                : prepared(scope.canonical(), () -> LatestPage.render(this, scope));
    }

    /** Adds a coding to the whole list: it takes too long to be made before the snapshot is served. */
    public void pack(Coding coding, Packer packer) {
        byte[] packed = packer.pack(wholeList.identity());
        wholeList = wholeList.with(coding, packed);
    }

    /** Compresses pieces into one body. */
    public interface Packer {
        byte[] pack(List<byte[]> identity);
    }

    Content prepared(String key, Supplier<Content> page) {
        Content kept = prepared.get(key);
        if (kept != null) {
            return kept;
        }
        Content made = page.get();
        if (prepared.size() < KEPT && preparedBytes.get() + made.ownBytes() <= KEPT_BYTES) {
            preparedBytes.addAndGet(made.ownBytes());
            prepared.put(key, made);
        }
        return made;
    }
}
