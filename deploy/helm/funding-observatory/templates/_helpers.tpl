{{/* The labels of a part: (dict "root" $ "part" "ingest"). */}}
{{- define "observatory.labels" -}}
{{ include "observatory.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- end }}

{{- define "observatory.selector" -}}
app.kubernetes.io/name: funding-observatory
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .part }}
{{- end }}

{{- define "observatory.image" -}}
{{ .root.Values.image.registry }}/funding-observatory/{{ .part }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}
{{- end }}

{{/* What every pod has in common. */}}
{{- define "observatory.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: {type: RuntimeDefault}
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
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: {drop: [ALL]}
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

{{/* How the brokers are reached: (dict "root" $ "role" "ingest"). */}}
{{- define "observatory.kafka.env" -}}
- name: OBSERVATORY_KAFKA_BOOTSTRAP_SERVERS
  value: {{ required "kafka.bootstrapServers: host:port of the brokers" .root.Values.kafka.bootstrapServers | quote }}
- name: OBSERVATORY_KAFKA_REPLICATION_FACTOR
  value: {{ .root.Values.kafka.replicationFactor | quote }}
{{- range $key, $value := .root.Values.kafka.client }}
- name: OBSERVATORY_KAFKA_CLIENT_{{ $key | upper | replace "." "_" }}
  value: {{ $value | quote }}
{{- end }}
{{- with .root.Values.kafka.secured }}
{{- if .enabled }}
{{- $secret := required (printf "kafka.secured.userSecrets.%s" $.role) (get .userSecrets $.role) }}
- name: KAFKA_USER
  valueFrom: {secretKeyRef: {name: {{ $secret }}, key: username}}
- name: KAFKA_PASSWORD
  valueFrom: {secretKeyRef: {name: {{ $secret }}, key: password}}
- name: OBSERVATORY_KAFKA_CLIENT_SECURITY_PROTOCOL
  value: SASL_SSL
- name: OBSERVATORY_KAFKA_CLIENT_SASL_MECHANISM
  value: SCRAM-SHA-512
- name: OBSERVATORY_KAFKA_CLIENT_SASL_JAAS_CONFIG
  value: org.apache.kafka.common.security.scram.ScramLoginModule required username="$(KAFKA_USER)" password="$(KAFKA_PASSWORD)";
- name: OBSERVATORY_KAFKA_CLIENT_SSL_TRUSTSTORE_TYPE
  value: PEM
- name: OBSERVATORY_KAFKA_CLIENT_SSL_TRUSTSTORE_LOCATION
  value: /etc/kafka-ca/{{ .caSecret.key }}
{{- end }}
{{- end }}
{{- end }}

{{- define "observatory.env" -}}
{{- range $name, $value := . }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}

{{- define "observatory.kafka.mounts" -}}
- {name: tmp, mountPath: /tmp}
{{- if .Values.kafka.secured.enabled }}
- {name: kafka-ca, mountPath: /etc/kafka-ca, readOnly: true}
{{- end }}
{{- end }}

{{- define "observatory.kafka.volumes" -}}
- name: tmp
  emptyDir: {sizeLimit: 256Mi}
{{- if .Values.kafka.secured.enabled }}
- name: kafka-ca
  secret: {secretName: {{ .Values.kafka.secured.caSecret.name }}}
{{- end }}
{{- end }}
