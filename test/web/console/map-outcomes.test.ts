/** True statuses from whole maps and changes, and what an act on the chosen places will do by status. */
import { describe, expect, test } from 'vitest';
import { demoTheatre } from '../../../scripts/generate-charts.mjs';
import {
  countsOf,
  freshStatuses,
  sumOf,
  takeChanges,
  takeWhole,
  trueStatuses,
} from '../../../web/console/event/hall/true-statuses.ts';
import {
  outcomeOfBlock,
  outcomeOfCategory,
  outcomeOfEnd,
  outcomeOfUnblock,
  placesOf,
  tablesOf,
} from '../../../web/console/map/outcomes.ts';
import { fixedByKey, inPieces } from '../../../web/console/map/pieces.ts';
import { hallOf } from '../../../web/src/rules/hall.ts';

const doc = demoTheatre() as Parameters<typeof hallOf>[0];
const hall = hallOf(doc);
const area = hall.areas[0]!;
const placeOfArea = (n: number): string => `__sl_ga__${encodeURIComponent(area.id)}__${n}`;
const whole = { hidden: [], closed: [], snapshotVersion: 7 };

function statusesWith(seats: Record<string, string>) {
  const statuses = freshStatuses(hall);
  takeWhole(statuses, hall, { ...whole, seats });
  return statuses;
}

describe('true statuses', () => {
  test('a whole map and later changes are counted by block and by area', () => {
    const statuses = statusesWith({ 'A-1': 'held', [placeOfArea(1)]: 'blocked' });
    expect(sumOf(statuses.inBlock)).toMatchObject({ held: 1, booked: 0, free: hall.labels.length - 1 });
    expect(countsOf(statuses.inArea[0]!)).toMatchObject({ blocked: 1, free: area.capacity - 1 });
    const changes = [
      { label: 'A-1', status: 'booked' },
      { label: placeOfArea(1), status: 'free' },
    ];
    const changed = takeChanges(statuses, hall, { snapshotVersion: 8, changes });
    expect(changed).toEqual({ spots: [hall.spotOf.get('A-1')], areas: [0], isUnknown: false });
    expect(sumOf(statuses.inBlock)).toMatchObject({ held: 0, booked: 1 });
    expect(countsOf(statuses.inArea[0]!).free).toBe(area.capacity);
  });

  test('older changes are dropped, and a label that the chart lacks is told', () => {
    const statuses = statusesWith({});
    const late = takeChanges(statuses, hall, { snapshotVersion: 6, changes: [{ label: 'A-1', status: 'booked' }] });
    expect(late.spots).toEqual([]);
    expect(statuses.of[hall.spotOf.get('A-1')!]).toBe(0);
    expect(
      takeChanges(statuses, hall, { snapshotVersion: 8, changes: [{ label: 'N-1', status: 'held' }] }).isUnknown,
    ).toBe(true);
    expect(takeWhole(statuses, hall, { ...whole, seats: { 'N-1': 'held' } }).isUnknown).toBe(true);
  });

  test('a snapshot of the feed names the usual status', () => {
    const statuses = freshStatuses(hall);
    takeWhole(statuses, hall, { ...whole, default: 'blocked', seats: { 'A-1': 'free' } });
    expect(trueStatuses[statuses.of[hall.spotOf.get('A-2')!]!]).toBe('blocked');
    expect(sumOf(statuses.inBlock).free).toBe(1);
  });
});

describe('the outcome of an act', () => {
  const statuses = statusesWith({
    'A-1': 'held',
    'A-2': 'booked',
    'A-3': 'blocked',
    'A-4': 'blocked',
    [placeOfArea(1)]: 'held',
  });
  const chosen = ['A-1', 'A-2', 'A-3', 'A-4', 'A-5', area.label, 'Z-9'];
  const places = placesOf(chosen, hall, statuses, (label) => label === 'A-4');

  test('a block takes free places, gives blocked ones new terms, and leaves the others', () => {
    expect(outcomeOfBlock(places)).toEqual({
      goes: ['A-3', 'A-5'],
      count: 1,
      again: 1,
      stays: { held: 2, booked: 1, reserved: 1, unknown: 1 },
    });
  });

  test('only blocked places without a reservation are unblocked', () => {
    const { goes, count, stays } = outcomeOfUnblock(places);
    expect({ goes, count }).toEqual({ goes: ['A-3'], count: 1 });
    expect(stays).toMatchObject({ held: 1, booked: 1, reserved: 1, unknown: 1 });
  });

  test('the end of holds counts the held places of an area', () => {
    const { goes, count } = outcomeOfEnd(places);
    expect({ goes, count }).toEqual({ goes: ['A-1', area.label], count: 2 });
  });

  test('held and booked places keep their category', () => {
    expect(outcomeOfCategory(places).goes).toEqual(['A-3', 'A-4', 'A-5']);
  });

  test('a table with a place that is not free cannot be sold in another way', () => {
    const isChosen = (spot: number): boolean => ['Table 1', 'A-1'].includes(hall.labels[spot]!);
    const before = tablesOf(isChosen, hall, statusesWith({}).of);
    expect(before).toMatchObject({ names: ['Table 1'], inUse: [] });
    expect(tablesOf(isChosen, hall, statusesWith({ 'Table 1': 'held' }).of)).toMatchObject({
      ids: [],
      inUse: ['Table 1'],
    });
  });
});

describe('a call in pieces', () => {
  test('stops at the first refusal, and tells how many went before', async () => {
    const sent: [readonly string[], string][] = [];
    let before = 0;
    const answer = await inPieces(
      ['a', 'b', 'c', 'd', 'e'],
      2,
      'key',
      async (piece, key) => {
        sent.push([piece, key]);
        if (piece.includes('c')) return { ok: false, status: 409, problem: { code: 'conflict' } };
        return { ok: true, value: piece.length };
      },
      (count) => {
        before = count;
      },
    );
    expect(answer.ok).toBe(false);
    expect(before).toBe(2);
    expect(sent).toEqual([
      [['a', 'b'], 'key'],
      [['c', 'd'], 'key-1'],
    ]);
  });

  test('names the same places while its key lives', () => {
    let made = 0;
    const fixed = fixedByKey(() => ++made);
    expect([fixed('one'), fixed('one'), fixed('two')]).toEqual([1, 1, 2]);
  });
});
