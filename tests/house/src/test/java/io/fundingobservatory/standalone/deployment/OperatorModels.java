package io.fundingobservatory.standalone.deployment;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.gatewayapi.v1.HTTPRouteSpec;
import io.fabric8.openshift.api.model.monitoring.v1.PodMonitorSpec;
import io.fabric8.openshift.api.model.monitoring.v1.PrometheusRuleSpec;
import io.strimzi.api.kafka.model.topic.KafkaTopicSpec;
import io.strimzi.api.kafka.model.user.KafkaUserSpec;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What operators take under the kinds that they bring, by the models that they publish: Strimzi, Prometheus and the Gateway API. */
final class OperatorModels {
    private static final Map<String, Class<?>> SPECS = Map.of(
            "kafka.strimzi.io/v1 KafkaTopic", KafkaTopicSpec.class,
            "kafka.strimzi.io/v1 KafkaUser", KafkaUserSpec.class,
            "monitoring.coreos.com/v1 PodMonitor", PodMonitorSpec.class,
            "monitoring.coreos.com/v1 PrometheusRule", PrometheusRuleSpec.class,
            "gateway.networking.k8s.io/v1 HTTPRoute", HTTPRouteSpec.class);

    private final Set<String> unknown = new TreeSet<>();
    private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());

    private OperatorModels() {}

    static boolean know(String kind) {
        return SPECS.containsKey(kind);
    }

    /** Fields of an object's {@code spec} that its model does not have. */
    static Set<String> unknownFields(String kind, Map<String, Object> object) {
        var models = new OperatorModels();
        models.collect(new ObjectMapper().convertValue(object.get("spec"), SPECS.get(kind)), "spec");
        return models.unknown;
    }

    /** Models keep what they do not know as additional properties. */
    private void collect(@Nullable Object value, String path) {
        if (value instanceof Collection<?> all) {
            all.forEach(one -> collect(one, path + "[]"));
        } else if (value != null && value.getClass().getName().startsWith("io.") && seen.add(value)) {
            for (Method getter : getters(value)) {
                Object found = read(getter, value);
                if (getter.getName().equals("getAdditionalProperties") && found instanceof Map<?, ?> fields) {
                    fields.keySet().forEach(field -> unknown.add(path + '.' + field));
                } else {
                    collect(found, path + '.' + getter.getName().substring("get".length()));
                }
            }
        }
    }

    private static List<Method> getters(Object value) {
        return List.of(value.getClass().getMethods()).stream()
                .filter(method ->
                        method.getParameterCount() == 0 && method.getName().startsWith("get"))
                .toList();
    }

    private static @Nullable Object read(Method getter, Object of) {
        try {
            return getter.invoke(of);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }
}
