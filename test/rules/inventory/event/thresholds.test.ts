/** Divisions that open when a share of the other units is booked. */
import type { AvailabilityDraft, Command } from '@parterre/shared/protocol/commands';
import { describe, expect, it } from 'vitest';
import { nextDeadline } from '../../../../services/inventory-shard/src/rules/turn/due.ts';
import {
  book,
  callId,
  direct,
  hold,
  house,
  moveTo,
  START,
  sectionedChart,
  sectionedPlan,
} from '../../../support/inventory/house.ts';

const rules = (drafts: AvailabilityDraft, version?: number): Command & { type: 'set-availability' } => ({
  type: 'set-availability',
  callId: callId(),
  rules: drafts,
  ...(version === undefined ? {} : { version }),
});
const read: Command & { type: 'availability' } = { type: 'availability' };
const hall = () => house('platform', sectionedPlan);

describe('a scope under a threshold', () => {
  // Sixteen places count: rows A and B. Row C waits, and the rest is hidden.
  const waiting = {
    back: { mode: 'threshold' as const, thresholdPct: 25 },
    __ungrouped__: { mode: 'hidden' as const },
  };

  it('opens when enough of the units that count are booked, in the same commit', () => {
    const event = hall();
    event.ok(rules(waiting));
    event.ok(direct('order-1', 'A-1', 'A-2', 'A-3'));
    event.ok(direct('order-2', 'C-1', 'C-2', 'T1'));
    event.ok(hold('h1', 'B-1'));
    expect(event.ok(read)).toMatchObject({ hidden: ['__ungrouped__', 'back'] });
    event.ok(book('h1', 'order-3'));
    expect(event.journal.slice(-2).map(({ type }) => type)).toEqual(['booked', 'revealed']);
    expect(event.ok(read)).toMatchObject({
      rules: { back: { revealedAt: START } },
      hidden: ['__ungrouped__'],
      version: 1,
    });
    event.ok({ type: 'unbook', callId: callId(), bookingRef: 'order-3' });
    expect(event.ok(read)).toMatchObject({ hidden: ['__ungrouped__'] });
  });

  it('no longer counts cancelled seats', () => {
    const event = hall();
    event.ok(direct('order-1', 'A-1', 'A-2', 'A-3'));
    event.ok(rules(waiting));
    event.ok({ type: 'unbook', callId: callId(), bookingRef: 'order-1', labels: ['A-1'] });
    event.ok(direct('order-2', 'B-1'));
    expect(event.ok(read).hidden).toContain('back');
    event.ok(direct('order-2', 'B-2'));
    expect(event.ok(read).hidden).not.toContain('back');
  });

  it('opens at once if enough is booked, and never if no unit counts', () => {
    const event = hall();
    event.ok(direct('order-1', 'A-1', 'A-2', 'A-3', 'A-4', 'T1'));
    expect(event.ok(rules(waiting))).toMatchObject({ rules: { back: { revealedAt: START } } });
    const all = { ...waiting, parquet: { mode: 'threshold' as const, thresholdPct: 1 } };
    expect(event.ok(rules(all))).toMatchObject({ hidden: ['__ungrouped__', 'parquet'] });
    event.ok(direct('order-2', 'B-1'));
    expect(event.ok(read)).toMatchObject({ hidden: ['__ungrouped__', 'parquet'] });
  });

  it('opens with the next commit after a new chart has fewer units that count', () => {
    const event = hall();
    event.ok(direct('order-1', 'A-1', 'A-2', 'A-3'));
    event.ok(rules(waiting));
    moveTo(event, { ...sectionedChart, objects: sectionedChart.objects.filter((object) => object.id !== 'row-B') });
    expect(nextDeadline(event.state)).toBe(START);
    expect(event.ok(read)).toMatchObject({ hidden: ['__ungrouped__'] });
    expect(event.journal.at(-1)).toMatchObject({ type: 'revealed', scopes: ['back'] });
  });
});
