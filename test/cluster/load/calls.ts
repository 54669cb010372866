/** A recorded call as an HTTP request, and the HTTP answer as an outcome. */
import type { HeldAnswer, HoldView, LineItem } from '@parterre/shared/protocol/answers';
import type { Answer, Call, Outcome } from '../../support/histories/history.ts';

export function requestOf(call: Call, ttlMs: number): { method: string; path: string; body?: object } {
  const { type, ...named } = call;
  switch (type) {
    case 'count':
      return { method: 'GET', path: '' };
    case 'map':
      return { method: 'GET', path: '/objects' };
    case 'inspect':
      return { method: 'GET', path: `/holds/${call.holdId}` };
    case 'hold':
    case 'extend':
      return { method: 'POST', path: `/${type}`, body: { ...named, ttlMs } };
    default:
      return { method: 'POST', path: `/${type}`, body: named };
  }
}

export type Body = {
  code?: string;
  reason?: string;
  retryable?: boolean;
  outcome?: 'unknown';
  conflicts?: { label: string; status: string }[];
} & Record<string, unknown>;

/** The outcome of an answer; null for an answer that the API does not specify. */
export function outcomeOf(call: Call, status: number, body: Body): Outcome | null {
  if (status === 200) {
    const answer = answerOf(call, body);
    return answer && isWhole(answer) ? { kind: 'ok', answer } : null;
  }
  const isUnknown = body.retryable === true || body.outcome === 'unknown';
  if (status === 503 && isUnknown) return { kind: 'unknown', why: body.code ?? 'retryable' };
  const { code } = body;
  if (code === undefined || !refusals[call.type].includes(code)) return null;
  const reason = body.reason === undefined || body.reason === code ? null : body.reason;
  const conflicts = (body.conflicts ?? []).map((seat) => `${seat.label} ${seat.status}`).sort();
  return { kind: 'refused', code, reason, conflicts };
}

const refusals: Record<Call['type'], string[]> = {
  hold: ['conflict'],
  extend: ['cannot_extend'],
  release: ['hold_not_found'],
  book: ['conflict', 'hold_not_found'],
  unbook: ['booking_not_found'],
  block: ['conflict'],
  unblock: [],
  inspect: ['hold_not_found'],
  count: [],
  map: [],
};

/** The answer's fields in the model's order. Missing fields stay undefined. */
function answerOf({ type }: Call, body: Body): Answer | null {
  switch (type) {
    case 'hold': {
      const { holdId, labels, expiresAt } = body as unknown as HeldAnswer;
      return { type, holdId, labels: labels?.toSorted(), expiresAt };
    }
    case 'extend': {
      const { items, expiresAt, extends: renewals } = body as unknown as HoldView;
      return { type, labels: labelsOf(items), expiresAt, extends: renewals };
    }
    case 'inspect': {
      const { status, items, expiresAt, extends: renewals, bookingRef } = body as unknown as HoldView;
      return { type, status, labels: labelsOf(items), expiresAt, extends: renewals, bookingRef };
    }
    case 'count': {
      const { free, held, booked, blocked } = (body.counts ?? {}) as Record<string, number>;
      return { type, free: free!, held: held!, booked: booked!, blocked: blocked! };
    }
    case 'map': {
      const { seats, snapshotVersion } = body as { seats?: Record<string, string>; snapshotVersion?: number };
      const taken = Object.entries(seats ?? {}).map((seat) => seat.join(' '));
      return { type, seats: taken.sort(), version: snapshotVersion! };
    }
    default: {
      const labels = body[answerFields[type]] as string[] | undefined;
      return { type, labels: labels?.toSorted() as string[] };
    }
  }
}

const answerFields = {
  release: 'released',
  book: 'booked',
  unbook: 'unbooked',
  block: 'blocked',
  unblock: 'unblocked',
} as const;

function labelsOf(items: LineItem[] | undefined): string[] {
  return (items ?? []).map(({ label }) => label).sort();
}

function isWhole(answer: Answer): boolean {
  return Object.values(answer).every((value) => value !== undefined);
}
