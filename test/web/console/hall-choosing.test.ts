/** Choosing places of a hall by box, loop, row, stretch, category and list, and the selection in an address. */
import { describe, expect, test } from 'vitest';
import { demoTheatre } from '../../../scripts/generate-charts.mjs';
import {
  boxBetween,
  everyLabel,
  inBox,
  inLoop,
  namedIn,
  ofCategory,
  rowOfSpot,
  stretch,
} from '../../../web/console/event/hall/choosing.ts';
import { addressOfChosen, chosenOfAddress } from '../../../web/console/event/hall/chosen-address.ts';
import { HallSelection } from '../../../web/console/event/hall/selection.ts';
import { freshStatuses } from '../../../web/console/event/hall/true-statuses.ts';
import { epochOf, localTime } from '../../../web/console/frame/zoned-time.ts';
import { hallOf } from '../../../web/src/rules/hall.ts';

const hall = hallOf(demoTheatre() as Parameters<typeof hallOf>[0]);
const spotOf = (label: string): number => hall.spotOf.get(label)!;
const at = (label: string) => ({ x: hall.x[spotOf(label)]!, y: hall.y[spotOf(label)]! });

describe('places of a hall', () => {
  test('a box has the places inside it, and areas by their middle', () => {
    expect(inBox(hall, 0, { left: -1e6, top: -1e6, right: 1e6, bottom: 1e6 }).sort()).toEqual(everyLabel(hall).sort());
    const { x, y } = at('A-1');
    expect(inBox(hall, 0, { left: x - 1, top: y - 1, right: x + 1, bottom: y + 1 })).toEqual(['A-1']);
    expect(inBox(hall, 1, { left: -1e6, top: -1e6, right: 1e6, bottom: 1e6 })).toEqual([]);
  });

  test('a loop has the places inside its line', () => {
    const { x, y } = at('A-1');
    const loop = [
      { x: x - 2, y: y - 2 },
      { x: x + 2, y: y - 2 },
      { x, y: y + 2 },
    ];
    expect(inLoop(hall, 0, loop)).toEqual(['A-1']);
  });

  test('a box between two seats needs both on the chart', () => {
    expect(boxBetween(hall, 'A-1', 'B-3')!.sort()).toEqual(['A-1', 'A-2', 'A-3', 'B-1', 'B-2', 'B-3']);
    expect(boxBetween(hall, 'A-1', 'Z-9')).toBeNull();
  });

  test('a stretch of a row goes in either direction, and not into another row', () => {
    expect(rowOfSpot(hall, spotOf('C-5'))).toHaveLength(12);
    expect(stretch(hall, 'C-3', 'C-5')).toEqual(['C-3', 'C-4', 'C-5']);
    expect(stretch(hall, 'C-5', 'C-3')).toEqual(['C-3', 'C-4', 'C-5']);
    expect(stretch(hall, 'C-5', 'D-3')).toBeNull();
  });

  test('categories divide all places', () => {
    const all = hall.categories.flatMap((_, category) => ofCategory(hall, category));
    expect(all.sort()).toEqual(everyLabel(hall).sort());
  });

  test('a pasted list finds labels in any case, divided by lines, commas and tabs, and tells the unknown ones', () => {
    expect(namedIn(hall, 'a-1, A-2;B-3\tb-4\r\n table 1 \n\nZ-9, A-1')).toEqual({
      known: ['A-1', 'A-2', 'B-3', 'B-4', 'Table 1'],
      unknown: ['Z-9'],
    });
  });
});

describe('the selection', () => {
  test('names the spots that look different, and counts an area with its places', () => {
    const selection = new HallSelection();
    expect(selection.choose(['A-1', 'A-2'], hall).spots).toEqual([spotOf('A-1'), spotOf('A-2')]);
    expect(selection.choose(['A-2', 'A-3']).spots).toEqual([spotOf('A-1'), spotOf('A-3')]);
    const area = hall.areas[0]!;
    expect(selection.choose(['A-2', area.label])).toEqual({ spots: [spotOf('A-3')], areas: [0] });
    expect(selection.counts(freshStatuses(hall)).free).toBe(1 + area.capacity);
    expect(selection.inBlock(hall.blockOf[spotOf('A-2')]!)).toBe(1);
  });

  test('an address keeps labels with commas, and only the number of a long selection', () => {
    const labels = ['A-1', 'Box 3, left', '50% seat', '*1'];
    expect(chosenOfAddress(addressOfChosen(labels))).toEqual(labels);
    expect(addressOfChosen([])).toBeUndefined();
    expect(chosenOfAddress()).toEqual([]);
    const many = Array.from({ length: 20_000 }, (_, index) => `A-${index}`);
    expect(addressOfChosen(many)).toBe('*20000');
    expect(chosenOfAddress('*20000')).toEqual({ count: 20_000 });
  });
});

describe('times in the zone of an event', () => {
  test('a field has the clock of the zone, in summer and in winter', () => {
    expect(epochOf('2030-06-01T20:00', 'Europe/Berlin')).toBe(Date.UTC(2030, 5, 1, 18));
    expect(epochOf('2030-12-01T20:00', 'Europe/Berlin')).toBe(Date.UTC(2030, 11, 1, 19));
    expect(localTime(Date.UTC(2030, 5, 1, 18), 'Europe/Berlin')).toBe('2030-06-01T20:00');
    expect(epochOf('2030-06-01T20:00', 'Asia/Kathmandu')).toBe(Date.UTC(2030, 5, 1, 14, 15));
    expect(epochOf('soon', 'Europe/Berlin')).toBeNull();
  });

  test('around a change of the clocks both ways agree', () => {
    for (const text of ['2030-03-31T01:30', '2030-03-31T03:30', '2030-10-27T01:30', '2030-10-27T03:30']) {
      expect(localTime(epochOf(text, 'Europe/Berlin')!, 'Europe/Berlin')).toBe(text);
    }
  });
});
