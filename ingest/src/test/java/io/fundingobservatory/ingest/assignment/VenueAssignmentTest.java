package io.fundingobservatory.ingest.assignment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.testbed.Await;
import io.fundingobservatory.testbed.broker.KafkaFixture;
import io.fundingobservatory.topics.ListedVenue;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Processes that are given different venues, against a real group coordinator. */
@Execution(ExecutionMode.CONCURRENT)
class VenueAssignmentTest {
    /** A process that polls what it is given, and never a venue that another one polls at the same time. */
    private static final class Polling implements VenueAssignment.Listener {
        private static final Set<String> POLLED_SOMEWHERE = ConcurrentHashMap.newKeySet();

        final Set<String> venues = ConcurrentHashMap.newKeySet();
        final Set<String> twice = ConcurrentHashMap.newKeySet();

        @Override
        public void given(List<ListedVenue> given) {
            given.forEach(v -> {
                if (!POLLED_SOMEWHERE.add(v.id())) {
                    twice.add(v.id());
                }
                venues.add(v.id());
            });
        }

        @Override
        public void taken(List<ListedVenue> taken) {
            taken.forEach(v -> {
                POLLED_SOMEWHERE.remove(v.id());
                venues.remove(v.id());
            });
        }
    }

    @Test
    void eachVenueHasOneProcessInItsRegion() throws InterruptedException {
        List<String> all = ListedVenue.ALL.stream().map(ListedVenue::id).toList();
        List<String> europe = List.of("binance", "bybit", "okx", "gate");
        List<String> america = all.stream()
                .filter(v -> !v.equals("binance") && !v.equals("bybit"))
                .toList();
        try (var kafka = KafkaFixture.start()) {
            var access = KafkaAccess.at(kafka.bootstrapServers());
            var inEurope = new Polling();
            var inAmerica = new Polling();
            try (var one = new VenueAssignment(access, europe, inEurope, reason -> {});
                    var two = new VenueAssignment(access, america, inAmerica, reason -> {})) {
                one.start();
                Await.until("all of them spoken for by the only process", () -> inEurope.venues.size() == all.size());
                two.start();
                Await.until(
                        "what only Europe wants stays there, and the rest moves",
                        () -> inEurope.venues.containsAll(Set.of("binance", "bybit"))
                                && inAmerica.venues.contains("kraken")
                                && inEurope.venues.size() + inAmerica.venues.size() == all.size());
                assertTrue(europe.containsAll(inEurope.venues), inEurope.venues::toString);
                assertTrue(america.containsAll(inAmerica.venues), inAmerica.venues::toString);
                var both = new HashSet<>(inEurope.venues);
                both.retainAll(inAmerica.venues);
                assertEquals(Set.of(), both);
            }
            assertEquals(Set.of(), inEurope.twice);
            assertEquals(Set.of(), inAmerica.twice);
        }
    }
}
