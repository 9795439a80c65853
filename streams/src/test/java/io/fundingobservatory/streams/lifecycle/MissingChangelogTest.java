package io.fundingobservatory.streams.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.CreateTopicsResult;
import org.apache.kafka.clients.admin.DescribeTopicsResult;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What responses to the dry run of a changelog's creation mean. */
class MissingChangelogTest {
    private static final String TOPIC = "app-a-changelog";

    static Stream<Arguments> responses() {
        var slow = new TimeoutException("the controller is being elected");
        var exists = new TopicExistsException("it is there");
        var refused = new TopicAuthorizationException("no CREATE");
        return Stream.of(
                arguments(List.of(exists), null, false),
                arguments(List.of(new InvalidReplicationFactorException("one broker")), null, true),
                arguments(List.of(slow, slow, exists), null, false),
                arguments(List.of(refused), null, false),
                arguments(List.of(refused), new UnknownTopicOrPartitionException("it is gone"), true));
    }

    @ParameterizedTest
    @MethodSource("responses")
    void missingIsWhatControllerWouldCreate(
            List<RuntimeException> creation, @Nullable RuntimeException description, boolean missing) throws Exception {
        assertEquals(missing, LostState.wouldBeCreated(admin(creation, description), TOPIC));
    }

    /** The client of a process that is being closed takes no request: that says nothing about the topic. */
    @Test
    void closedClientLosesNothing() {
        Admin closed = admin(List.of(new IllegalStateException("closing")), null);
        assertThrows(ExecutionException.class, () -> LostState.wouldBeCreated(closed, TOPIC));
    }

    private static Admin admin(List<RuntimeException> creation, @Nullable RuntimeException description) {
        Deque<RuntimeException> left = new ArrayDeque<>(creation);
        return (Admin) Proxy.newProxyInstance(
                Admin.class.getClassLoader(),
                new Class<?>[] {Admin.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "createTopics" -> new CreateTopicsResult(Map.of(TOPIC, response(null, left.removeFirst()))) {};
                    case "describeTopics" ->
                        new DescribeTopicsResult(
                                null,
                                Map.of(TOPIC, response(new TopicDescription(TOPIC, false, List.of()), description))) {};
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    private static <T> KafkaFuture<T> response(@Nullable T value, @Nullable RuntimeException failure) {
        var response = new KafkaFutureImpl<T>();
        if (failure == null) {
            response.complete(value);
        } else {
            response.completeExceptionally(failure);
        }
        return response;
    }
}
