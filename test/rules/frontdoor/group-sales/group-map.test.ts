import { compilePlan } from '@parterre/shared/charts/compile';
import { expect, test } from 'vitest';
import {
  groupMap,
  type PerformanceMap,
  performanceSeats,
} from '../../../../services/frontdoor/src/api/sales-over-events.ts';
import { chart, row } from '../../../support/charts.ts';

const plan = compilePlan(chart([row({ seatCount: 4 })]), 'hall');
const adjusted = compilePlan(chart([row({ seatCount: 3 })]), 'hall, adjusted');
const free = 0;
const held = 1;
const booked = 2;
const blocked = 3;
const hidden = 4;

function performance(eventKey: string, seen: number[], of = plan): PerformanceMap {
  return { eventKey, plan: of, seen: Uint8Array.from(seen), salesClosed: false };
}

const read = (performances: PerformanceMap[]) => {
  const { seats, partial } = groupMap(performances);
  return { seats: JSON.parse(seats), partial: JSON.parse(partial) };
};

test('a seat is free where every performance has it free, and shows its firmest status elsewhere', () => {
  const first = performance('monday', [free, free, held, free]);
  const second = performance('tuesday', [free, held, booked, blocked]);
  expect(read([first, second])).toEqual({
    seats: { 'A-1': 'free', 'A-2': 'held', 'A-3': 'booked', 'A-4': 'not_for_sale' },
    partial: { 'A-2': ['tuesday'], 'A-4': ['tuesday'] },
  });
});

test('a partly free seat names every performance that lacks it, in their order', () => {
  const performances = [
    performance('monday', [held, free, free, free]),
    performance('tuesday', [free, free, free, free]),
    performance('friday', [booked, free, free, free]),
  ];
  expect(read(performances).partial).toEqual({ 'A-1': ['monday', 'friday'] });
});

test('a seat that one performance hides is not sold, and a seat that all hide is left out', () => {
  const map = read([
    performance('monday', [hidden, hidden, free, free]),
    performance('tuesday', [free, hidden, free, free]),
  ]);
  expect(map.seats).toEqual({ 'A-1': 'not_for_sale', 'A-3': 'free', 'A-4': 'free' });
  expect(map.partial).toEqual({ 'A-1': ['monday'] });
});

test('a seat that an adjusted chart lacks is not sold', () => {
  const map = read([
    performance('monday', [free, free, free, free]),
    performance('tuesday', [free, free, held], adjusted),
  ]);
  expect(map.seats).toEqual({ 'A-1': 'free', 'A-2': 'free', 'A-3': 'held', 'A-4': 'not_for_sale' });
  expect(map.partial).toEqual({ 'A-3': ['tuesday'], 'A-4': ['tuesday'] });
});

test('the map of one performance has every seat that it shows', () => {
  expect(JSON.parse(performanceSeats(performance('monday', [free, booked, hidden, blocked])))).toEqual({
    'A-1': 'free',
    'A-2': 'booked',
    'A-4': 'not_for_sale',
  });
});
