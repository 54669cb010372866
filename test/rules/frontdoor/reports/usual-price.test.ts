/** The price that a report shows of a category. */
import { expect, test } from 'vitest';
import { usualPrice } from '../../../../services/frontdoor/src/summaries/rules/usual-price.ts';

const category = { key: 'a', label: 'A', color: '#111111' };
const adult = { id: 'adult', name: 'Adult', price: 30 };
const child = { id: 'child', name: 'Child', price: 15 };
const carer = { id: 'carer', name: 'Carer', price: 1, restriction: 'companion' as const };
const local = { id: 'local', name: 'Neighbour', price: 20, applicability: { seatLabels: ['A-1'] } };
const loop = { id: 'loop', name: 'Loop', price: 10, applicability: { accessibility: ['hearing' as const] } };
const open = { ...adult, applicability: { seatLabels: [], accessibility: [] } };

test.each([
  ['of its own', { price: 40 }, 40],
  ['of nothing', {}, 0],
  ['of nothing, with no tier in its list', { tiers: [] }, 0],
  ['of the first tier, whatever its own is', { price: 40, tiers: [adult, child] }, 30],
  ['of the first tier that is for every seat', { tiers: [carer, local, loop, open, child] }, 30],
  ['of the first that is not for companions', { tiers: [carer, local, loop] }, 20],
  ['of the first, where all are for companions', { tiers: [carer] }, 1],
])('a category shows the price %s', (_name, more, price) => {
  expect(usualPrice({ ...category, ...more })).toBe(price);
});
