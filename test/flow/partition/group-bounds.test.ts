/**
 * The bounds of one commit group, one message and one wait. The excess goes into the next group or message, or is
 * refused.
 */

import { compilePlan } from '@parterre/shared/charts/compile';
import type { Caller, Command, Reply, ReplyPart } from '@parterre/shared/protocol/commands';
import type { FeedChange } from '@parterre/shared/protocol/feed-change';
import { encodePart } from '@parterre/shared/protocol/journal/messages';
import {
  commandRecordsBytesMax,
  expiriesPerGroupMax,
  groupBytesMax,
  labelsPerBulkMax,
  natsPayloadBytesMin,
  releaseActionUrlLengthMax,
  releasesPerEventMax,
  requestDeadlineMs,
  unitsPerChartMax,
  unitsPerGroupMax,
  unitsPerSaleMax,
} from '@parterre/shared/protocol/limits';
import { unitStatus } from '@parterre/shared/protocol/records';
import { decode, Encoded, encode } from '@parterre/shared/protocol/wire';
import { expect, test } from 'vitest';
import { type Actor, cut, newActor } from '../../../services/inventory-shard/src/partition/actor.ts';
import { repliesBytesMax } from '../../../services/inventory-shard/src/partition/bounds.ts';
import { payloadsOf } from '../../../services/inventory-shard/src/partition/replies.ts';
import { linesFor } from '../../../services/inventory-shard/src/rules/selection/selection.ts';
import { newState } from '../../../services/inventory-shard/src/rules/state/state.ts';
import { isDue } from '../../../services/inventory-shard/src/rules/turn/due.ts';
import { applyDue } from '../../../services/inventory-shard/src/rules/turn/turn.ts';
import { chart, gaArea, seatCategory } from '../../support/charts.ts';
import { eventConfig, hold, house, START, server, smallPlan } from '../../support/inventory/house.ts';
import { noLink } from '../../support/journal/links.ts';

const eventKey = 'test-night';
const caller: Caller = { source: 'server', actor: 'key_test', accessSource: 'public' };

test('More expired holds than a commit group can record expire in several groups', () => {
  const { state, ok, pass, now } = house();
  for (let i = 0; i <= expiriesPerGroupMax; i++) {
    // All holds share one seat. Each new hold takes it from the one before.
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

test('Replies that exceed one message are sent in several', () => {
  const text = 'x'.repeat(repliesBytesMax / 3);
  const replies: Reply[] = [1, 2, 3, 4].map((id) => ({ id, kind: 'ok', value: text }));
  const payloads = payloadsOf(replies);
  for (const payload of payloads) expect(payload.length).toBeLessThanOrEqual(repliesBytesMax);
  expect(payloads.flatMap((payload) => decode<Reply[]>(payload))).toEqual(replies);
});

test('More blocks end at one time than a commit group names: they end in several groups', () => {
  const lawn = compilePlan(chart([gaArea({ id: 'lawn', label: 'Lawn', capacity: unitsPerGroupMax + 1 })]), 'lawn');
  const { state, ok, pass, now } = house('platform', lawn);
  ok({ type: 'block', callId: 'b', labels: ['Lawn'], releaseAt: now() + 1_000, reason: null });
  pass(1_000);
  expect(applyDue(state, now())).toMatchObject([{ type: 'unblocked', units: { length: unitsPerGroupMax } }]);
  expect(isDue(state, now())).toBe(true);
  expect(applyDue(state, now())).toMatchObject([{ type: 'unblocked', units: { length: 1 } }]);
  expect(isDue(state, now())).toBe(false);
});

test('Answers that are encoded already are read as the others, whether they fit one message or not', () => {
  const long = 'x'.repeat(repliesBytesMax);
  const values = [{ rows: [{ a: 1 }, { a: 2 }], list: [{ b: [1, 2] }] }, { a: null, rows: [] }, { a: long }];
  const replies: Reply[] = values.flatMap((value, n) => [
    { id: 2 * n, copy: 7, kind: 'ok', value },
    { id: 2 * n + 1, kind: 'ok', value },
  ]);
  const mixed = replies.map((reply, n) => {
    const isPlain = n % 2 === 0 && n < 4;
    return reply.kind !== 'ok' || isPlain ? reply : { ...reply, value: new Encoded(encode(reply.value)) };
  });
  const read = payloadsOf(mixed).map((payload) => decode<(Reply | ReplyPart)[]>(payload));
  const whole = read.flat().filter((each): each is Reply => !('index' in each));
  expect(whole.sort((a, b) => a.id - b.id)).toEqual(replies.slice(0, 4));
  const parts = read.flat().filter((each): each is ReplyPart => 'index' in each);
  for (const { id } of replies.slice(4)) {
    const bytes = Buffer.concat(parts.filter((part) => part.id === id).map((part) => part.bytes));
    expect(decode(bytes)).toEqual([replies[id]]);
  }
});

test('A commit group takes no further command once its records name the most units', () => {
  const actor = newActor(eventKey);
  actor.state = newState(eventConfig(), smallPlan);
  for (let id = 1; id <= 256; id++) {
    // Each hold releases ten places and takes ten. One label names them all.
    const command: Command = {
      type: 'hold',
      holdId: `h${id}`,
      replaceHoldId: `h${id - 1}`,
      selections: [{ label: 'Standing', quantity: 10 }],
    };
    actor.mailbox.push({ envelope: { id, eventKey, caller, command }, replyTo: 'inbox.1', receivedAt: START });
  }
  expect(cut(actor, START, START, () => false).replies).toHaveLength(1 + Math.ceil((unitsPerGroupMax - 10) / 20));
  expect(cut(actor, START, START, () => false).replies).toHaveLength(256 - 251);
  expect(actor.mailbox).toEqual([]);
});

/** An actor of the small event with these sections, and with these commands in its mailbox. */
function waitingFor(scopeIds: string[], commands: Command[]): Actor {
  const actor = newActor(eventKey);
  const plan = { ...smallPlan, scopeIds: new Set(scopeIds) };
  actor.state = newState(eventConfig(), plan);
  for (const [nth, command] of commands.entries()) {
    const envelope = { id: nth + 1, eventKey, caller, command };
    actor.mailbox.push({ envelope, replyTo: 'inbox.1', receivedAt: START });
  }
  return actor;
}

/** Cuts the whole mailbox into groups. Returns the bytes of each group as the journal stores it. */
function cutAll(actor: Actor): { bytes: number[]; replies: Reply[] } {
  const bytes: number[] = [];
  const replies: Reply[] = [];
  while (actor.mailbox.length > 0) {
    const made = cut(actor, START, START, () => false);
    bytes.push(
      encodePart({ link: noLink, event: eventKey, from: 0, at: START, plan: smallPlan.hash, records: made.records })
        .length,
    );
    replies.push(...made.replies.map(({ reply }) => reply));
  }
  return { bytes, replies };
}

const wideLabels = manyLabels('é', 30);
const sectionIds = Array.from({ length: 5_000 }, (_, nth) => `${nth}`.padStart(105, 'section-'));

test.each<[string, number, (nth: number) => Command]>([
  [
    'section states',
    40,
    (nth) => ({
      type: 'configure',
      callId: `c${nth}`,
      sectionStates: Object.fromEntries(sectionIds.map((id) => [id, 'closed' as const])),
    }),
  ],
  [
    'releases',
    256,
    (nth) => ({
      type: 'set-releases',
      callId: `c${nth}`,
      releases: Array.from({ length: releasesPerEventMax }, draft),
    }),
  ],
  [
    'availability rules',
    8,
    (nth) => ({
      type: 'set-availability',
      callId: `c${nth}`,
      rules: { [sectionIds[0]!]: { mode: 'closed', labels: wideLabels } },
    }),
  ],
])('a commit group takes no further command once its %s fill a message', (_, count, command) => {
  const actor = waitingFor(
    sectionIds,
    Array.from({ length: count }, (_, nth) => command(nth)),
  );
  const { bytes, replies } = cutAll(actor);
  expect(replies.map(({ kind }) => kind)).toEqual(Array(count).fill('ok'));
  expect(Math.max(...bytes)).toBeLessThan(groupBytesMax);
  expect(Math.max(...bytes)).toBeGreaterThan(groupBytesMax / 3);
});

function draft(_: unknown, nth: number) {
  const plain = { previousPrice: null, quota: null, startsAt: null, endsAt: null, categoryKey: null, price: 1 };
  const actionUrl = `https://apply.example/${'ü'.repeat(releaseActionUrlLengthMax - 22)}`;
  return { ...plain, id: `rel_${nth}`, isNew: true, name: 'Members', action: 'apply' as const, actionUrl };
}

function manyLabels(character: string, length: number): string[] {
  return Array.from({ length: labelsPerBulkMax }, (_, nth) => `${nth}`.padEnd(length, character));
}

test('The records of one command fit in one message, or the command is refused and changes nothing', () => {
  const rulesOf = (labels: string[]): Command => ({
    type: 'set-availability',
    callId: `c${labels[0]!.length}`,
    rules: { [sectionIds[0]!]: { mode: 'closed', labels } },
  });
  const fits = rulesOf(manyLabels('x', 155));
  const actor = waitingFor(sectionIds, [fits, rulesOf(manyLabels('x', 162))]);
  const { bytes, replies } = cutAll(actor);
  expect(bytes[0]).toBeGreaterThan(commandRecordsBytesMax - 300_000);
  expect(bytes[0]).toBeLessThan(natsPayloadBytesMin);
  expect(replies).toMatchObject([{ kind: 'ok' }, { kind: 'refused', refusal: { code: 'payload_too_large' } }]);
  expect(actor.state!.availability.version).toBe(1);
});

test('A hold of the most places with the longest texts fits in one message, and so does its booking', () => {
  const tierId = 't'.repeat(128);
  const plan = compilePlan(
    chart([gaArea({ capacity: unitsPerSaleMax })], {
      categories: [{ ...seatCategory, tiers: [{ id: tierId, name: 'Adult', price: 0.1 }] }],
    }),
    'a lawn',
  );
  const actor = newActor(eventKey);
  actor.state = newState(eventConfig(), plan);
  const selections = [{ label: 'Lawn', quantity: unitsPerSaleMax }];
  const commands: Command[] = [
    { type: 'hold', holdId: 'h1', selections },
    { type: 'book', callId: 'c1', bookingRef: 'b1', holdId: 'h1' },
  ];
  for (const [nth, command] of commands.entries()) {
    actor.mailbox.push({ envelope: { id: nth, eventKey, caller, command }, replyTo: 'inbox.1', receivedAt: START });
  }
  const { bytes, replies } = cutAll(actor);
  expect(replies).toMatchObject([{ kind: 'ok' }, { kind: 'ok' }]);
  expect(bytes).toHaveLength(2);
  expect(Math.max(...bytes)).toBeLessThan(natsPayloadBytesMin);
});

test('The largest feed change of one group fits in one message', () => {
  const units = Array.from({ length: unitsPerChartMax }, (_, unit) => unit);
  const statuses = units.map(() => unitStatus.booked);
  const ids = sectionIds.map((id) => id.padEnd(128, 'é'));
  const change: FeedChange = {
    from: 2 ** 40,
    to: 2 ** 40 + 1,
    at: START,
    units,
    statuses,
    offered: { units, statuses },
    scopes: { hidden: ids, closed: ids },
  };
  expect(encode(change).length).toBeLessThan(natsPayloadBytesMin);
});

test('A command whose deadline has passed is not carried out', () => {
  const actor = newActor(eventKey);
  actor.state = newState(eventConfig(), smallPlan);
  const command: Command = { type: 'hold', holdId: 'h1', selections: [{ label: 'A-1' }] };
  actor.mailbox.push({ envelope: { id: 1, eventKey, caller, command }, replyTo: 'inbox.1', receivedAt: START });
  const late = cut(actor, START, START + requestDeadlineMs, () => false);
  expect([late.records, late.replies.map(({ reply }) => reply.kind)]).toEqual([[], ['moved']]);
});

test('One hold takes no more places than one record may name', () => {
  const plan = compilePlan(chart([gaArea({ capacity: 2 * unitsPerSaleMax })]), 'a lawn');
  const state = newState(eventConfig(), plan);
  const selections = [{ label: 'Lawn', quantity: unitsPerSaleMax + 1 }];
  expect(linesFor(state, selections, () => true, { caller: server, now: START })).toMatchObject({
    refusal: { code: 'invalid_quantity' },
  });
});
