/** Seats painted into channels, and the letters of channels. */
import { expect, test } from 'vitest';
import { assigning, placesOfArea, singlePlaces } from '../../../web/console/channels/assigning.ts';
import { lettersOf } from '../../../web/console/channels/letters.ts';
import type { TrueStatus } from '../../../web/console/event/hall/live.ts';

const channels: Record<string, string> = { 'B-1': 'club', 'B-2': 'club', 'C-1': 'partner' };
const statuses: Record<string, TrueStatus> = { 'B-2': 'booked', 'A-2': 'held', 'A-3': 'blocked' };
const house = {
  channelOf: (label: string) => channels[label] ?? null,
  statusOf: (label: string) => statuses[label] ?? ('free' as const),
};

test('free and blocked seats move, held and sold seats stay, and counts change on both sides', () => {
  const effect = assigning(['A-1', 'A-2', 'A-3', 'B-1', 'B-2', 'C-1'], 'club', house);
  expect(effect).toMatchObject({ moving: 3, held: 1, booked: 0, alreadyThere: 2 });
  expect([...effect.leaving]).toEqual([
    [null, ['A-1', 'A-3']],
    ['partner', ['C-1']],
  ]);
  expect(Object.fromEntries(effect.changes)).toEqual({
    null: { units: -2, free: -1 },
    club: { units: 3, free: 2 },
    partner: { units: -1, free: -1 },
  });
});

test('seats go back to public sale', () => {
  const effect = assigning(['B-1', 'B-2', 'A-1'], null, house);
  expect(effect).toMatchObject({ moving: 1, booked: 1, alreadyThere: 1 });
});

test('the label of an area stands for its places, also where its places come from other areas', () => {
  const segments = [
    { sourceAreaId: 'floor', startIndex: 0, count: 2 },
    { sourceAreaId: 'old floor', startIndex: 5, count: 1 },
  ];
  const places = ['__sl_ga__floor__1', '__sl_ga__floor__2', '__sl_ga__old%20floor__6'];
  expect(placesOfArea({ segments })).toEqual(places);
  expect(singlePlaces(['A-1', 'Floor'], [{ label: 'Floor', segments } as never])).toEqual(['A-1', ...places]);
});

test('a channel has its short marker or the next letter that nobody has', () => {
  const made = (id: string, marker: string | null) => ({ id, marker });
  const letters = lettersOf([made('one', null), made('two', 'B'), made('three', 'a long marker'), made('four', null)]);
  expect(Object.fromEntries(letters)).toEqual({ one: 'A', two: 'B', three: 'C', four: 'D' });
  const many = lettersOf(Array.from({ length: 28 }, (_, index) => made(String(index), null)));
  expect([many.get('25'), many.get('26'), many.get('27')]).toEqual(['Z', 'AA', 'AB']);
});
