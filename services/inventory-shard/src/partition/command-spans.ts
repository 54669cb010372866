/**
 * The spans of traced commands. A span of a command lasts from its arrival to its answer. An append has a span below
 * each traced command whose records it carries, from its sending to its ack. A header of the message hands their
 * contexts on to the readers of the journal. The links of a journal hash the bytes of messages and no header.
 *
 * Without traces no command has a span, and no function here is called.
 */
import type { Envelope, Reply } from '@parterre/shared/protocol/commands';
import { encodeTraces, type Span, type TracedRecords, type Tracing } from '@parterre/shared/runtime/tracing';

/** `from` and `to`: the command's records in the part of its event. */
export type CommandSpan = { span: Span; from: number; to: number };

/** `trace` is the context of the command's request. A trace that is not sampled gives the job no span. */
export function traceJob(tracing: Tracing, job: { envelope: Envelope; traced?: CommandSpan }, trace: string): void {
  const { command, eventKey, copy } = job.envelope;
  const facts = { 'parterre.event': eventKey, ...(copy !== undefined && { 'parterre.copy': copy }) };
  const span = tracing.begin(`shard ${command.type}`, 'server', trace, facts);
  if (span) job.traced = { span, from: 0, to: 0 };
}

export function endCommand({ span }: CommandSpan, reply: Reply): void {
  const code = reply.kind === 'refused' ? reply.refusal.code : undefined;
  const isFault = code === 'internal_error' || reply.kind === 'moved';
  span.end(
    { 'parterre.answer': reply.kind, ...(code !== undefined && { 'parterre.code': code }) },
    isFault ? (code ?? 'moved') : undefined,
  );
}

/** The spans of an append, and the header that hands them on. */
export type AppendSpans = { spans: Span[]; header: string };

/** Null where no command of the parts is traced. */
export function beginAppend(
  tracing: Tracing,
  sequence: number,
  parts: readonly { eventKey: string; replies: readonly { traced?: CommandSpan | undefined }[] }[],
): AppendSpans | null {
  const spans: Span[] = [];
  const traced: TracedRecords[] = [];
  for (const { eventKey: event, replies } of parts) {
    for (const { traced: command } of replies) {
      if (!command) continue;
      const facts = { 'parterre.event': event, 'parterre.sequence': sequence };
      const span = tracing.begin('journal append', 'producer', command.span.traceparent, facts);
      if (!span) continue;
      spans.push(span);
      traced.push({ event, from: command.from, to: command.to, traceparent: span.traceparent });
    }
  }
  return spans.length === 0 ? null : { spans, header: encodeTraces(traced) };
}

export function endAppend({ spans }: AppendSpans, fault?: string): void {
  for (const span of spans) span.end(undefined, fault);
}
