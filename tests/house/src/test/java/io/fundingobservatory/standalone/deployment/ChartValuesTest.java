package io.fundingobservatory.standalone.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Values of the rendered chart, as its uses need them. {@code C} is the first container of a pod, {@code P} the pod. */
class ChartValuesTest {
    /**
     * Every rendering is the first revision of a release whose setup runs as a plain job. Only a job of that revision alone can be
     * upgraded.
     */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            USUAL      | StatefulSet fo-streams          | C.env[OBSERVATORY_STREAMS_INSTANCE_ID].valueFrom.fieldRef.fieldPath | metadata.name
            USUAL      | StatefulSet fo-streams          | spec.volumeClaimTemplates.0.metadata.name  | state
            USUAL      | StatefulSet fo-streams          | C.livenessProbe.httpGet.path               | /health/liveness
            USUAL      | StatefulSet fo-streams          | C.startupProbe.httpGet.path                | /health/liveness
            USUAL      | StatefulSet fo-streams          | C.readinessProbe.httpGet.path              | /health/readiness
            USUAL      | Deployment fo-ingest-default    | C.livenessProbe.httpGet.path               | /health/liveness
            USUAL      | Deployment fo-ingest-default    | C.startupProbe.httpGet.path                | /health/liveness
            USUAL      | Deployment fo-ingest-default    | C.readinessProbe.httpGet.path              | /health/readiness
            USUAL      | Deployment fo-gateway           | C.livenessProbe.httpGet.path               | /health/liveness
            USUAL      | Deployment fo-gateway           | C.startupProbe.httpGet.path                | /health/liveness
            USUAL      | Deployment fo-gateway           | C.readinessProbe.httpGet.path              | /health/readiness
            USUAL      | Service fo-gateway              | spec.externalTrafficPolicy                 | null
            USUAL      | Job fo-setup-1                  | C.args                                     | [topics, --create, --replication, 3, --bootstrap-server, kafka:9092]
            USUAL      | Job fo-setup-1                  | P.initContainers                           | null
            EVERYTHING | Job fo-setup-1                  | P.initContainers.0.args.0                  | topics
            EVERYTHING | Job fo-setup-1                  | C.args                                     | [access, --apply, --bootstrap-server, kafka:9092, --command-config, /etc/kafka-admin/client.properties, --user, team=pricing]
            EVERYTHING | Deployment fo-gateway           | spec.template.metadata.labels.team         | rates
            EVERYTHING | Deployment fo-gateway           | spec.template.metadata.annotations.part    | edge
            EVERYTHING | Deployment fo-gateway           | spec.template.metadata.annotations[reloader.stakater.com/auto] | yes
            EVERYTHING | Deployment fo-gateway           | P.priorityClassName                        | high
            EVERYTHING | Deployment fo-gateway           | P.serviceAccountName                       | fo
            EVERYTHING | Deployment fo-gateway           | C.env[EXTRA].value                         | on top
            EVERYTHING | Deployment fo-gateway           | C.envFrom.0.secretRef.name                 | more
            EVERYTHING | StatefulSet fo-streams          | P.nodeSelector.disk                        | fast
            EVERYTHING | StatefulSet fo-streams          | C.envFrom                                  | null
            SECURED    | Deployment fo-ingest-default    | C.env[KAFKA_PASSWORD].valueFrom.secretKeyRef.name         | kafka-user-ingest
            SECURED    | StatefulSet fo-streams          | C.env[KAFKA_PASSWORD].valueFrom.secretKeyRef.name         | kafka-user-streams
            SECURED    | Deployment fo-gateway           | C.env[KAFKA_PASSWORD].valueFrom.secretKeyRef.name         | kafka-user-gateway
            SECURED    | Deployment fo-ingest-default    | C.env[OBSERVATORY_KAFKA_CLIENT_SECURITY_PROTOCOL].value   | SASL_SSL
            SECURED    | StatefulSet fo-streams          | C.env[OBSERVATORY_KAFKA_CLIENT_SECURITY_PROTOCOL].value   | SASL_SSL
            SECURED    | Deployment fo-gateway           | C.env[OBSERVATORY_KAFKA_CLIENT_SECURITY_PROTOCOL].value   | SASL_SSL
            REGIONS    | Deployment fo-ingest-tokyo      | C.env[OBSERVATORY_INGEST_REGION].value     | tokyo
            REGIONS    | Deployment fo-ingest-frankfurt  | C.env[OBSERVATORY_INGEST_REGION].value     | frankfurt
            OPENSHIFT  | Deployment fo-gateway           | P.securityContext                          | {runAsNonRoot=true, seccompProfile={type=RuntimeDefault}}
            STRIMZI    | StatefulSet fo-streams          | C.env[OBSERVATORY_KAFKA_CLIENT_SASL_JAAS_CONFIG].valueFrom.secretKeyRef.name | fo-streams
            STRIMZI    | StatefulSet fo-streams          | C.env[OBSERVATORY_KAFKA_CLIENT_SASL_JAAS_CONFIG].valueFrom.secretKeyRef.key  | sasl.jaas.config
            STRIMZI    | KafkaTopic quotes.raw           | metadata.labels[strimzi.io/cluster]        | events
            STRIMZI    | KafkaTopic quotes.raw           | spec.config[min.insync.replicas]           | 2
            PROMETHEUS | PodMonitor fo-gateway           | metadata.labels.release                    | kube-prometheus-stack
            PROMETHEUS | PrometheusRule fo               | metadata.labels.release                    | kube-prometheus-stack
            PROMETHEUS | ConfigMap fo-dashboard          | metadata.labels.grafana_dashboard          | 1
            PROXY      | Ingress fo-gateway              | spec.rules.0.http.paths.0.backend.service.name | fo-proxy
            """)
    void has(ChartUse use, String object, String path, String value) {
        String whole = path.replaceFirst("^C\\.", "P.containers.0.").replaceFirst("^P\\.", "spec.template.spec.");
        String[] named = object.split(" ");
        assertEquals(value, String.valueOf(Values.at(Chart.render(use).object(named[0], named[1]), whole)));
    }

    /**
     * Without the ranges of a proxy all clients behind it share the points of one. Kubernetes refuses a pause of 0 s, and one that is as
     * long as the whole time to end (45 s). The setup's only settings are those of the administrator's secret.
     */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            image.registry                  | image.registry=
            replica                         | gateway.replica=3
            okx is listed in a and in b     | REGIONS ingest.regions[0].venues[0]=okx ingest.regions[1].venues[0]=okx
            a names no venues               | REGIONS ingest.regions[1].venues[0]=okx
            gateway.trustedProxies is empty | gateway.ingress.enabled=true gateway.ingress.host=rates.example.org
            gateway.trustedProxies is empty | gateway.httpRoute.enabled=true gateway.httpRoute.parentRefs[0].name=public
            gateway.trustedProxies is empty | proxy.enabled=true
            write host:port                 | kafka.bootstrapServers=kafka
            write host:port                 | kafka.bootstrapServers=kafka:
            write host:port                 | kafka.bootstrapServers=kafka:0
            write host:port                 | kafka.bootstrapServers=a:9092,b
            write host:port                 | kafka.bootstrapServers=SASL_SSL://a:9092
            drainSeconds                    | gateway.drainSeconds=0
            drainSeconds                    | gateway.drainSeconds=31
            drainSeconds                    | gateway.drainSeconds=45
            kafka.setup.enabled=false       | kafka.client.security\\.protocol=SSL
            """)
    void refuses(String line, String values) {
        String all = values.replace(
                "REGIONS",
                "ingest.regions[0].name=a ingest.regions[0].replicas=1 ingest.regions[1].name=b ingest.regions[1].replicas=1");
        RuntimeException refused = assertThrows(
                RuntimeException.class,
                () -> Chart.render(template -> {
                    for (String value : all.split(" ")) {
                        template.set(value.split("=", 2)[0], value.split("=", 2)[1]);
                    }
                    return template;
                }));
        assertTrue(String.valueOf(refused.getMessage()).contains(line), refused::toString);
    }
}
