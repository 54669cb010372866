/** Availability of divisions: rules, section states, and divisions that time and sales open. */
import type { AvailabilityDraft, Command, Selection } from '@parterre/shared/protocol/commands';
import type { SectionStates } from '@parterre/shared/protocol/records';
import { describe, expect, it, test } from 'vitest';
import {
  divisionStateOf,
  isWithdrawn,
} from '../../../../services/inventory-shard/src/rules/availability/availability.ts';
import { staleDeadlinesMin } from '../../../../services/inventory-shard/src/rules/state/bounds.ts';
import { nextDeadline } from '../../../../services/inventory-shard/src/rules/turn/due.ts';
import {
  block,
  book,
  buyer,
  callId,
  direct,
  hold,
  house,
  START,
  sectionedPlan,
  smallPlan,
} from '../../../support/inventory/house.ts';

const rules = (drafts: AvailabilityDraft, version?: number): Command & { type: 'set-availability' } => ({
  type: 'set-availability',
  callId: callId(),
  rules: drafts,
  ...(version === undefined ? {} : { version }),
});
const sections = (sectionStates: SectionStates): Command => ({ type: 'configure', callId: callId(), sectionStates });
const read: Command & { type: 'availability' } = { type: 'availability' };
const hall = () => house('platform', sectionedPlan);

const statesOfRows = (event: ReturnType<typeof hall>) =>
  ['A-1', 'B-1', 'C-1', 'Standing'].map((label) => {
    const { plan } = event.state;
    const object = plan.areaByLabel.get(label) ?? plan.objectOfUnit[plan.labels.unitOf(label)!]!;
    return ['open', 'closed', 'hidden'][divisionStateOf(event.state, object)];
  });

describe('a scope in force', () => {
  test.each<[string, AvailabilityDraft, SectionStates, string[]]>([
    ['nothing', {}, {}, ['open', 'open', 'open', 'open']],
    ['its own id', { front: { mode: 'hidden' } }, {}, ['hidden', 'open', 'open', 'open']],
    ['its logical id', { parquet: { mode: 'closed' } }, {}, ['closed', 'closed', 'open', 'open']],
    ['its zone', { rear: { mode: 'hidden' } }, {}, ['open', 'hidden', 'hidden', 'open']],
    ['no section', { __ungrouped__: { mode: 'closed' } }, {}, ['open', 'open', 'open', 'closed']],
    [
      'several, the strictest wins',
      { parquet: { mode: 'closed' }, rear: { mode: 'hidden' } },
      {},
      ['closed', 'hidden', 'hidden', 'open'],
    ],
    ['a section state', {}, { back: 'closed', front: 'hidden' }, ['hidden', 'open', 'closed', 'open']],
    [
      'a section state stricter than its rule',
      { back: { mode: 'closed' } },
      { back: 'hidden' },
      ['open', 'open', 'hidden', 'open'],
    ],
    [
      'a rule stricter than its section state',
      { back: { mode: 'hidden' } },
      { back: 'open' },
      ['open', 'open', 'hidden', 'open'],
    ],
  ])('covers %s', (_, drafts, states, expected) => {
    const event = hall();
    event.ok(rules(drafts));
    event.ok(sections(states));
    expect(statesOfRows(event)).toEqual(expected);
  });

  it('is listed once, as hidden if it is both hidden and closed', () => {
    const event = hall();
    event.ok(sections({ back: 'hidden', rear: 'closed' }));
    const answer = event.ok(
      rules({ back: { mode: 'closed' }, parquet: { mode: 'hidden', labels: ['A-1', 'nobody'] } }),
    );
    expect(answer).toEqual({
      rules: { back: { mode: 'closed' }, parquet: { mode: 'hidden', labels: ['A-1', 'nobody'] } },
      hidden: ['back', 'parquet'],
      closed: ['rear'],
      version: 1,
    });
    expect(event.ok(read)).toEqual(answer);
  });

  it('is also in force when the event is created with it', () => {
    const event = hall();
    expect(event.ok(sections({ rear: 'closed' }))).toMatchObject({ sectionStates: { rear: 'closed' } });
    expect(event.ok(read)).toMatchObject({ hidden: [], closed: ['rear'], version: 0 });
  });
});

describe('replacing the rules', () => {
  it('refuses scopes that the chart lacks, and names them', () => {
    expect(hall().refused(rules({ attic: { mode: 'hidden' }, back: { mode: 'closed' } }))).toMatchObject({
      code: 'invalid_request',
      details: { issues: [{ path: 'rules.attic' }] },
    });
  });

  it('refuses a version that is not the present one, and tells the present one', () => {
    const event = hall();
    event.ok(rules({ back: { mode: 'hidden' } }, 0));
    expect(event.refused(rules({}, 0))).toMatchObject({ code: 'conflict', details: { version: 1 } });
    expect(event.ok(rules({}, 1))).toMatchObject({ rules: {}, hidden: [], version: 2 });
  });

  it('happens once under its name', () => {
    const event = hall();
    const call = rules({ back: { mode: 'hidden' } });
    const first = event.ok(call);
    expect(event.ok(call)).toEqual(first);
    expect(event.ok(read).version).toBe(1);
  });

  it('loses the rules of scopes that a new chart lacks, which counts as a change', () => {
    const event = hall();
    event.ok(rules({ back: { mode: 'hidden' }, __ungrouped__: { mode: 'closed' } }));
    event.ok({
      type: 'update-chart',
      acknowledgeMoved: true,
      reason: 'A new chart',
      callId: callId(),
      planHash: smallPlan.hash,
      chartVersion: 2,
    });
    expect(event.ok(read)).toEqual({
      rules: { __ungrouped__: { mode: 'closed' } },
      hidden: [],
      closed: ['__ungrouped__'],
      version: 2,
    });
  });
});

describe('a buyer', () => {
  it('cannot tell closed seats from blocked ones', () => {
    const event = hall();
    event.ok(rules({ back: { mode: 'closed' }, __ungrouped__: { mode: 'closed' } }));
    event.ok(block('A-1'));
    event.ok(hold('h0', 'C-2'));
    expect(event.refused(hold('h1', 'A-1', 'C-1', 'C-2', 'A-2'), buyer)).toMatchObject({
      code: 'conflict',
      details: { conflicts: ['A-1', 'C-1', 'C-2'].map((label) => ({ label, status: 'not_for_sale' })) },
    });
    const places = { ...hold('h2'), selections: [{ label: 'Standing', quantity: 2 }] };
    expect(event.refused(places, buyer)).toMatchObject({
      details: { conflicts: [{ label: 'Standing', status: 'sold_out', available: 0 }] },
    });
    event.ok(hold('h3', 'A-2'), buyer);
  });

  test.each<[string, Selection[], string[]]>([
    ['a seat', [{ label: 'C-1' }, { label: 'A-1' }], ['C-1']],
    ['a seat, beside a seat that is held', [{ label: 'C-1' }, { label: 'A-2' }], ['C-1', 'A-2']],
    ['a tier that the seat has not', [{ label: 'C-1', tierId: 'senior' }], ['C-1']],
    ['a seat of the house', [{ label: 'H-1' }], ['H-1']],
    ['more of a table than sit there', [{ label: 'T1', quantity: 9 }], ['T1']],
    ['a place of an area', [{ label: '__sl_ga__ga__1' }], ['__sl_ga__ga__1']],
    ['places of an area', [{ label: 'Standing', quantity: 99 }], ['Standing']],
    ['a seat twice', [{ label: 'C-1' }, { label: 'C-1' }], ['C-1']],
  ])('who names hidden seats learns only that they are not for sale: %s', (_name, selections, labels) => {
    const event = hall();
    event.ok(rules({ back: { mode: 'hidden' }, __ungrouped__: { mode: 'hidden' } }));
    event.ok(hold('h0', 'C-2', 'A-2'));
    const conflicts = labels.map((label) => ({ label, status: label === 'A-2' ? 'held' : 'not_for_sale' }));
    const refusal = event.refused({ ...hold('h1'), selections }, buyer);
    expect(refusal).toMatchObject({ code: 'conflict', details: { conflicts } });
  });

  it('who names a label that the chart lacks, beside a hidden seat, learns of this label alone', () => {
    const event = hall();
    event.ok(rules({ back: { mode: 'hidden' } }));
    expect(event.refused(hold('h1', 'C-1', 'Z-1'), buyer).details).toEqual({ labels: ['Z-1'] });
  });

  it('keeps held seats that become hidden, also in a replacing hold, and learns of no other hidden seat', () => {
    const event = hall();
    const some = { ...hold('h1'), selections: [{ label: 'C-1' }, { label: 'Standing', quantity: 2 }] };
    event.ok(some, buyer);
    event.ok(rules({ back: { mode: 'hidden' }, __ungrouped__: { mode: 'hidden' } }));
    const swap = { ...some, holdId: 'h2', replaceHoldId: 'h1' };
    expect(event.refused({ ...swap, selections: [{ label: 'C-1' }, { label: 'C-2' }] }, buyer).details).toEqual({
      conflicts: [{ label: 'C-2', status: 'not_for_sale' }],
    });
    event.ok(swap, buyer);
    const giveBack = { type: 'release' as const, callId: callId(), holdId: 'h2' };
    expect(event.ok({ ...giveBack, labels: ['C-1', 'C-2'] }, buyer)).toEqual({ released: ['C-1'] });
    expect(event.ok({ ...giveBack, callId: callId(), labels: ['C-1'] }, buyer)).toEqual({ released: [] });
  });

  it('learns nothing of the hidden part of a listing', () => {
    const event = hall();
    event.ok(direct('order', 'A-1', 'C-1'));
    const labels = ['A-1', 'C-1'];
    event.ok({ type: 'list-resale', callId: callId(), listingId: 'lst', bookingRef: 'order', labels });
    event.ok(sections({ back: 'hidden' }));
    const refusal = event.refused(hold('h1', 'A-1'), buyer);
    expect(refusal.code).toBe('conflict');
    expect(JSON.stringify(refusal)).not.toContain('C-1');
  });

  it('keeps held seats that become closed, also in a replacing hold', () => {
    const event = hall();
    event.ok(hold('h1', 'C-1'), buyer);
    event.ok(rules({ back: { mode: 'closed' } }));
    event.ok({ ...hold('h2', 'C-1', 'A-1'), replaceHoldId: 'h1' }, buyer);
    event.ok(book('h2', 'order-1'));
    expect(event.counts()).toMatchObject({ booked: 2 });
  });
});

describe('a server', () => {
  it('gets seats of hidden and closed scopes, and the records name these scopes', () => {
    const event = hall();
    event.ok(rules({ rear: { mode: 'closed' }, parquet: { mode: 'hidden' } }));
    event.ok(hold('h1', 'B-1', 'C-1'));
    event.ok(book('h1', 'order-1'));
    event.ok(direct('order-2', 'C-2'));
    event.ok(direct('order-3', 'T1'));
    const sold = event.journal.filter(({ type }) => type === 'held' || type === 'booked');
    expect(sold.map((record) => ('passed' in record ? record.passed : null))).toEqual([
      ['parquet', 'rear'],
      null,
      ['rear'],
      null,
    ]);
  });
});

describe('a timed scope', () => {
  it('opens at its time and never before', () => {
    const event = hall();
    const { rules: set } = event.ok(rules({ back: { mode: 'timed', revealAt: START + 1_000 } }));
    expect(set).toEqual({ back: { mode: 'timed', revealAt: START + 1_000 } });
    expect(nextDeadline(event.state)).toBe(START + 1_000);
    event.pass(999);
    expect(event.ok(read)).toMatchObject({ hidden: ['back'] });
    event.pass(1);
    expect(event.ok(read)).toEqual({
      rules: { back: { mode: 'timed', revealAt: START + 1_000, revealedAt: START + 1_000 } },
      hidden: [],
      closed: [],
      version: 1,
    });
    expect(event.journal.at(-1)).toMatchObject({ type: 'revealed', scopes: ['back'], by: { source: 'timer' } });
    expect(nextDeadline(event.state)).toBeNull();
    event.ok(hold('h1', 'C-1'), buyer);
  });

  it('leaves no stale entries behind when its time changes often', () => {
    const event = hall();
    event.ok(hold('h', 'A-1'));
    for (let i = 1; i <= 3 * staleDeadlinesMin; i++) {
      event.ok(rules({ back: { mode: 'timed', revealAt: START + 90_000 + i } }));
    }
    expect(event.state.deadlines.size).toBeLessThan(2 * staleDeadlinesMin);
    expect(nextDeadline(event.state)).toBe(START + 90_000 + 3 * staleDeadlinesMin);
  });

  it('opens at once if its time has passed', () => {
    const event = hall();
    event.pass(5);
    const answer = event.ok(rules({ back: { mode: 'timed', revealAt: START } }));
    expect(answer).toMatchObject({ rules: { back: { revealedAt: START + 5 } }, hidden: [] });
  });

  it('follows a change of its time, and stays open without one', () => {
    const event = hall();
    event.ok(rules({ back: { mode: 'timed', revealAt: START + 10 }, front: { mode: 'timed', revealAt: START + 99 } }));
    event.pass(10);
    expect(event.ok(read).hidden).toEqual(['front']);
    const again = event.ok(
      rules({
        back: { mode: 'timed', revealAt: START + 10, labels: ['C-1'] },
        front: { mode: 'timed', revealAt: START + 20 },
      }),
    );
    expect(again).toMatchObject({ rules: { back: { revealedAt: START + 10 } }, hidden: ['front'] });
    expect(nextDeadline(event.state)).toBe(START + 20);
    event.ok(rules({ back: { mode: 'timed', revealAt: START + 11 } }));
    expect(event.ok(read)).toMatchObject({ hidden: ['back'] });
    event.pass(1);
    expect(event.ok(read)).toMatchObject({ hidden: [] });
  });

  it('stays subject to a stricter section state', () => {
    const event = hall();
    event.ok(sections({ back: 'closed' }));
    event.ok(rules({ back: { mode: 'timed', revealAt: START + 10 } }));
    expect(event.ok(read)).toMatchObject({ hidden: ['back'], closed: [] });
    event.pass(10);
    expect(event.ok(read)).toMatchObject({ hidden: [], closed: ['back'] });
    expect(isWithdrawn(event.state, event.state.plan.labels.unitOf('C-1')!)).toBe(true);
  });
});
