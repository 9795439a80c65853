package io.fundingobservatory.ingest;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fundingobservatory.kit.SharedBroker;
import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.testbed.Await;
import io.fundingobservatory.testbed.broker.KafkaFixture;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.Topics;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two regions against a real group coordinator: each polls all venues once. */
@ExtendWith(SharedBroker.class)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class VenueAssignmentTest {
    private static KafkaFixture kafka;

    @BeforeAll
    static void start(KafkaFixture shared) {
        kafka = shared;
    }

    /** A process that polls what it is given, and never a venue that another one of its region polls at the same time. */
    private static final class Polling {
        private final Set<String> polledInRegion;

        Polling(Set<String> polledInRegion) {
            this.polledInRegion = polledInRegion;
        }

        final Set<String> venues = ConcurrentHashMap.newKeySet();
        final Set<String> twice = ConcurrentHashMap.newKeySet();

        void given(List<ListedVenue> given) {
            given.forEach(v -> {
                if (!polledInRegion.add(v.id())) {
                    twice.add(v.id());
                }
                venues.add(v.id());
            });
        }

        void taken(List<ListedVenue> taken) {
            taken.forEach(v -> {
                polledInRegion.remove(v.id());
                venues.remove(v.id());
            });
        }
    }

    @Test
    @Order(1)
    void eachVenueHasOneProcessInItsRegion() throws InterruptedException {
        int all = ListedVenue.ALL.size();
        Set<String> europe = ConcurrentHashMap.newKeySet();
        Set<String> america = ConcurrentHashMap.newKeySet();
        var access = KafkaAccess.at(kafka.bootstrapServers());
        var first = new Polling(europe);
        var second = new Polling(europe);
        var overseas = new Polling(america);
        try (var one = new VenueAssignment(
                        VenueAssignment.member(access, "europe"), first::given, first::taken, reason -> {});
                var two = new VenueAssignment(
                        VenueAssignment.member(access, "europe"), second::given, second::taken, reason -> {});
                var three = new VenueAssignment(
                        VenueAssignment.member(access, "america"), overseas::given, overseas::taken, r -> {})) {
            one.start();
            Await.until("all venues at the only process of Europe", () -> first.venues.size() == all);
            two.start();
            three.start();
            Await.until(
                    "half of them at each of two, and all of them in America",
                    () -> first.venues.size() == all / 2
                            && second.venues.size() == all / 2
                            && overseas.venues.size() == all);
            var both = new HashSet<>(first.venues);
            both.retainAll(second.venues);
            assertEquals(Set.of(), both);
        }
        assertEquals(Set.of(), first.twice);
        assertEquals(Set.of(), second.twice);
        assertEquals(Set.of(), overseas.twice);
    }

    @Test
    @Order(2)
    void endsWhenItsTopicIsDeleted() throws Exception {
        var reasons = new LinkedBlockingQueue<String>();
        var access = KafkaAccess.at(kafka.bootstrapServers());
        var polling = new Polling(ConcurrentHashMap.newKeySet());
        try (var only = new VenueAssignment(
                        VenueAssignment.member(access, ""), polling::given, polling::taken, reasons::add);
                var admin = Admin.create(access.client(Map.of()))) {
            only.start();
            Await.until("all venues", () -> polling.venues.size() == ListedVenue.ALL.size());
            admin.deleteTopics(List.of(Topics.VENUES_ASSIGNMENT.name())).all().get();
            assertEquals("topic venues.assignment is gone; a restart creates it", reasons.poll(2, TimeUnit.MINUTES));
            assertEquals(Set.of(), polling.venues);
        }
    }
}
