/** The check of answers: a refusal needs a state and a time at which the rules refuse the call. */

import type { Caller, Command } from '@parterre/shared/protocol/commands';
import { type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { holdTtlMsMax } from '@parterre/shared/protocol/page-limits';
import type { EventStatus, JournalRecord } from '@parterre/shared/protocol/records';
import { expect, test } from 'vitest';
import { newState } from '../../../services/inventory-shard/src/rules/state/state.ts';
import { apply } from '../../../services/inventory-shard/src/rules/turn/apply.ts';
import { decide } from '../../../services/inventory-shard/src/rules/turn/decide.ts';
import { buyer, eventConfig, hold, START, server } from '../../support/inventory/house.ts';
import { firstChart, planNamed } from '../../support/model/reference/chart.ts';
import { type Call, EventHistory } from './history.ts';

const config = eventConfig({ planHash: firstChart.hash });
const by = { source: 'timer', actor: null } as const;

/** An event whose only group behind its creation has a hold of `ttlMs`, and perhaps the archive. */
function historyOf({ ttlMs, isArchived }: { ttlMs?: number; isArchived: boolean }) {
  const calls = new Map<string, Call>();
  const history = new EventHistory(config.eventKey, calls, true, new Map());
  const state = newState(config, planNamed(firstChart.hash)!);
  const records: JournalRecord[] = [];
  const nameCall = (name: string, command: Command, caller: Caller = server): Call => {
    const call = { name, eventKey: config.eventKey, command, caller: { ...caller, actor: name }, after: history.known };
    calls.set(name, call);
    return call;
  };
  const take = (call: Call): Outcome<unknown> => {
    const decision = decide(state, call.command, call.caller, START);
    if (!decision.ok) return decision;
    for (const record of decision.records) apply(state, record, START);
    records.push(...decision.records);
    return { ok: true, value: decision.answer };
  };
  history.take({ from: 0, at: START, plan: firstChart.hash, records: [{ type: 'created', config, by }] }, 1);
  const made = [nameCall('holds', { ...hold('h1', 'A-1'), ...(ttlMs !== undefined && { ttlMs }) })];
  if (isArchived) made.push(nameCall('archives', { type: 'move', callId: 'call_archive', move: 'archive' }));
  const answers = made.map(take);
  history.take({ from: 1, at: START, plan: firstChart.hash, records }, 2);
  for (const [i, call] of made.entries()) history.answered(call, answers[i]!);
  return { history, nameCall };
}

const archived = refuse('invalid_event_state', 'This event is archived. The call is not possible in this state.', {
  details: { status: 'archived' satisfies EventStatus },
});
const closed = refuse(
  'event_closed',
  'Sales of this event are closed now. Try again after the organiser has opened them.',
);
const extend: Command = { type: 'extend', callId: 'call_extend', holdId: 'h1' };

test.each([
  ['an operator', server, archived],
  ['a buyer', buyer, closed],
])('an archived event refuses %s an extension that lengthens the hold by now, but not at the last group', (...row) => {
  const [, caller, refusal] = row;
  const { history, nameCall } = historyOf({ isArchived: true });
  expect(() => history.answered(nameCall('extends', extend, caller), refusal)).not.toThrow();
});

test('an archived event refuses no extension of a hold that no extension lengthens', () => {
  const { history, nameCall } = historyOf({ ttlMs: holdTtlMsMax, isArchived: true });
  const call = nameCall('extends', extend);
  expect(() => history.answered(call, archived)).toThrow('is refused, though not by the oracle');
});

test('an event that is not archived does not refuse an extension as archived', () => {
  const { history, nameCall } = historyOf({ isArchived: false });
  const call = nameCall('extends', extend);
  expect(() => history.answered(call, archived)).toThrow('is refused, though not by the oracle');
});
