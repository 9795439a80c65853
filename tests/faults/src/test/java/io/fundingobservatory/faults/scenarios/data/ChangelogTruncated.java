package io.fundingobservatory.faults.scenarios.data;

import io.fundingobservatory.faults.scenarios.Fault;
import io.fundingobservatory.faults.scenarios.Installation;
import io.fundingobservatory.faults.scenarios.Played;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;

/** While streams is stopped, the beginning of its changelogs is deleted, beyond what its files say they have read. */
public final class ChangelogTruncated implements Fault {
    @Override
    public String id() {
        return "F18";
    }

    @Override
    public String what() {
        return "changelog truncated past the stored offset";
    }

    @Override
    public Duration recoveryBound() {
        return Duration.ofSeconds(15);
    }

    @Override
    public void play(Installation on, Random random, Played played) throws Exception {
        Admin admin = on.kafka().admin();
        String topic = "observatory-streams-contracts-1-changelog";
        String changelog = admin.listTopics().names().get().stream()
                .filter(name -> name.contains("contracts") && name.endsWith("-changelog") && !name.contains("asset"))
                .findFirst()
                .orElse(topic);
        on.streams().terminate();
        var ends = new HashMap<TopicPartition, OffsetSpec>();
        for (int partition = 0; partition < 6; partition++) {
            ends.put(new TopicPartition(changelog, partition), OffsetSpec.latest());
        }
        var before = new HashMap<TopicPartition, RecordsToDelete>();
        long deleted = 0;
        for (var end : admin.listOffsets(ends).all().get().entrySet()) {
            // Every contract is written about ten times in its last tenth: none is lost, only where to begin.
            long kept = Math.min(end.getValue().offset(), 2_000 + random.nextInt(1_000));
            before.put(end.getKey(), RecordsToDelete.beforeOffset(end.getValue().offset() - kept));
            deleted += end.getValue().offset() - kept;
        }
        // Brokers delete nothing on request of a topic that is compacted alone.
        policy(admin, changelog, "compact,delete");
        admin.deleteRecords(before).all().get();
        policy(admin, changelog, "compact");
        if (deleted > 0) {
            played.fired(deleted + " records deleted");
        }
        long since = System.nanoTime();
        on.streams().restart();
        played.awaitFlow(on, since);
    }

    private static void policy(Admin admin, String topic, String policy) throws Exception {
        var entry = new ConfigEntry(TopicConfig.CLEANUP_POLICY_CONFIG, policy);
        admin.incrementalAlterConfigs(Map.of(
                        new ConfigResource(ConfigResource.Type.TOPIC, topic),
                        List.of(new AlterConfigOp(entry, AlterConfigOp.OpType.SET))))
                .all()
                .get();
    }
}
