/** The 429 answers. Their forms differ by route: see "429 response" of the specification. Pure. */
import type { Answer, Header } from './answer.ts';
import { jsonType } from './answer.ts';
import { type Budget, retryAfterSeconds, type Spent } from './rules/budget.ts';

const MESSAGE = 'Too many requests. This one did nothing; wait and repeat it.';

export function tooManyAnswer(budget: Budget, spent: Spent, requestId: string): Answer {
  // The readiness check sends the error field alone, and no headers.
  if (budget.name === 'readiness') {
    return { status: 429, headers: [jsonType], body: JSON.stringify({ error: 'rate_limited' }) };
  }
  const seconds = retryAfterSeconds(spent);
  const body = {
    error: 'rate_limited',
    // Server hold routes send no code.
    ...(budget.name === 'server-holds' ? {} : { code: 'rate_limited' }),
    message: MESSAGE,
    requestId,
    retryAfterSeconds: seconds,
  };
  return { status: 429, headers: rateLimitHeaders(budget, spent, seconds), body: JSON.stringify(body) };
}

function rateLimitHeaders(budget: Budget, spent: Spent, seconds: number): Header[] {
  return [
    jsonType,
    ['Retry-After', String(seconds)],
    ['RateLimit-Limit', String(budget.limit)],
    ['RateLimit-Remaining', String(spent.remaining)],
    ['RateLimit-Reset', String(seconds)],
    ['RateLimit-Policy', `${budget.limit};w=${budget.windowMs / 1000}`],
  ];
}
