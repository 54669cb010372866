/** The spans of journal messages that a projection counts: one for each traced command, from the read to the write. */
import type { PulledMessage } from '@parterre/shared/runtime/pull';
import { decodeTraces, type Span, type Tracing } from '@parterre/shared/runtime/tracing';

export function beginProjections(tracing: Tracing, messages: readonly PulledMessage[]): Span[] {
  const spans: Span[] = [];
  for (const { traces, seq } of messages) {
    if (!traces) continue;
    for (const { event, traceparent } of decodeTraces(traces)) {
      const facts = { 'parterre.event': event, 'parterre.sequence': seq };
      const span = tracing.begin('catalog project', 'consumer', traceparent, facts);
      if (span) spans.push(span);
    }
  }
  return spans;
}
