/** The rules of one event, case by case: creating, changing, pausing and archiving channels. */
import type { Command } from '@parterre/shared/protocol/commands';
import { channelsPerEventMax, eventCallAnswerBytesMax } from '@parterre/shared/protocol/limits';
import { decodeKept, encodeKept } from '@parterre/shared/protocol/wire';
import { describe, expect, test } from 'vitest';
import { decide } from '../../../../services/inventory-shard/src/rules/turn/decide.ts';
import {
  capture,
  fromSnapshot,
  type Snapshot,
  toSnapshot,
} from '../../../../services/inventory-shard/src/rules/turn/snapshot.ts';
import {
  archive,
  assign,
  change,
  create,
  draft,
  houseWith,
  readChannels,
  turn,
} from '../../../support/inventory/channels.ts';
import {
  block,
  callId,
  direct,
  hold,
  house,
  MINUTE,
  START,
  server,
  smallPlan,
} from '../../../support/inventory/house.ts';

function resumed(event: ReturnType<typeof house>) {
  return fromSnapshot(decodeKept<Snapshot>(encodeKept(toSnapshot(capture(event.state)))), smallPlan);
}

describe('a new channel', () => {
  test('is active, has no seats, and has its prices in the order of the chart', () => {
    const event = house();
    const priceOverrides = [
      { categoryKey: 'floor', tierId: null, price: 7 },
      { categoryKey: 'circle', tierId: 'child', price: 0 },
      { categoryKey: 'circle', tierId: 'adult', price: 20 },
    ];
    const { channel } = event.ok(create('a', { priceOverrides, color: '#112233' }));
    const [floor, child, adult] = priceOverrides;
    expect(channel).toEqual({
      ...draft('a', { color: '#112233', priceOverrides: [adult!, child!, floor!] }),
      state: 'active',
      archiveDestination: null,
      pricingVersion: 1,
      createdAt: START,
      updatedAt: START,
      archivedAt: null,
    });
    const counts = { allocated: 0, free: 0, held: 0, booked: 0, blocked: 0, units: 0 };
    const { unitCount: units } = smallPlan;
    expect(event.ok(readChannels)).toEqual({
      assignmentVersion: 0,
      publicSale: { ...counts, allocated: units, free: units, units },
      channels: [{ ...channel, counts }],
    });
    expect(event.ok({ type: 'channel-states' })).toMatchObject({ channels: [{ id: channel.id, state: 'active' }] });
  });

  test.each([
    ['of another category', [{ categoryKey: 'nowhere', tierId: null, price: 1 }], ['priceOverrides.0.categoryKey']],
    [
      'of a tier where there are none',
      [{ categoryKey: 'stalls', tierId: 'adult', price: 1 }],
      ['priceOverrides.0.tierId'],
    ],
    ['of all tiers', [{ categoryKey: 'circle', tierId: null, price: 1 }], ['priceOverrides.0.tierId']],
    ['of another tier', [{ categoryKey: 'circle', tierId: 'nobody', price: 1 }], ['priceOverrides.0.tierId']],
    [
      'told twice',
      [1, 2].map((price) => ({ categoryKey: 'stalls', tierId: null, price })),
      ['priceOverrides.1.categoryKey'],
    ],
  ])('is refused with a price %s', (_name, priceOverrides, paths) => {
    const event = houseWith('a');
    for (const command of [create('b', { priceOverrides }), change('a', { priceOverrides })]) {
      const { code, details } = event.refused(command);
      expect(code).toBe('invalid_request');
      expect((details!.issues as { path: string }[]).map(({ path }) => path)).toEqual(paths);
    }
  });

  test('has a unique name among the channels that are not archived', () => {
    const event = house();
    event.ok(create('a', { name: 'Members' }));
    event.ok(create('b'));
    expect(event.refused(create('c', { name: ' MEMBERS ' })).code).toBe('channel_name_taken');
    expect(event.refused(change('b', { name: 'members' })).code).toBe('channel_name_taken');
    event.ok(change('a', { name: 'MEMBERS' }));
    event.ok(archive('a', null));
    event.ok(create('c', { name: 'Members' }));
  });

  test('counts against a bound on all channels, archived ones included', () => {
    const event = house();
    for (let i = 0; i < channelsPerEventMax; i++) event.ok(create(`c${i}`));
    event.ok(archive('c0', null));
    expect(event.refused(create('one-more'))).toMatchObject({ code: 'conflict', reason: 'channel_limit' });
  });
});

describe('a changed channel', () => {
  test('has another pricing version exactly if its prices differ', () => {
    const event = houseWith('a');
    const priceOverrides = [{ categoryKey: 'stalls', tierId: null, price: 30 }];
    event.pass(5);
    const { channel } = event.ok(change('a', { priceOverrides, color: '#ff0000' }, { expectedPricingVersion: 1 }));
    expect(channel).toMatchObject({ priceOverrides, color: '#ff0000', pricingVersion: 2, updatedAt: START + 5 });
    expect(event.ok(change('a', { priceOverrides, name: 'A' })).channel).toMatchObject({
      name: 'A',
      pricingVersion: 2,
    });
    expect(event.refused(change('a', { priceOverrides: [] }, { expectedPricingVersion: 1 }))).toMatchObject({
      code: 'channel_pricing_conflict',
      details: { pricingVersion: 2 },
    });
    expect(event.ok(readChannels).channels[0]).toMatchObject({ priceOverrides, pricingVersion: 2 });
  });

  test('must exist and must not be archived', () => {
    const event = houseWith('a');
    event.ok(archive('a', null));
    for (const command of [change('a', { name: 'B' }), turn('a', 'paused')]) {
      expect(event.refused(command)).toMatchObject({ code: 'conflict', reason: 'channel_archived' });
    }
    for (const command of [change('nobody', {}), turn('nobody', 'active'), archive('nobody', null)]) {
      expect(event.refused(command).code).toBe('not_found');
    }
  });

  test('pauses and resumes; a repetition is harmless, and a late copy undoes nothing', () => {
    const event = houseWith('a');
    const pausing = turn('a', 'paused');
    expect(event.ok(pausing).channel.state).toBe('paused');
    expect(event.ok(turn('a', 'paused')).channel.state).toBe('paused');
    expect(event.ok(readChannels)).toMatchObject({ assignmentVersion: 1, channels: [{ state: 'paused' }] });
    event.ok(turn('a', 'active'));
    expect(event.ok(pausing).channel.state).toBe('paused');
    expect(event.ok(readChannels)).toMatchObject({ assignmentVersion: 2, channels: [{ state: 'active' }] });
  });
});

describe('archiving a channel', () => {
  test('moves all of its units to the destination', () => {
    const event = houseWith('a', 'b');
    event.ok(direct('order-1', 'A-1'));
    event.ok({ type: 'unbook', callId: callId(), bookingRef: 'order-1' });
    event.ok(block('A-2'));
    event.ok(assign('a', 0, 'A-1', 'A-2', 'A-3'));
    event.pass(1);
    const archiving = archive('a', 'b');
    const first = event.ok(archiving);
    expect(first).toMatchObject({
      channel: { state: 'archived', archiveDestination: 'b', archivedAt: START + 1, updatedAt: START + 1 },
      assignmentVersion: 2,
      moved: { free: 2, blocked: 1, booked: 0, units: 3 },
    });
    expect(event.ok(readChannels).channels.map(({ counts }) => counts.units)).toEqual([0, 3]);
    event.pass(1);
    expect(event.ok(archiving)).toEqual(first);
    expect(event.ok(archive('a', 'b'))).toMatchObject({ assignmentVersion: 2, moved: { units: 0 } });
    expect(event.refused(archive('a', null))).toMatchObject({ code: 'conflict', reason: 'channel_archived' });
    event.ok(archive('b', null));
    expect(event.ok({ type: 'view' })).not.toHaveProperty('allocation');
  });

  test('is refused while its units are in checkout', () => {
    const event = houseWith('a');
    event.ok({ ...hold('h1', 'A-1', 'B-1'), ttlMs: 2 * MINUTE });
    event.ok({ ...hold('h2', 'A-2'), ttlMs: MINUTE });
    event.ok({ ...hold('h3', 'B-2'), ttlMs: 3 * MINUTE });
    event.state.channels.of = new Uint16Array(smallPlan.unitCount);
    for (const label of ['A-1', 'A-2', 'A-3']) event.state.channels.of[smallPlan.labels.unitOf(label)!] = 1;
    event.state.channels.assigned = 3;
    event.pass(1);
    const latestHoldExpiresAt = START + 2 * MINUTE;
    expect(event.refused(archive('a', null))).toMatchObject({
      code: 'channel_archive_blocked_by_holds',
      details: { details: { heldUnits: 2, latestHoldExpiresAt, retryAfterMs: 2 * MINUTE - 1 } },
    });
    event.pass(2 * MINUTE);
    expect(event.ok(archive('a', null)).moved).toEqual({ free: 3, blocked: 0, booked: 0, units: 3 });
  });

  test('is refused to itself, to an archived channel and to an unknown one', () => {
    const event = houseWith('a', 'b');
    event.ok(archive('b', null));
    for (const destination of ['a', 'b', 'nobody']) {
      expect(event.refused(archive('a', destination)).code).toBe('invalid_channel_scope');
    }
  });
});

test('a repeated call gets its first answer, also after a snapshot', () => {
  const event = house();
  const calls: Command[] = [
    create('a'),
    create('b', { externalRef: 'x'.repeat(eventCallAnswerBytesMax) }),
    change('a', { name: 'Members' }),
    assign('a', 0, 'A-1', 'X-1'),
    turn('a', 'paused'),
    archive('a', 'b'),
  ];
  const answers = calls.map((command) => event.ok(command));
  event.pass(MINUTE);
  const records = event.journal.length;
  const state = resumed(event);
  for (const [i, command] of calls.entries()) {
    expect(event.ok(command)).toEqual(answers[i]);
    expect(decide(state, command, server, event.now())).toEqual({ ok: true, records: [], answer: answers[i] });
  }
  expect(event.journal).toHaveLength(records);
});
