package io.fundingobservatory.topics.access;

import static org.apache.kafka.common.acl.AclOperation.CREATE;
import static org.apache.kafka.common.acl.AclOperation.DELETE;
import static org.apache.kafka.common.acl.AclOperation.DESCRIBE;
import static org.apache.kafka.common.acl.AclOperation.DESCRIBE_CONFIGS;
import static org.apache.kafka.common.acl.AclOperation.READ;
import static org.apache.kafka.common.acl.AclOperation.WRITE;

import io.fundingobservatory.topics.Topics;
import java.util.List;
import java.util.Locale;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.resource.ResourceType;

/**
 * A user of the brokers and its grants; everything without a grant is denied. No role may create, alter or
 * delete a topic of the catalogue: an operator does that. {@code DESCRIBE_CONFIGS} lets a service compare its
 * topics with the catalogue at start-up.
 */
public enum Role {
    /** Writes what the exchanges published; reads its own bookkeeping and the venues assigned to it. */
    INGEST(List.of(
            Grant.on(Topics.QUOTES_RAW, WRITE, DESCRIBE_CONFIGS),
            Grant.on(Topics.SETTLEMENTS_RAW, WRITE, DESCRIBE_CONFIGS),
            Grant.on(Topics.VENUES_STATUS, READ, WRITE, DESCRIBE_CONFIGS),
            Grant.on(Topics.INGEST_PROGRESS, READ, WRITE, DESCRIBE_CONFIGS),
            Grant.on(Topics.VENUES_ASSIGNMENT, READ, DESCRIBE_CONFIGS),
            Grant.onPrefix(ResourceType.GROUP, Topics.INGEST_GROUP, READ))),

    /** Reads the raw topics; writes everything that is derived; its stores' topics are its own. */
    STREAMS(List.of(
            Grant.on(Topics.QUOTES_RAW, READ, DESCRIBE_CONFIGS),
            Grant.on(Topics.SETTLEMENTS_RAW, READ, DESCRIBE_CONFIGS),
            Grant.on(Topics.RATES_NORMALISED, WRITE, DESCRIBE_CONFIGS),
            Grant.on(Topics.RATES_LATEST, WRITE, DESCRIBE_CONFIGS),
            Grant.on(Topics.CONTRACT_EVENTS, READ, WRITE, DESCRIBE_CONFIGS),
            Grant.on(Topics.SETTLEMENTS, WRITE, DESCRIBE_CONFIGS),
            Grant.on(Topics.CARRY_PAIRS, WRITE, DESCRIBE_CONFIGS),
            Grant.on(Topics.VENUES_QUALITY, WRITE, DESCRIBE_CONFIGS),
            Grant.on(Topics.DEAD_LETTERS, WRITE, DESCRIBE_CONFIGS),
            Grant.onPrefix(
                    ResourceType.TOPIC, Topics.STREAMS_GROUP + '-', CREATE, READ, WRITE, DELETE, DESCRIBE_CONFIGS),
            Grant.onPrefix(ResourceType.TOPIC, Topics.PAIRS_GROUP + '-', CREATE, READ, WRITE, DELETE, DESCRIBE_CONFIGS),
            Grant.onGroup(Topics.STREAMS_GROUP, READ),
            Grant.onGroup(Topics.PAIRS_GROUP, READ),
            Grant.onPrefix(ResourceType.TRANSACTIONAL_ID, Topics.STREAMS_GROUP + '-', WRITE, DESCRIBE),
            Grant.onPrefix(ResourceType.TRANSACTIONAL_ID, Topics.PAIRS_GROUP + '-', WRITE, DESCRIBE))),

    /**
     * Reads what it serves, and sees how far streams has read, because the first snapshot waits for that. It writes nothing and joins
     * no group.
     */
    GATEWAY(List.of(
            Grant.on(Topics.QUOTES_RAW, DESCRIBE),
            Grant.onGroup(Topics.STREAMS_GROUP, DESCRIBE),
            Grant.on(Topics.RATES_LATEST, READ),
            Grant.on(Topics.VENUES_STATUS, READ),
            Grant.on(Topics.VENUES_QUALITY, READ),
            Grant.on(Topics.CARRY_PAIRS, READ))),

    /** An internal team: reads what is public over HTTP as well, in groups whose names begin with {@code team-}. */
    TEAM(List.of(
            Grant.on(Topics.RATES_NORMALISED, READ, DESCRIBE_CONFIGS),
            Grant.on(Topics.RATES_LATEST, READ, DESCRIBE_CONFIGS),
            Grant.on(Topics.SETTLEMENTS, READ, DESCRIBE_CONFIGS),
            Grant.on(Topics.CARRY_PAIRS, READ, DESCRIBE_CONFIGS),
            Grant.on(Topics.VENUES_STATUS, READ, DESCRIBE_CONFIGS),
            Grant.on(Topics.VENUES_QUALITY, READ, DESCRIBE_CONFIGS),
            Grant.onPrefix(ResourceType.GROUP, "team-", READ)));

    @SuppressWarnings("ImmutableEnumChecker") // made by List.copyOf
    private final List<Grant> grants;

    Role(List<Grant> grants) {
        this.grants = List.copyOf(grants);
    }

    public List<Grant> grants() {
        return grants;
    }

    /** The role in lower case: also the name of its user, unless an operator sets another one. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * What a user needs to act in this role.
     *
     * @param principal as brokers write it: {@code User:ingest}
     */
    public List<AclBinding> bindings(String principal) {
        return grants.stream()
                .flatMap(grant -> grant.bindings(principal).stream())
                .toList();
    }
}
