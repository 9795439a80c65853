package io.fundingobservatory.standalone.deployment;

import com.marcnuri.helm.TemplateCommand;
import java.util.function.UnaryOperator;

/** Every way in which the chart is meant to be used. */
enum ChartUse implements UnaryOperator<TemplateCommand> {
    USUAL,
    SECURED,
    REGIONS,
    OPENSHIFT,
    STRIMZI,
    PROMETHEUS,
    PROXY,
    EVERYTHING;

    @Override
    public TemplateCommand apply(TemplateCommand template) {
        return switch (this) {
            case USUAL -> template;
            case SECURED -> template.withValuesFile(Chart.HOME.resolve("values-secured.yaml"));
            case REGIONS -> template.withValuesFile(Chart.HOME.resolve("values-regions.yaml"));
            case OPENSHIFT -> template.withValuesFile(Chart.HOME.resolve("values-openshift.yaml"));
            case STRIMZI ->
                template.set("kafka.strimzi.enabled", "true")
                        .set("kafka.strimzi.cluster", "events")
                        .set("kafka.bootstrapServers", "events-kafka-bootstrap:9093")
                        .set("kafka.setup.teams[0]", "pricing");
            case PROMETHEUS ->
                template.set("monitoring.podMonitor", "true")
                        .set("monitoring.rules", "true")
                        .set("monitoring.labels.release", "kube-prometheus-stack")
                        .set("monitoring.dashboards.enabled", "true");
            case PROXY ->
                template.set("proxy.enabled", "true")
                        .set("proxy.tlsSecret", "rates-tls")
                        .set("proxy.service.type", "LoadBalancer")
                        .set("gateway.trustedProxies", "10.0.0.0/8,fd00::/8")
                        .set("gateway.ingress.enabled", "true")
                        .set("gateway.ingress.host", "rates.example.org")
                        .set("networkPolicy.gatewayPeers[0].namespaceSelector.matchLabels.name", "ingress");
            case EVERYTHING ->
                template.withValuesFile(Chart.HOME.resolve("values-secured.yaml"))
                        .withValuesFile(Chart.HOME.resolve("values-regions.yaml"))
                        .set("kafka.setup.teams[0]", "pricing")
                        .set("kafka.client.linger\\.ms", "7")
                        .set("ingest.contact", "ops@example.org")
                        .set("ingest.proxy", "http://proxy:3128")
                        .set("image.pullSecrets[0]", "registry")
                        .set("gateway.trustedProxies", "10.0.0.0/8")
                        .set("gateway.ingress.enabled", "true")
                        .set("gateway.ingress.host", "rates.example.org")
                        .set("gateway.ingress.tlsSecret", "rates-tls")
                        .set("networkPolicy.gatewayPeers[0].namespaceSelector.matchLabels.name", "ingress")
                        .set("streams.storage.className", "fast")
                        .set("monitoring.podMonitor", "true")
                        .set("monitoring.rules", "true")
                        .set("podLabels.team", "rates")
                        .set("podAnnotations.reloader\\.stakater\\.com/auto", "yes")
                        .set("priorityClassName", "high")
                        .set("serviceAccount.create", "true")
                        .set("streams.nodeSelector.disk", "fast")
                        .set("gateway.podAnnotations.part", "edge")
                        .set("gateway.extraEnv[0].name", "EXTRA")
                        .set("gateway.extraEnv[0].value", "on top")
                        .set("gateway.envFrom[0].secretRef.name", "more")
                        .set("gateway.httpRoute.enabled", "true")
                        .set("gateway.httpRoute.parentRefs[0].name", "public");
        };
    }
}
