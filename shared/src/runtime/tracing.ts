/**
 * Traces, by OpenTelemetry. They are off unless the environment names a receiver, and then cost one look at `tracing`,
 * which is null: the SDK is not even loaded. The environment has OpenTelemetry's own names (docs/traces.md).
 *
 * The context of a trace is handed on as text (`traceparent` of W3C), in headers and in optional fields. A service
 * begins spans only for contexts that were handed to it. The front door alone begins traces. A span that is not sampled
 * is null, and its context is not handed on.
 *
 * Within a service the span of a request is found by `current` across awaits. Callbacks of native code begin without
 * it, and enter it by `inside`.
 *
 * Failure at each await: a package cannot be loaded, or a variable has no sense → the service does not start, since an
 * operator has asked for traces. The receiver is away → the SDK drops spans past its queue (2,048), and the log has one
 * line a minute. The end of the process waits for the last spans for a bounded time.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { hostname } from 'node:os';
import type { Attributes } from '@opentelemetry/api';
import { systemClock } from './clock.ts';
import type { Logger } from './log.ts';
import { MINUTE_MS, SECOND_MS } from './units.ts';

/** `server` answers a call, `client` makes one, `producer` writes to the journal, `consumer` reads it. */
export type SpanKind = 'server' | 'client' | 'producer' | 'consumer';

export type Span = {
  /** The parent of the spans that this one causes. */
  readonly traceparent: string;
  /** Call this once. `fault` marks the span as failed. */
  end(facts?: Attributes, fault?: string): void;
};

export type Tracing = {
  /**
   * Null for a span that is not sampled. `parent` is a `traceparent`; an invalid one, like none, begins a new trace.
   */
  begin(name: string, kind: SpanKind, parent: string, facts?: Attributes): Span | null;
  /** Runs `run`, and all that it awaits, within the span. */
  inside<T>(span: Span, run: () => T): T;
  current(): Span | undefined;
  /** Sends the last spans. */
  close(): Promise<void>;
};

/** Null while traces are off. */
export let tracing: Tracing | null = null;

const closeMsMax = 3 * SECOND_MS;

/** Turns traces on where the environment names a receiver. `service` is the name of this program. */
export async function startTracing(service: string, environment: NodeJS.ProcessEnv, log: Logger): Promise<void> {
  if (isWanted(environment)) tracing = await createTracing(environment.OTEL_SERVICE_NAME || `parterre-${service}`, log);
}

/** As `isWanted` without a receiver: off. */
export async function endTracing(): Promise<void> {
  await tracing?.close();
}

function isWanted(environment: NodeJS.ProcessEnv): boolean {
  if (environment.OTEL_SDK_DISABLED === 'true') return false;
  const exporter = environment.OTEL_TRACES_EXPORTER;
  if (exporter === 'none') return false;
  return Boolean(
    exporter === 'otlp' || environment.OTEL_EXPORTER_OTLP_ENDPOINT || environment.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT,
  );
}

/** Imports by call: a bundle would load a package that a file imports at its head in every process. */
async function createTracing(service: string, log: Logger): Promise<Tracing> {
  const [api, core, resources, sdk, { OTLPTraceExporter }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/core'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/sdk-trace-base'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ]);
  const { ROOT_CONTEXT, SpanStatusCode, trace } = api;
  tellProblems(api, log);
  const named = resources.resourceFromAttributes({
    'service.name': service,
    'service.namespace': 'parterre',
    'service.instance.id': `${hostname()}/${process.pid}`,
  });
  const resource = resources.detectResources({ detectors: [resources.envDetector] }).merge(named);
  const processor = new sdk.BatchSpanProcessor(new OTLPTraceExporter());
  const provider = new sdk.BasicTracerProvider({ resource, spanProcessors: [processor] });
  const tracer = provider.getTracer('parterre');
  const spans = new AsyncLocalStorage<Span>();
  const kinds = {
    server: api.SpanKind.SERVER,
    client: api.SpanKind.CLIENT,
    producer: api.SpanKind.PRODUCER,
    consumer: api.SpanKind.CONSUMER,
  };

  function begin(name: string, kind: SpanKind, parent: string, facts?: Attributes): Span | null {
    const from = parent === '' ? null : core.parseTraceParent(parent);
    const context = from ? trace.setSpanContext(ROOT_CONTEXT, { ...from, isRemote: true }) : ROOT_CONTEXT;
    const span = tracer.startSpan(name, { kind: kinds[kind], ...(facts && { attributes: facts }) }, context);
    if (!span.isRecording()) return null;
    const { traceId, spanId } = span.spanContext();
    return {
      traceparent: `00-${traceId}-${spanId}-01`,
      end(more, fault) {
        if (more) span.setAttributes(more);
        if (fault !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: fault });
        span.end();
      },
    };
  }

  return {
    begin,
    inside: (span, run) => spans.run(span, run),
    current: () => spans.getStore(),
    async close() {
      // A receiver that is away must not hold up the end.
      let cancel = (): void => {};
      const late = new Promise<void>((resolve) => {
        cancel = systemClock.after(closeMsMax, resolve);
      });
      await Promise.race([provider.shutdown().catch(() => {}), late]);
      cancel();
    },
  };
}

/** The SDK tells each failed export. The log has one line a minute. */
function tellProblems({ diag, DiagLogLevel }: typeof import('@opentelemetry/api'), log: Logger): void {
  let toldAt = Number.NEGATIVE_INFINITY;
  const tell = (problem: string): void => {
    if (systemClock.elapsed() - toldAt < MINUTE_MS) return;
    toldAt = systemClock.elapsed();
    log.warn({ problem: problem.slice(0, 500) }, 'traces are lost: the receiver of OpenTelemetry takes none');
  };
  const ignore = (): void => {};
  const logger = { error: tell, warn: tell, info: ignore, debug: ignore, verbose: ignore };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
}

/** The header of a journal's message that has the contexts of its parts, and the header of other messages. */
export const journalTraceHeader = 'Parterre-Traces';
export const traceHeader = 'traceparent';

/** A traced command in a message of the journal: its records are those of its event from `from` to before `to`. */
export type TracedRecords = { event: string; from: number; to: number; traceparent: string };

/** No message of the journal names more. */
const tracedRecordsMax = 32;

export function encodeTraces(traces: readonly TracedRecords[]): string {
  return traces
    .slice(0, tracedRecordsMax)
    .map(({ event, from, to, traceparent }) => `${event} ${from} ${to} ${traceparent}`)
    .join(',');
}

/** Empty for a header that cannot be read: a trace never stops the reader of a journal. */
export function decodeTraces(header: string): TracedRecords[] {
  return header.split(',').flatMap((entry) => {
    const [event, from, to, traceparent] = entry.split(' ');
    return event && traceparent ? [{ event, from: Number(from), to: Number(to), traceparent }] : [];
  });
}
