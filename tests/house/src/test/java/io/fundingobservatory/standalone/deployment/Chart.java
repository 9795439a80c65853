package io.fundingobservatory.standalone.deployment;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.TemplateCommand;
import io.fundingobservatory.testbed.Checkout;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Ingress;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1NetworkPolicy;
import io.kubernetes.client.openapi.models.V1PodDisruptionBudget;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1ServiceAccount;
import io.kubernetes.client.openapi.models.V1StatefulSet;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;

/** The chart as Helm renders it. */
final class Chart {
    static final Path ROOT = Checkout.ROOT;
    static final Path HOME = ROOT.resolve("deploy/helm/funding-observatory");

    /** Helm uses no cluster here. */
    private static final String KUBERNETES = "1.31.0";

    /** What Kubernetes itself takes under a kind; a field that is not in its API is an error. */
    @FunctionalInterface
    private interface Model {
        void validate(JsonElement object) throws IOException;
    }

    private static final Map<String, Model> KINDS = Map.of(
            "apps/v1 Deployment", V1Deployment::validateJsonElement,
            "apps/v1 StatefulSet", V1StatefulSet::validateJsonElement,
            "batch/v1 Job", V1Job::validateJsonElement,
            "v1 Service", V1Service::validateJsonElement,
            "policy/v1 PodDisruptionBudget", V1PodDisruptionBudget::validateJsonElement,
            "networking.k8s.io/v1 NetworkPolicy", V1NetworkPolicy::validateJsonElement,
            "networking.k8s.io/v1 Ingress", V1Ingress::validateJsonElement,
            "v1 ConfigMap", V1ConfigMap::validateJsonElement,
            "v1 ServiceAccount", V1ServiceAccount::validateJsonElement);

    private static final Map<ChartUse, Chart> RENDERED = new ConcurrentHashMap<>();

    private final List<Map<String, Object>> objects;

    private Chart(List<Map<String, Object>> objects) {
        this.objects = objects;
    }

    /** What a use of it renders, once for all tests. */
    static Chart render(ChartUse use) {
        return RENDERED.computeIfAbsent(use, values -> render(HOME, values));
    }

    /** Renders it under the release name {@code fo}; the brokers are given, everything else is as the values say. */
    static Chart render(UnaryOperator<TemplateCommand> values) {
        return render(HOME, values);
    }

    static Chart render(Path home, UnaryOperator<TemplateCommand> values) {
        String text = values.apply(new Helm(home)
                        .template()
                        .withName("fo")
                        .withNamespace("rates")
                        .withKubeVersion(KUBERNETES)
                        .set("kafka.bootstrapServers", "kafka:9092")
                        .set("image.registry", "registry.example.org")
                        // Hooks are left out of what this call returns.
                        .set("kafka.setup.hook", "false"))
                .call();
        var options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        var objects = new ArrayList<Map<String, Object>>();
        for (Object document : new Yaml(options).loadAll(text)) {
            if (document != null) {
                objects.add(Values.map(document));
            }
        }
        return new Chart(objects);
    }

    List<Map<String, Object>> objects() {
        return objects;
    }

    /** The one object of a kind with a name. */
    Map<String, Object> object(String kind, String name) {
        return objects.stream()
                .filter(object -> kind.equals(object.get("kind")) && name.equals(Values.at(object, "metadata.name")))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + kind + " " + name + " among "
                        + objects.stream()
                                .map(object -> object.get("kind") + " " + Values.at(object, "metadata.name"))
                                .toList()));
    }

    private static List<String> refusedByOperators(Map<String, Object> object) {
        String kind = object.get("apiVersion") + " " + object.get("kind");
        if (!OperatorModels.know(kind)) {
            return List.of("no model of " + kind);
        }
        return OperatorModels.unknownFields(kind, object).stream()
                .map(field -> object.get("kind") + " " + Values.at(object, "metadata.name") + ": " + field)
                .toList();
    }

    /** Objects of a kind of the Kubernetes API itself that it would not take, with its reason; empty when it takes all. */
    List<String> refused() {
        var refused = new ArrayList<String>();
        for (Map<String, Object> object : objects) {
            Model model = KINDS.get(object.get("apiVersion") + " " + object.get("kind"));
            if (model == null) {
                refused.addAll(refusedByOperators(object));
                continue;
            }
            try {
                model.validate(new Gson().toJsonTree(object));
            } catch (IOException | IllegalArgumentException e) {
                refused.add(object.get("kind") + " " + Values.at(object, "metadata.name") + ": " + e.getMessage());
            }
        }
        return refused;
    }
}
