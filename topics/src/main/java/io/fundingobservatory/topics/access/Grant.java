package io.fundingobservatory.topics.access;

import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/**
 * What a role may do to one topic, group or transactional id, or to all whose names begin alike. Reading, writing and deleting
 * include describing, by the broker's own rule.
 *
 * @param resource the topic, group or transactional id, literal or by prefix
 * @param operations what is allowed
 */
public record Grant(ResourcePattern resource, Set<AclOperation> operations) {
    private static final String ANY_HOST = "*";

    public Grant {
        operations = Set.copyOf(operations);
    }

    static Grant on(Topic<?> topic, AclOperation... operations) {
        return onTopic(topic.name(), operations);
    }

    static Grant on(Topics.PlainTopic topic, AclOperation... operations) {
        return onTopic(topic.name(), operations);
    }

    /** On a topic that need not be in the catalogue. */
    static Grant onTopic(String topic, AclOperation... operations) {
        return new Grant(literal(ResourceType.TOPIC, topic), Set.of(operations));
    }

    static Grant onGroup(String group, AclOperation... operations) {
        return new Grant(literal(ResourceType.GROUP, group), Set.of(operations));
    }

    static Grant onPrefix(ResourceType type, String prefix, AclOperation... operations) {
        return new Grant(new ResourcePattern(type, prefix, PatternType.PREFIXED), Set.of(operations));
    }

    private static ResourcePattern literal(ResourceType type, String name) {
        return new ResourcePattern(type, name, PatternType.LITERAL);
    }

    /** The same as ACLs of one user, from any host. */
    List<AclBinding> bindings(String principal) {
        return operations.stream()
                .sorted()
                .map(operation -> new AclBinding(
                        resource, new AccessControlEntry(principal, ANY_HOST, operation, AclPermissionType.ALLOW)))
                .toList();
    }
}
