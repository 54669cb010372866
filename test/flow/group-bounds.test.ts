/** The bounds of one group, one message and one wait: what is past them comes with the next, or is refused. */
import { compilePlan } from '@parterre/shared/chart/compile';
import type { Caller, Command, Reply } from '@parterre/shared/commands';
import {
  expiriesPerGroupMax,
  repliesBytesMax,
  requestDeadlineMs,
  unitsPerGroupMax,
  unitsPerSaleMax,
} from '@parterre/shared/limits';
import { decode } from '@parterre/shared/wire';
import { expect, test } from 'vitest';
import { cut, newActor } from '../../services/inventory-shard/src/actor.ts';
import { payloadsOf } from '../../services/inventory-shard/src/outbound/replies.ts';
import { applyDue, isDue } from '../../services/inventory-shard/src/rules/due.ts';
import { linesFor } from '../../services/inventory-shard/src/rules/select.ts';
import { newState } from '../../services/inventory-shard/src/rules/state.ts';
import { chart, gaArea } from '../support/charts.ts';
import { eventConfig, hold, house, START, server, smallPlan } from '../support/inventory.ts';

const eventKey = 'test-night';
const caller: Caller = { source: 'server', actor: 'key_test', accessSource: 'public' };

test('more holds than a group can tell of expire in several groups', () => {
  const { state, ok, pass, now } = house();
  for (let i = 0; i <= expiriesPerGroupMax; i++) {
    // One seat for all of them: each goes from hold to hold, and is left in the last.
    state.holds.active.set(`h${i}`, { ...heldOf(ok, i) });
  }
  pass(3_600_001);
  expect(applyDue(state, now()).length).toBe(expiriesPerGroupMax);
  expect(isDue(state, now())).toBe(true);
  expect(applyDue(state, now())).toHaveLength(1);
  expect(isDue(state, now())).toBe(false);

  function heldOf(run: typeof ok, i: number) {
    if (i === 0) run(hold('h0', 'A-1'));
    const held = { ...state.holds.active.get('h0')!, id: `h${i}` };
    state.deadlines.push({ at: held.expiresAt, what: { holdId: held.id } });
    return held;
  }
});

test('answers that are too many for one message leave as several, and one that is too large is told as such', () => {
  const text = 'x'.repeat(repliesBytesMax / 3);
  const replies: Reply[] = [1, 2, 3, 4].map((id) => ({ id, kind: 'ok', value: text }));
  const payloads = payloadsOf(replies);
  for (const payload of payloads) expect(payload.length).toBeLessThanOrEqual(repliesBytesMax);
  expect(payloads.flatMap((payload) => decode<Reply[]>(payload))).toEqual(replies);
  const huge = payloadsOf([{ id: 5, kind: 'ok', value: text.repeat(4) }]);
  expect(huge.map((payload) => decode<Reply[]>(payload))).toMatchObject([
    [{ id: 5, refusal: { code: 'internal_error' } }],
  ]);
});

test('a group takes no further command once its records name as many units as it may', () => {
  const actor = newActor(eventKey);
  actor.state = newState(eventConfig(), smallPlan);
  for (let id = 1; id <= 256; id++) {
    // Each gives ten places back and takes ten, all named by one label.
    const command: Command = {
      type: 'hold',
      holdId: `h${id}`,
      replaceHoldId: `h${id - 1}`,
      selections: [{ label: 'Standing', quantity: 10 }],
    };
    actor.mailbox.push({ envelope: { id, eventKey, caller, command }, replyTo: 'inbox.1', receivedAt: START });
  }
  expect(cut(actor, START, START).replies).toHaveLength(1 + Math.ceil((unitsPerGroupMax - 10) / 20));
  expect(cut(actor, START, START).replies).toHaveLength(256 - 251);
  expect(actor.mailbox).toEqual([]);
});

test('a command is not carried out once its caller has been told to try again', () => {
  const actor = newActor(eventKey);
  actor.state = newState(eventConfig(), smallPlan);
  const command: Command = { type: 'hold', holdId: 'h1', selections: [{ label: 'A-1' }] };
  actor.mailbox.push({ envelope: { id: 1, eventKey, caller, command }, replyTo: 'inbox.1', receivedAt: START });
  const late = cut(actor, START, START + requestDeadlineMs);
  expect([late.records, late.replies.map(({ reply }) => reply.kind)]).toEqual([[], ['moved']]);
});

test('one hold takes no more places than one record may name', () => {
  const plan = compilePlan(chart([gaArea({ capacity: 2 * unitsPerSaleMax })]), 'a lawn');
  const state = newState(eventConfig(), plan);
  const selections = [{ label: 'Lawn', quantity: unitsPerSaleMax + 1 }];
  expect(linesFor(state, selections, () => true, { caller: server, now: START })).toMatchObject({
    refusal: { code: 'invalid_quantity' },
  });
});
