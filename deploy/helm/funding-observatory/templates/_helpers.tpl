{{/* The labels of a part: (dict "root" $ "part" "ingest"). */}}
{{- define "observatory.labels" -}}
{{ include "observatory.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "observatory.selector" -}}
app.kubernetes.io/name: funding-observatory
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .part }}
{{- end }}

{{- define "observatory.image" -}}
{{ required "image.registry: where the images are, such as ghcr.io/OWNER" .root.Values.image.registry }}/funding-observatory/{{ .part }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}
{{- end }}

{{/* The values of a part, below its own key: empty for the setup job. */}}
{{- define "observatory.values" -}}
{{ get .root.Values .part | default dict | toYaml }}
{{- end }}

{{/* Labels and annotations of a pod: (dict "root" $ "part" "gateway"). */}}
{{- define "observatory.podMetadata" -}}
{{- $own := include "observatory.values" . | fromYaml }}
labels: {{- include "observatory.labels" . | nindent 2 }}
  {{- with .region }}
  funding-observatory/region: {{ . }}
  {{- end }}
  {{- with merge dict ($own.podLabels | default dict) .root.Values.podLabels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with merge dict ($own.podAnnotations | default dict) .root.Values.podAnnotations }}
annotations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "observatory.serviceAccount" -}}
{{ .Values.serviceAccount.name | default (ternary .Release.Name "default" .Values.serviceAccount.create) }}
{{- end }}

{{/* What every pod has in common. */}}
{{- define "observatory.pod" -}}
{{- $own := include "observatory.values" . | fromYaml }}
automountServiceAccountToken: false
enableServiceLinks: false
{{- if and (eq .part "setup") .root.Values.serviceAccount.create }}
# As a hook it runs before the release has an account.
serviceAccountName: default
{{- else }}
serviceAccountName: {{ include "observatory.serviceAccount" .root }}
{{- end }}
securityContext: {{- toYaml .root.Values.podSecurityContext | nindent 2 }}
{{- with .root.Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with $own.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- if ne .part "ingest" }}
{{- with $own.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $own.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- end }}

{{- define "observatory.spread" -}}
topologySpreadConstraints:
  {{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
  - maxSkew: 1
    topologyKey: {{ . }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{- include "observatory.selector" $ | nindent 8 }}
        {{- with $.region }}
        funding-observatory/region: {{ . }}
        {{- end }}
  {{- end }}
{{- end }}

{{- define "observatory.confined" -}}
securityContext: {{- toYaml .Values.securityContext | nindent 2 }}
{{- end }}

{{/*
Nothing here asks for a broker but readiness of ingest and streams, which no client waits for: an outage of Kafka restarts nobody. The
gateway is ready with the last list that it has, however old.
*/}}
{{- define "observatory.probes" -}}
startupProbe:
  httpGet: {path: /health/liveness, port: management}
  periodSeconds: 2
  failureThreshold: 60
livenessProbe:
  httpGet: {path: /health/liveness, port: management}
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet: {path: /health/readiness, port: management}
  periodSeconds: 5
  timeoutSeconds: 5
  failureThreshold: 2
{{- end }}

{{/* The brokers, each with its port. */}}
{{- define "observatory.brokers" -}}
{{- range splitList "," (required "kafka.bootstrapServers: host:port of the brokers" .Values.kafka.bootstrapServers) }}
{{- if not (regexMatch "^[^:\\s]+:[1-9][0-9]*$|^\\[[0-9a-fA-F:]+\\]:[1-9][0-9]*$" (trim .)) }}
{{- fail (printf "kafka.bootstrapServers has %q: write host:port, such as kafka:9092" .) }}
{{- end }}
{{- end }}
{{- .Values.kafka.bootstrapServers }}
{{- end }}

{{/* Name servers; the pods of OpenShift's listen on 5353. */}}
{{- define "observatory.dns" -}}
- ports: [{port: 53, protocol: UDP}, {port: 53, protocol: TCP}, {port: 5353, protocol: UDP}, {port: 5353, protocol: TCP}]
{{- end }}

{{/* A service's type; outside the cluster, the balancer keeps the client's address (Local), which limits count by. */}}
{{- define "observatory.serviceType" -}}
type: {{ .type }}
{{- if ne .type "ClusterIP" }}
externalTrafficPolicy: {{ .externalTrafficPolicy }}
{{- end }}
{{- end }}

{{/* How the brokers are reached: (dict "root" $ "role" "ingest"). */}}
{{- define "observatory.kafka.env" -}}
- name: OBSERVATORY_KAFKA_BOOTSTRAP_SERVERS
  value: {{ include "observatory.brokers" .root | quote }}
- name: OBSERVATORY_KAFKA_REPLICATION_FACTOR
  value: {{ .root.Values.kafka.replicationFactor | quote }}
{{- range $key, $value := .root.Values.kafka.client }}
- name: OBSERVATORY_KAFKA_CLIENT_{{ $key | upper | replace "." "_" }}
  value: {{ $value | quote }}
{{- end }}
{{- if include "observatory.secured" .root }}
{{- $secured := .root.Values.kafka.secured }}
{{- $strimzi := .root.Values.kafka.strimzi.enabled }}
{{- $secret := required (printf "kafka.secured.userSecrets.%s" .role) (ternary (printf "%s-%s" .root.Release.Name .role) (get $secured.userSecrets .role) $strimzi) }}
{{- $jaas := ternary "sasl.jaas.config" $secured.userKeys.jaas $strimzi }}
{{- if not $jaas }}
- name: KAFKA_USER
  valueFrom: {secretKeyRef: {name: {{ $secret }}, key: {{ $secured.userKeys.username }}}}
- name: KAFKA_PASSWORD
  valueFrom: {secretKeyRef: {name: {{ $secret }}, key: {{ $secured.userKeys.password }}}}
{{- end }}
- name: OBSERVATORY_KAFKA_CLIENT_SECURITY_PROTOCOL
  value: SASL_SSL
- name: OBSERVATORY_KAFKA_CLIENT_SASL_MECHANISM
  value: SCRAM-SHA-512
- name: OBSERVATORY_KAFKA_CLIENT_SASL_JAAS_CONFIG
  {{- if $jaas }}
  valueFrom: {secretKeyRef: {name: {{ $secret }}, key: {{ $jaas }}}}
  {{- else }}
  value: org.apache.kafka.common.security.scram.ScramLoginModule required username="$(KAFKA_USER)" password="$(KAFKA_PASSWORD)";
  {{- end }}
- name: OBSERVATORY_KAFKA_CLIENT_SSL_TRUSTSTORE_TYPE
  value: PEM
- name: OBSERVATORY_KAFKA_CLIENT_SSL_TRUSTSTORE_LOCATION
  value: /etc/kafka-ca/{{ $secured.caSecret.key }}
{{- end }}
{{- end }}

{{/* Whether clients use TLS and a password. */}}
{{- define "observatory.secured" -}}
{{- if or .Values.kafka.secured.enabled .Values.kafka.strimzi.enabled }}true{{ end }}
{{- end }}

{{/* The values of a part that name variables: plain ones, and any others as Kubernetes has them. */}}
{{- define "observatory.env" -}}
{{- range $name, $value := .env }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- with .extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "observatory.envFrom" -}}
{{- with .envFrom }}
envFrom: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "observatory.kafka.mounts" -}}
- {name: tmp, mountPath: /tmp}
{{- if include "observatory.secured" . }}
- {name: kafka-ca, mountPath: /etc/kafka-ca, readOnly: true}
{{- end }}
{{- end }}

{{- define "observatory.kafka.volumes" -}}
- name: tmp
  emptyDir: {sizeLimit: 256Mi}
{{- if include "observatory.secured" . }}
- name: kafka-ca
  secret: {secretName: {{ ternary (printf "%s-cluster-ca-cert" .Values.kafka.strimzi.cluster) .Values.kafka.secured.caSecret.name .Values.kafka.strimzi.enabled }}}
{{- end }}
{{- end }}
