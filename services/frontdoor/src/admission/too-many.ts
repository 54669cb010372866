/** The 429 answers. Their form differs by route: each budget names its form (`refusal`, budget.ts). Pure. */
import type { Spent } from '@parterre/shared/fixed-windows';
import { type Answer, type Header, jsonType } from '../answers/answers.ts';
import type { Budget } from './budget.ts';

const MESSAGE = 'Too many requests. This request did nothing. Wait, then repeat it.';

export function tooManyAnswer(budget: Budget, { remaining, resetAfterMs }: Spent, requestId: string): Answer {
  if (budget.refusal === 'error only') {
    return { status: 429, headers: [jsonType], body: JSON.stringify({ error: 'rate_limited' }) };
  }
  // Rounded up: a caller that waits this long comes after the window's end.
  const seconds = Math.max(1, Math.ceil(resetAfterMs / 1000));
  const body = {
    error: 'rate_limited',
    ...(budget.refusal === 'without code' ? {} : { code: 'rate_limited' }),
    message: MESSAGE,
    requestId,
    retryAfterSeconds: seconds,
  };
  const headers: Header[] = [jsonType, ['Retry-After', String(seconds)]];
  if (budget.refusal !== 'Retry-After only') {
    headers.push(
      ['RateLimit-Limit', String(budget.limit)],
      ['RateLimit-Remaining', String(remaining)],
      ['RateLimit-Reset', String(seconds)],
      ['RateLimit-Policy', `${budget.limit};w=${budget.windowMs / 1000}`],
    );
  }
  return { status: 429, headers, body: JSON.stringify(body) };
}
