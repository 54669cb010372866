/**
 * The span of a traced request, from its head to the head of its answer, or to the end of its caller. Requests of /pub
 * begin a trace of their own: a stranger must not decide which requests are sampled.
 */
import type { Span, Tracing } from '@parterre/shared/runtime/tracing';
import type { Request, Row } from '../admission/admission.ts';
import type { Answer } from '../answers/answers.ts';

type Traced = { readonly method: string; readonly requestId: string; span: Span | null };

export function beginSpan(
  tracing: Tracing,
  exchange: Traced,
  { method, path }: Row,
  request: Request,
  traceparent: string,
): void {
  const facts = {
    'http.request.method': exchange.method,
    'http.route': path,
    'parterre.request_id': exchange.requestId,
    ...(path.includes('/events/{') && { 'parterre.event': request.params[0] ?? '' }),
  };
  const parent = path.startsWith('/pub/') ? '' : traceparent;
  exchange.span = tracing.begin(`${method} ${path}`, 'server', parent, facts);
  request.span = exchange.span;
}

/** `answer` is null where the caller went away before. */
export function endSpan(exchange: Traced, answer: Omit<Answer, 'body'> | null): void {
  const span = exchange.span!;
  exchange.span = null;
  if (answer === null) {
    span.end(undefined, 'the caller went away');
    return;
  }
  const { status, refusal } = answer;
  const facts = { 'http.response.status_code': status, ...(refusal && { 'parterre.code': refusal.code }) };
  span.end(facts, status >= 500 ? (refusal?.code ?? String(status)) : undefined);
}
