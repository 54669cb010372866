/** The buyer's choice and hold when the chart changes under the page: a division is hidden, or rows are added. */
import { expect, test } from 'vitest';
import { createHovering } from '../../../web/src/hovering.ts';
import { wordsOf } from '../../../web/src/messages/words.ts';
import { type HeldItem, type Selection, selectionOf } from '../../../web/src/rules/selection.ts';
import { noStatuses } from '../../../web/src/rules/statuses.ts';
import { regain } from '../../../web/src/sale/regain.ts';
import { demoHall, expire, openSale } from './open-sale.ts';

const withoutRowA = demoHall('A');
const spotIn = (label: string) => withoutRowA.spotOf.get(label);
const spotsOf = (selection: Selection) => [...selection.values()].map(({ label, spot }) => [label, spot]);

test('chosen, held, pending and removed places are the same on the new chart', async () => {
  const { sale, rebuild, choose } = openSale();
  choose('H-12');
  await sale.hold();
  choose('H-5');
  choose('H-6');
  sale.choice.setArea('standing', 2);
  sale.choice.remove('H-6');
  rebuild(withoutRowA, { 'H-12': 'held' });
  expect(sale.state.notice).toBe(null);
  const held = ['H-12', spotIn('H-12')];
  expect(spotsOf(sale.state.held)).toEqual([held]);
  expect(spotsOf(sale.state.selection)).toEqual([held, ['H-5', spotIn('H-5')], ['Standing', null]]);
  sale.choice.undo();
  expect(sale.state.selection.get('H-6')?.spot).toBe(spotIn('H-6'));
});

test('a chosen place of a hidden division is dropped with a word, and a held one stays by its name', async () => {
  const { sale, said, rebuild, choose } = openSale();
  choose('A-1');
  choose('H-12');
  await sale.hold();
  choose('A-2');
  rebuild(withoutRowA, { 'A-1': 'held', 'H-12': 'held' });
  expect(said.at(-1)).toBe('A-2 is no longer on sale.');
  expect(spotsOf(sale.state.selection)).toEqual([
    ['A-1', null],
    ['H-12', spotIn('H-12')],
  ]);
  const item = { objectId: 'row', objectType: 'seat', tierId: 'adult', unitPrice: 60, currency: 'EUR' } as const;
  const items: HeldItem[] = [{ ...item, label: 'A-1', categoryKey: 'premium' }];
  expect([...selectionOf(withoutRowA, items).values()]).toMatchObject([{ label: 'A-1', spot: null, category: 0 }]);
});

test('held places of a hidden area stay', async () => {
  const { sale, rebuild } = openSale();
  sale.choice.setArea('standing', 2);
  await sale.hold();
  rebuild({ ...withoutRowA, areas: [] });
  expect([...sale.state.selection.values()]).toMatchObject([{ label: 'Standing', quantity: 2 }]);
});

test('no place is dropped before the statuses of the new chart are known', () => {
  const { sale, page, choose, chosen } = openSale();
  choose('H-12');
  Object.assign(page, { hall: withoutRowA, statuses: noStatuses(withoutRowA) });
  sale.rebuilt();
  sale.heard(() => undefined);
  expect(chosen()).toEqual(['H-12']);
});

test('a hold without an answer is found on the new chart', async () => {
  const { sale, server, rebuild, choose } = openSale();
  choose('H-12');
  server.loses = true;
  await sale.hold();
  server.loses = false;
  server.meanwhile = () => rebuild(withoutRowA, { 'H-12': 'held' });
  expect(await sale.hold()).toBe(true);
  expect(server.named.size).toBe(1);
  expect(spotsOf(sale.state.held)).toEqual([['H-12', spotIn('H-12')]]);
});

test('places of a hold that ran out are chosen again on the new chart', async () => {
  const { sale, server, rebuild, choose } = openSale();
  choose('A-1');
  choose('H-12');
  await sale.hold();
  await expire({ sale, server });
  rebuild(withoutRowA);
  server.taken = ['A-1'];
  expect(await regain(sale, wordsOf('en'))).toBe(true);
  expect(spotsOf(sale.state.held)).toEqual([['H-12', spotIn('H-12')]]);
  expect(sale.state.notice?.text).toBe('A-1 is no longer on sale.');
});

test('the card beside a seat of the old chart goes', () => {
  const old = demoHall();
  const around = { sale: { hold: null }, canvas: {} as never, redraw() {} };
  const hovering = createHovering({ hall: () => withoutRowA, painter: () => null, ...around });
  hovering.focus(old.spotOf.get('H-12')!);
  hovering.reset();
  expect(hovering.card({} as never, {} as never)).toBe(null);
});

test('places that stay chosen when a hold is given up are those of a chart that came meanwhile', async () => {
  const { sale, server, rebuild, choose } = openSale();
  choose('C-1');
  await sale.hold();
  server.answers.set('release', { ok: true, value: {} });
  const changing = sale.change();
  rebuild(withoutRowA);
  await changing;
  expect(sale.state.hold).toBe(null);
  expect(spotsOf(sale.state.selection)).toEqual([['C-1', spotIn('C-1')]]);
});
