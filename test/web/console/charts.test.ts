/** The rules of the list of charts. */
import { expect, test } from 'vitest';
import { type Chart, chartStateOf, matching } from '../../../web/console/charts/chart.ts';

const chart = (fields: Partial<Chart>): Chart => ({
  id: 'cht_1',
  name: 'Small hall',
  status: 'published',
  workspaceId: 'ws_1',
  seatTotal: 10,
  publishedVersion: 1,
  publishedAt: 5,
  updatedAt: 5,
  ...fields,
});

test('a published chart that was drawn on has changes', () => {
  expect(chartStateOf(chart({}))).toBe('published');
  expect(chartStateOf(chart({ updatedAt: 6 }))).toBe('changed');
  expect(chartStateOf(chart({ publishedAt: null }))).toBe('draft');
  expect(chartStateOf(chart({ status: 'archived', publishedAt: null }))).toBe('archived');
});

test('every word of a search stands in the name or the id', () => {
  const charts = [chart({}), chart({ id: 'cht_2', name: 'Large hall' })];
  expect(matching(charts, 'hall LARGE').map(({ id }) => id)).toEqual(['cht_2']);
  expect(matching(charts, '')).toHaveLength(2);
});
