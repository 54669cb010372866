/** The rules of the list of events and of a new event: states, filters, moves, bodies, prices. */
import { expect, test } from 'vitest';
import { filtered, filtersIn, type ListedEvent, queryOf, stateOf } from '../../../web/console/events/listed-event.ts';
import { movesOf, undoOf } from '../../../web/console/events/moves.ts';
import { type ChartMeta, hasDraft, unpriced, withPrices } from '../../../web/console/events/new/chart-source.ts';
import { eventBody, laterBody, type Source, type Written } from '../../../web/console/events/new/draft.ts';

const event = (fields: Partial<ListedEvent>): ListedEvent => ({
  key: 'gala',
  name: 'Autumn gala',
  mode: 'test',
  status: 'active',
  salesPaused: false,
  workspaceId: 'ws_1',
  chartId: 'cht_1',
  venue: null,
  startsAt: null,
  timezone: null,
  seatTotal: 10,
  ...fields,
});
const keysOf = (events: readonly ListedEvent[]) => events.map(({ key }) => key);

test('an active event with paused sales is neither on sale nor closed', () => {
  expect(stateOf(event({}))).toBe('on_sale');
  expect(stateOf(event({ salesPaused: true }))).toBe('paused');
  expect(stateOf(event({ status: 'archived', salesPaused: true }))).toBe('archived');
});

test('filters leave the address and come back; what is usual is not in it', () => {
  const filters = { search: 'gala', state: 'closed', chart: 'cht_1', from: '2027-03-01', to: '' } as const;
  expect(filtersIn(queryOf(filters))).toEqual(filters);
  expect(queryOf(filtersIn({ state: 'of another version' }))).toEqual({});
});

test('the usual list leaves the archive out, and counts what fits there', () => {
  const events = [
    event({ key: 'one' }),
    event({ key: 'two', status: 'archived' }),
    event({ key: 'three', status: 'archived', name: 'Other' }),
  ];
  const found = filtered(events, filtersIn({ search: 'gala' }));
  expect(keysOf(found.shown)).toEqual(['one']);
  expect(found.inArchive).toBe(1);
  expect(keysOf(filtered(events, filtersIn({ state: 'archived' })).shown)).toEqual(['two', 'three']);
});

test('every word of a search stands in the name, the key or the venue', () => {
  const events = [event({ key: 'one', venue: 'Small hall' }), event({ key: 'two' })];
  expect(keysOf(filtered(events, filtersIn({ search: 'gala small' })).shown)).toEqual(['one']);
});

test('a day is that of the clocks of the event; an event without a time is in no span', () => {
  const startsAt = Date.UTC(2027, 2, 1, 23, 30);
  const events = [
    event({ key: 'vienna', startsAt, timezone: 'Europe/Vienna' }),
    event({ key: 'new-york', startsAt, timezone: 'America/New_York' }),
    event({ key: 'some-day' }),
  ];
  expect(keysOf(filtered(events, filtersIn({ from: '2027-03-02' })).shown)).toEqual(['vienna']);
  expect(keysOf(filtered(events, filtersIn({ to: '2027-03-01' })).shown)).toEqual(['new-york']);
});

test('each move that can be taken back leads to a state that allows the way back', () => {
  expect(movesOf('paused')).toEqual(['reopen', 'close', 'archive', 'delete']);
  const after = { close: 'closed', reopen: 'on_sale', archive: 'archived', unarchive: 'paused' } as const;
  for (const [move, state] of Object.entries(after)) {
    expect(movesOf(state), move).toContain(undoOf[move as keyof typeof after]);
  }
  expect(undoOf.delete).toBe(null);
});

const written: Written = {
  name: ' Gala ',
  startsAt: '2027-03-01T19:30',
  timezone: 'Europe/Vienna',
  venue: '',
  slug: '',
  currency: 'eur',
  priceUnit: null,
  ownership: 'managed',
};

test('a new event says its mode, and its time is on the clocks of its zone', () => {
  expect(eventBody(written, 'cht_1', 'test', null)).toEqual({
    chartId: 'cht_1',
    mode: 'test',
    ownership: 'managed',
    name: 'Gala',
    startsAt: Date.UTC(2027, 2, 1, 18, 30),
    timezone: 'Europe/Vienna',
    currency: 'EUR',
  });
});

test('a copy takes rules, sections and bounds along, and neither date nor key', () => {
  const source = {
    meta: {
      key: 'gala',
      startsAt: 1,
      description: 'Songs',
      locale: null,
      region: 'western-europe',
      posterAssetId: null,
    },
    sectionStates: { attic: 'closed' },
    selectionRules: null,
    publicSale: { maxPerHold: 6 },
    buyerLimit: null,
  } as unknown as Source;
  const body = eventBody({ ...written, startsAt: '' }, 'cht_1', 'live', source);
  expect(body).toMatchObject({
    mode: 'live',
    description: 'Songs',
    region: 'western-europe',
    sectionStates: { attic: 'closed' },
  });
  expect(body).not.toHaveProperty('startsAt');
  expect(body).not.toHaveProperty('slug');
  expect(laterBody(source)).toEqual({ publicSale: { maxPerHold: 6 } });
  expect(laterBody({ ...source, publicSale: null })).toBe(null);
});

test('a price is asked for where a category sells places and has none', () => {
  const categories = [
    { key: 'front', label: 'Front', color: '#000', price: 0 },
    { key: 'rear', label: 'Rear', color: '#000' },
    { key: 'house', label: 'House', color: '#000', notForSale: true },
    { key: 'empty', label: 'Empty', color: '#000' },
  ];
  const document = { version: 1, name: 'Hall', categories, objects: [] } as never;
  expect(unpriced(document, { front: 5, rear: 5, house: 5 }).map(({ key }) => key)).toEqual(['rear']);
  expect(withPrices(document, new Map([['rear', 30]])).categories[1]).toMatchObject({ key: 'rear', price: 30 });
});

test('a chart that was drawn on since its publish has a draft', () => {
  const meta = { publishedAt: 5, updatedAt: 5 } as ChartMeta;
  expect(hasDraft(meta)).toBe(false);
  expect(hasDraft({ ...meta, updatedAt: 6 })).toBe(true);
});
