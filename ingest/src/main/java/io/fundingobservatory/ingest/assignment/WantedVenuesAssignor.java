package io.fundingobservatory.ingest.assignment;

import io.fundingobservatory.ingest.assignment.VenueDistribution.Member;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.Topics;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.Configurable;
import org.apache.kafka.common.TopicPartition;

/**
 * Assigns the partitions of {@code venues.assignment} to processes that want their venues. Each member of the group sends what it wants
 * with its subscription; the leader distributes. Cooperative: a venue that moves is first given up by who polls it, and given to its
 * new process in the rebalance that follows.
 */
public final class WantedVenuesAssignor implements ConsumerPartitionAssignor, Configurable {
    /** The consumer setting that says which venues this process polls: their identifiers, separated by commas. */
    static final String WANTED = "observatory.venues.wanted";

    private String wanted = "";

    @Override
    public void configure(Map<String, ?> configs) {
        wanted = String.valueOf(configs.get(WANTED));
    }

    @Override
    public String name() {
        return "wanted-venues";
    }

    @Override
    public List<RebalanceProtocol> supportedProtocols() {
        return List.of(RebalanceProtocol.COOPERATIVE);
    }

    @Override
    public ByteBuffer subscriptionUserData(Set<String> topics) {
        return StandardCharsets.UTF_8.encode(wanted);
    }

    @Override
    public GroupAssignment assign(Cluster metadata, GroupSubscription group) {
        String topic = Topics.VENUES_ASSIGNMENT.name();
        Integer partitions = metadata.partitionCountForTopic(topic);
        Map<String, Subscription> members = group.groupSubscription();
        Map<Integer, String> holders = holders(members);
        List<Member> processes = members.entrySet().stream()
                .map(m -> new Member(m.getKey(), wantedBy(m.getValue()), heldBy(m.getKey(), holders)))
                .toList();
        var target = VenueDistribution.of(
                ListedVenue.ALL.stream().map(ListedVenue::id).toList(), partitions == null ? 0 : partitions, processes);
        var assignments = new HashMap<String, Assignment>();
        target.forEach((member, positions) -> {
            var now = new ArrayList<TopicPartition>();
            for (int position : positions) {
                // Somebody else polls it still: he gives it up in this rebalance, and it is assigned in the next.
                if (member.equals(holders.getOrDefault(position, member))) {
                    now.add(new TopicPartition(topic, position));
                }
            }
            assignments.put(member, new Assignment(now));
        });
        return new GroupAssignment(assignments);
    }

    /** Who holds each position; of two claims the one of the later generation counts, for the other was not there when it was lost. */
    private static Map<Integer, String> holders(Map<String, Subscription> members) {
        var holders = new HashMap<Integer, String>();
        var generations = new HashMap<Integer, Integer>();
        members.forEach((member, subscription) -> {
            int generation = subscription.generationId().orElse(-1);
            for (TopicPartition held : subscription.ownedPartitions()) {
                if (generation > generations.getOrDefault(held.partition(), Integer.MIN_VALUE)) {
                    generations.put(held.partition(), generation);
                    holders.put(held.partition(), member);
                }
            }
        });
        return holders;
    }

    private static Set<Integer> heldBy(String member, Map<Integer, String> holders) {
        return holders.entrySet().stream()
                .filter(held -> held.getValue().equals(member))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    private static Set<String> wantedBy(Subscription subscription) {
        ByteBuffer data = subscription.userData();
        return data == null
                ? Set.of()
                : new HashSet<>(List.of(StandardCharsets.UTF_8
                        .decode(data.duplicate())
                        .toString()
                        .split(",")));
    }
}
