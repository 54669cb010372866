/** The event's own switches: its default hold window and whether it sells. */
import type { Caller, Command } from '@parterre/shared/commands';
import { holdTtlMsMax, holdTtlMsMin } from '@parterre/shared/limits';
import { byOf, type Decision } from './decision.ts';
import { count } from './read.ts';
import type { EventState } from './state.ts';

export function setHoldTtl(command: Command & { type: 'set-hold-ttl' }, caller: Caller): Decision<'set-hold-ttl'> {
  const asked = command.holdTtlMs;
  const holdTtlMs = asked === null ? null : Math.min(Math.max(asked, holdTtlMsMin), holdTtlMsMax);
  return { ok: true, records: [{ type: 'hold-ttl-set', holdTtlMs, by: byOf(caller) }], answer: { holdTtlMs } };
}

/** Which moves are legal is the catalog's to say; here the status is only journaled, so that sales obey at once. */
export function setStatus(
  state: EventState,
  command: Command & { type: 'set-status' },
  caller: Caller,
): Decision<'set-status'> {
  const { status } = command;
  return {
    ok: true,
    records: status === state.status ? [] : [{ type: 'status-set', status, by: byOf(caller) }],
    answer: { status, counts: count(state).counts },
  };
}
