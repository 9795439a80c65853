package io.fundingobservatory.runtime;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/** Responses of the admin client, in which a missing topic or a missing right is a value. */
public final class AdminResponses {
    private AdminResponses() {}

    /** Returns the topics that exist and that this role may describe, by name. */
    public static Map<String, TopicDescription> describe(Admin admin, Collection<String> topics)
            throws InterruptedException, ExecutionException {
        var described = new TreeMap<String, TopicDescription>();
        for (var response : admin.describeTopics(topics).topicNameValues().entrySet()) {
            TopicDescription topic = orNull(response.getValue());
            if (topic != null) {
                described.put(response.getKey(), topic);
            }
        }
        return described;
    }

    /** Returns the response; null when a topic does not exist or this role may not see it. Any other failure is thrown. */
    static <T> @Nullable T orNull(KafkaFuture<T> response) throws InterruptedException, ExecutionException {
        try {
            return response.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException
                    || e.getCause() instanceof AuthorizationException) {
                return null;
            }
            throw e;
        }
    }

    /** Returns the value of a setting; null when the broker does not report it. */
    static @Nullable String value(Config config, String key) {
        ConfigEntry entry = config.get(key);
        return entry == null ? null : entry.value();
    }
}
