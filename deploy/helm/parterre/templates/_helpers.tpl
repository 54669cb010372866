{{- define "parterre.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "parterre.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "parterre.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
{{ include "parterre.selector" . }}
{{- end }}

{{- define "parterre.secret" -}}
{{- .Values.secrets.existing | default (include "parterre.name" .) }}
{{- end }}

{{- define "parterre.image" -}}
{{- with .Values.image }}
{{- if .digest }}{{ .repository }}@{{ .digest }}{{ else }}{{ .repository }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}
{{- end }}
{{- end }}

{{/* The variables of every service. Needs root, component, port. */}}
{{- define "parterre.environment" -}}
{{- $values := .root.Values }}
- { name: NATS_URL, value: {{ $values.nats.url | quote }} }
- { name: NATS_USER, value: {{ .component }} }
- { name: NATS_PASSWORD_FILE, value: /run/secrets/parterre/nats-{{ .component }} }
{{- if $values.nats.tlsSecret }}
- { name: NATS_TLS_CA_FILE, value: /run/secrets/nats-tls/ca.crt }
{{- end }}
- { name: HEALTH_HOST, value: {{ ternary "::" "0.0.0.0" $values.inventoryShard.links.ipv6 | quote }} }
- { name: HEALTH_PORT, value: {{ .port | quote }} }
- { name: JOURNAL_PARTITIONS, value: {{ $values.partitions | quote }} }
{{- if $values.regions }}
- { name: PARTERRE_REGIONS, value: {{ $values.regions | quote }} }
{{- end }}
- { name: PARTERRE_LOG_LEVEL, value: {{ $values.logLevel | quote }} }
{{- end }}

{{/* A pod of one service. Needs root, component, port, settings, keys; environment, ports, nodeSelector, grace. */}}
{{- define "parterre.pod" -}}
{{- $root := .root }}
metadata:
  labels:
    {{- include "parterre.labels" . | nindent 4 }}
    {{- with .pool }}
    parterre/pool: {{ . }}
    {{- end }}
  annotations:
    {{- /* A changed Secret of the chart restarts the pods. */}}
    parterre/secrets: {{ $root.Values.secrets.values | toJson | sha256sum | trunc 16 }}
    {{- with $root.Values.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  serviceAccountName: {{ include "parterre.name" $root }}
  automountServiceAccountToken: false
  enableServiceLinks: false
  terminationGracePeriodSeconds: {{ add 15 (.grace | default 5) }}
  {{- with $root.Values.imagePullSecrets }}
  imagePullSecrets: {{ toYaml . | nindent 4 }}
  {{- end }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 1000
    runAsGroup: 1000
    fsGroup: 1000
    seccompProfile: { type: RuntimeDefault }
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: topology.kubernetes.io/zone
      whenUnsatisfiable: {{ $root.Values.topologySpread.zones }}
      labelSelector: { matchLabels: { {{- include "parterre.selector" . | replace "\n" ", " }} } }
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: {{ $root.Values.topologySpread.nodes }}
      labelSelector: { matchLabels: { {{- include "parterre.selector" . | replace "\n" ", " }} } }
  {{- with .nodeSelector }}
  nodeSelector: {{ toYaml . | nindent 4 }}
  {{- end }}
  {{- with .settings.tolerations }}
  tolerations: {{ toYaml . | nindent 4 }}
  {{- end }}
  containers:
    - name: {{ .component }}
      image: {{ include "parterre.image" $root }}
      imagePullPolicy: {{ $root.Values.image.pullPolicy }}
      args: [dist/{{ .component }}.js]
      env:
        {{- include "parterre.environment" . | nindent 8 }}
        {{- with .environment }}
        {{- . | nindent 8 }}
        {{- end }}
        {{- range $name, $value := .settings.env }}
        - { name: {{ $name }}, value: {{ $value | quote }} }
        {{- end }}
      ports:
        - { name: health, containerPort: {{ .port }} }
        {{- range $name, $port := .ports }}
        - { name: {{ $name }}, containerPort: {{ $port }} }
        {{- end }}
      {{- /* A service opens /healthz before NATS answers, and waits for NATS. */}}
      livenessProbe: { httpGet: { path: /healthz, port: health }, periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 6 }
      readinessProbe: { httpGet: { path: /readyz, port: health }, periodSeconds: {{ ternary 1 5 (eq .component "frontdoor") }}, timeoutSeconds: 2, failureThreshold: 2 }
      resources: {{ toYaml .settings.resources | nindent 8 }}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities: { drop: [ALL] }
      volumeMounts:
        - { name: tmp, mountPath: /tmp }
        - { name: secrets, mountPath: /run/secrets/parterre, readOnly: true }
        {{- if $root.Values.nats.tlsSecret }}
        - { name: nats-tls, mountPath: /run/secrets/nats-tls, readOnly: true }
        {{- end }}
  volumes:
    - name: tmp
      emptyDir: { sizeLimit: 256Mi }
    - name: secrets
      secret:
        secretName: {{ include "parterre.secret" $root }}
        defaultMode: 0440
        items:
          {{- range .keys }}
          - { key: {{ . }}, path: {{ . }} }
          {{- end }}
    {{- if $root.Values.nats.tlsSecret }}
    - name: nats-tls
      secret: { secretName: {{ $root.Values.nats.tlsSecret }}, items: [{ key: ca.crt, path: ca.crt }] }
    {{- end }}
{{- end }}

{{/* Components and their health ports. */}}
{{- define "parterre.components" -}}
frontdoor: 9090
inventory-shard: 9091
catalog: 9092
notifier: 9093
{{- end }}
