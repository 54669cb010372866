/** The event's own switches: its default hold window, its currency, the states of its sections. */
import type { Caller, Command } from '@parterre/shared/commands';
import { refuse } from '@parterre/shared/errors';
import { holdTtlMsMax, holdTtlMsMin } from '@parterre/shared/limits';
import { unitStatus } from '@parterre/shared/records';
import { byOf, type Decision } from './decision.ts';
import type { EventState } from './state.ts';

export function setHoldTtl(command: Command & { type: 'set-hold-ttl' }, caller: Caller): Decision<'set-hold-ttl'> {
  const { callId, holdTtlMs: asked } = command;
  const holdTtlMs = asked === null ? null : Math.min(Math.max(asked, holdTtlMsMin), holdTtlMsMax);
  return { ok: true, records: [{ type: 'hold-ttl-set', callId, holdTtlMs, by: byOf(caller) }], answer: { holdTtlMs } };
}

/** Prices that were frozen in one currency cannot be read in another. */
export function configure(
  state: EventState,
  { callId, currency }: Command & { type: 'configure' },
  caller: Caller,
  now: number,
): Decision<'configure'> {
  const sales = state.counts[unitStatus.held] + state.counts[unitStatus.booked];
  if (currency !== state.config.currency && sales > 0) {
    return refuse('conflict', 'The currency cannot change while seats are held or booked.', {
      reason: 'event_has_sales',
    });
  }
  return {
    ok: true,
    records: [{ type: 'configured', callId, currency, by: byOf(caller) }],
    answer: { currency, at: now },
  };
}

export function setSectionStates(
  state: EventState,
  { callId, sectionStates }: Command & { type: 'set-section-states' },
  caller: Caller,
): Decision<'set-section-states'> {
  const unknown = Object.keys(sectionStates).filter((id) => !state.plan.scopeIds.has(id));
  if (unknown.length > 0) {
    const message = 'is no section or zone of the chart';
    return refuse('invalid_request', 'sectionStates names what the chart of this event has not.', {
      details: { issues: unknown.map((id) => ({ path: `sectionStates.${id}`, message })) },
    });
  }
  const by = byOf(caller);
  return { ok: true, records: [{ type: 'section-states-set', callId, sectionStates, by }], answer: { sectionStates } };
}
