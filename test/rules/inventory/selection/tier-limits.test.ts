/** Limits of tiers for a party that best-available seats: the tier of a place is known when the place is chosen. */

import { compilePlan } from '@parterre/shared/charts/compile';
import type { ChartDocument } from '@parterre/shared/charts/document';
import type { SelectionRules } from '@parterre/shared/charts/selection-rules';
import type { Command } from '@parterre/shared/protocol/commands';
import type { Refusal } from '@parterre/shared/protocol/errors';
import type { Line } from '@parterre/shared/protocol/records';
import type { SeatQuery } from '@parterre/shared/protocol/seat-query';
import { describe, expect, test } from 'vitest';
import { withinLimits } from '../../../../services/inventory-shard/src/rules/selection-rules/limited-search.ts';
import { buyer, callId, house, smallChart } from '../../../support/inventory/house.ts';

type House = ReturnType<typeof house>;

const set = (selectionRules: SelectionRules): Command => ({ type: 'configure', callId: callId(), selectionRules });

describe('limits of tiers for a party that the event seats', () => {
  /** The last two seats of row C have a tier of their own, which is the first of their category. */
  const withLoop = (): House => {
    const categories = smallChart.categories.map((category) => {
      if (category.key !== 'circle') return category;
      const loop = { id: 'loop', name: 'Loop', price: 20, applicability: { seatLabels: ['C-7', 'C-8'] } };
      return { ...category, tiers: [loop, ...category.tiers!] };
    });
    return house('platform', compilePlan({ ...smallChart, categories } as ChartDocument, 'small-plan'));
  };
  const best = (query: SeatQuery): Command => ({ type: 'hold-best', holdId: 'best', query });

  test('count the tier at which each seat is sold, not the first of its category', () => {
    const event = withLoop();
    event.ok(set({ tierLimits: { adult: 2 } }));
    const refused: Refusal = event.refused(best({ qty: 6, categoryKey: 'circle' }), buyer);
    expect(refused.details).toEqual({
      labels: [],
      problems: [{ rule: 'tier_limit', labels: [], tierId: 'adult', max: 2, asked: expect.any(Number) }],
    });
    event.ok(best({ qty: 6 }), buyer);
    const [line] = event.state.holds.get('best')!.lines;
    expect(event.state.plan.categoryOfUnit[line!.unit]).not.toBe(1);
  });

  test('refuse a party that is too large for all tiers of every category without a search', () => {
    const adults = [{ id: 'adult', name: 'Adult', price: 30 }];
    const categories = smallChart.categories.map((category) => ({ ...category, tiers: adults }));
    const event = house('platform', compilePlan({ ...smallChart, categories } as ChartDocument, 'small-plan'));
    event.ok(set({ tierLimits: { adult: 2 } }));
    const searches: SeatQuery[] = [];
    const search = (query: SeatQuery) => {
      searches.push(query);
      return { ok: true as const, value: [] };
    };
    const choice = withinLimits(event.state, buyer, { qty: 3 }, search);
    const problems = [{ rule: 'tier_limit', labels: [], tierId: 'adult', max: 2, asked: 3 }];
    expect(choice).toMatchObject({ ok: false, refusal: { details: { problems } } });
    expect(searches).toEqual([]);
  });

  test('search a few times at most', () => {
    const event = withLoop();
    event.ok(set({ tierLimits: { loop: 1 } }));
    const queries: SeatQuery[] = [];
    const unit = event.state.plan.categoryOfUnit.indexOf(1);
    const search = (query: SeatQuery) => {
      queries.push(query);
      const line = { unit, tierId: 'loop' } as Line;
      return { ok: true as const, value: [line, line] };
    };
    const choice = withinLimits(event.state, buyer, { qty: 2 }, search);
    expect([choice.ok, queries.length]).toEqual([false, 4]);
  });

  test('refuse no party whose seats have another tier', () => {
    const event = withLoop();
    event.ok(set({ tierLimits: { loop: 1 } }));
    event.ok(best({ qty: 3, categoryKey: 'circle' }), buyer);
  });
});
