/** Changes of an event's record. */
import type { EventRecord, Settled } from '@parterre/shared/protocol/catalog/events';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import type { EventDocument } from '../../store/rules/records.ts';

/** Archived and deleted events are not mutable. */
export function checkMutable({ status }: EventRecord): Outcome<true> {
  if (status === 'active' || status === 'closed') return done(true);
  return refuse('invalid_event_state', `The event is ${status}. The call is not possible in this state.`, {
    details: { status },
  });
}

/** Refuses an event that would end before it starts. */
export function checkTimes({ startsAt, endsAt }: EventTimes): Outcome<true> {
  if (startsAt == null || endsAt == null || endsAt >= startsAt) return done(true);
  return refuse(
    'invalid_request',
    'The event would end before it starts. Send endsAt and startsAt in this order of time.',
    {
      details: { issues: [{ path: 'endsAt', message: 'Must not be before startsAt.' }] },
    },
  );
}

type EventTimes = { startsAt?: number | null; endsAt?: number | null };

/** Takes over the actor's facts from the group at this time. Where none is later than a known fact, nothing changes. */
export function withSettled(key: string, event: EventDocument, { at, facts }: Settled, now: number): EventDocument {
  const known: Record<string, { at: number } | undefined> = event.ahead ?? {};
  const news = Object.entries(facts).filter(([name]) => (known[name]?.at ?? 0) < at);
  if (news.length === 0) return event;
  const ahead = { ...event.ahead, ...Object.fromEntries(news.map(([name, fact]) => [name, { at, fact }])) };
  const chart = news.some(([name]) => name === 'chartId') ? { chartId: facts.chartId!, isComing: null } : {};
  const settled = stamped({ ...event, ahead, ...chart }, now);
  return ahead.status?.fact === 'deleted' ? withoutClaim(key, settled) : settled;
}

/** A deleted event leaves the lists and frees its slug. Its key stays its own for good. */
export function withoutClaim(key: string, event: EventDocument): EventDocument {
  return { ...event, gone: true, slugClaim: `~${key}` };
}

/** `updatedAt` grows with every change. */
export function stamped(event: EventDocument, now: number): EventDocument {
  return { ...event, updatedAt: Math.max(now, event.updatedAt + 1) };
}
