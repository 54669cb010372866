/** Files of other systems become charts on sale, and charts become files. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { seatsioHall } from '../../support/imports/seatsio-charts.ts';
import { drawings, labelsOf, spreadsheets } from '../../support/imports/theatres.ts';
import { type Json, openShop, type Shop } from '../shop.ts';

let shop: Shop;
let write: Record<string, string>;

beforeAll(async () => {
  shop = await openShop();
  ({ write } = await shop.logIn(await shop.user()));
}, 120_000);
afterAll(() => shop?.stop());

async function upload(body: string | Uint8Array<ArrayBuffer>, query = '', headers: Record<string, string> = write) {
  const sent = { method: 'POST', headers: { ...headers, 'Content-Type': 'application/octet-stream' }, body };
  const response = await fetch(`${shop.url}/v1/chart-imports${query}`, sent);
  return { status: response.status, headers: response.headers, body: (await response.json()) as Json };
}

async function ended(begun: { headers: Headers }): Promise<Json> {
  const path = begun.headers.get('location')!;
  let last: Json = null;
  await expect
    .poll(async () => {
      last = (await shop.call('GET', path, { headers: write })).body.import;
      return last.state;
    })
    .not.toBe('running');
  return last;
}

async function imported(body: string | Uint8Array<ArrayBuffer>, query = ''): Promise<Json> {
  const begun = await upload(body, query);
  expect([begun.status, begun.body.import?.state]).toEqual([202, 'running']);
  return ended(begun);
}

const charts = async () => (await shop.call('GET', '/v1/charts', { token: shop.token })).body.charts.length;

const sample = (name: string) =>
  readFileSync(new URL(`../../support/imports/seatsio/${name}.json`, import.meta.url), 'utf8');

const pretix = JSON.stringify({
  name: 'Club',
  categories: [{ name: 'Stalls', color: '#336699' }],
  size: { width: 200, height: 100 },
  zones: [
    {
      name: 'Parkett',
      position: { x: 10, y: 10 },
      rows: [
        {
          row_number: '1',
          position: { x: 0, y: 0 },
          seats: [1, 2, 3].map((n) => ({
            seat_guid: `g${n}`,
            seat_number: String(n),
            position: { x: n * 22, y: 0 },
            category: 'Stalls',
          })),
        },
      ],
    },
  ],
});

const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100"><g data-row="A" data-category="Front">
${[1, 2, 3, 4].map((n) => `<circle data-seat="${n}" cx="${n * 20}" cy="30" r="8"/>`).join('')}</g></svg>`;

const theatres = [...drawings, ...spreadsheets].map(
  ([program, { bytes, stalls, balcony }]): [string, Uint8Array<ArrayBuffer>, string[]] => {
    const labels = labelsOf(stalls, balcony);
    return [program, new Uint8Array(bytes), [labels.at(0)!, labels.at(-1)!]];
  },
);

describe.each<[string, string | Uint8Array<ArrayBuffer>, string[]]>([
  ['seats.io', sample('sample-chart'), ['A-1', 'A-2']],
  ['seats.io with tables', sample('sample-chart-with-tables'), ['T1-3']],
  ['seats.io with sections', seatsioHall(20).text, ['Stalls-C-2', 'Booth 1']],
  ['pretix', pretix, ['1-2', '1-3']],
  ['CSV', 'section;row;seat;category\r\nL;1;1;Front\r\nL;1;2;Front\r\nR;1;1;Front\r\n', ['L-1-2', 'R-1-1']],
  ['SVG', svg, ['A-1', 'A-4']],
  ...theatres,
])('a file of %s', (_, text, labels) => {
  it('is imported, published and sold', async () => {
    const { state, chartId, report } = await imported(text);
    expect([state, report.publishIssues]).toEqual(['done', []]);
    const { token } = shop;
    expect((await shop.call('GET', `/v1/charts/${chartId}`, { token })).body.meta.status).toBe('draft');
    expect((await shop.call('POST', `/v1/charts/${chartId}/publish`, { token })).status).toBe(200);
    const event = (await shop.call('POST', '/v1/events', { token, body: { chartId } })).body.meta.key;
    const held = await shop.call('POST', `/v1/events/${event}/hold`, { token, body: { labels } });
    expect([held.status, held.body.items?.map(({ label }: Json) => label)]).toEqual([200, labels]);
  });
});

test('a chart that was exported as CSV and imported again has the same seats', async () => {
  const { token } = shop;
  const { chartId } = await imported(seatsioHall(20).text);
  const exported = await fetch(`${shop.url}/v1/charts/${chartId}/export?format=csv`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  expect(exported.headers.get('left-out')).toMatch(
    /^1 table that is sold as a whole, 2 forms of tables, 3 standing areas, 1 booth, /,
  );
  const text = await exported.text();
  const again = await imported(text, '?format=csv&name=Again');
  const twice = await fetch(`${shop.url}/v1/charts/${again.chartId}/export?format=csv`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  const lines = (csv: string) => csv.split('\r\n').sort();
  const places = (csv: string) => lines(csv).map((line) => line.split(',').slice(0, 9).join(','));
  // Positions may move by the tolerance of the import.
  const withoutPositions = (csv: string) =>
    lines(csv).map((line) => line.split(',').filter((_, i) => i !== 5 && i !== 6));
  const second = await twice.text();
  expect(withoutPositions(second)).toEqual(withoutPositions(text));
  for (const [i, line] of places(text).entries()) {
    const before = line.split(',');
    const after = places(second)[i]!.split(',');
    if (i === places(text).length - 1 || before[0] === 'floor' || line === '') continue;
    expect(Math.hypot(Number(before[5]) - Number(after[5]), Number(before[6]) - Number(after[6]))).toBeLessThan(0.5);
  }
});

test('a caller names the encoding of a file, and an unknown encoding is refused', async () => {
  const bytes = new Uint8Array([...Buffer.from('row;seat;Preis\n'), 0xc6, ...Buffer.from(';1;45\n')]);
  const { report } = await imported(bytes, '?encoding=windows-1251');
  expect(report).toMatchObject({ encoding: 'windows-1251', understood: { seats: 1 } });
  expect((await upload(bytes, '?encoding=klingon')).status).toBe(422);
});

test('a chart is exported as its document, and for pretix', async () => {
  const { token } = shop;
  const headers = { Authorization: `Bearer ${token}` };
  const get = (query: string) => fetch(`${shop.url}/v1/charts/${shop.chart.id}/export${query}`, { headers });
  const document = await get('');
  expect(document.headers.get('content-disposition')).toBe(`attachment; filename="${shop.chart.id}.json"`);
  expect(((await document.json()) as Json).objects).toHaveLength(3);
  const plan = await get('?format=pretix');
  expect(plan.headers.get('left-out')).toBe('1 standing area, 2 prices of categories, 1 focal point');
  const { zones, categories } = (await plan.json()) as Json;
  expect(categories.map(({ name }: Json) => name)).toEqual(['Stalls', 'Balcony']);
  expect(zones[0].rows.map(({ seats }: Json) => seats.length)).toEqual([20, 20]);
  expect((await get('?format=dwg')).status).toBe(422);
});

test('a chart document that was exported comes back as the same document', async () => {
  const { token } = shop;
  const document = async (chartId: string) =>
    (await fetch(`${shop.url}/v1/charts/${chartId}/export`, { headers: { Authorization: `Bearer ${token}` } })).text();
  const text = await document(shop.chart.id);
  const { report, chartId } = await imported(text);
  expect(report).toMatchObject({ format: 'document', notes: [], publishIssues: [] });
  expect(await document(chartId)).toBe(text);
});

test('a draft of a billion seats leaves as its document alone', async () => {
  const { token } = shop;
  const [row, ...others] = shop.hall.objects;
  const doc = { ...shop.hall, objects: [{ ...row, seatCount: 1e9 }, ...others] };
  const { id } = (await shop.call('POST', '/v1/charts', { token, body: { name: 'Endless', doc } })).body.meta;
  const exported = (query: string) => shop.call('GET', `/v1/charts/${id}/export${query}`, { token });
  for (const format of ['csv', 'pretix']) {
    const { status, body } = await exported(`?format=${format}`);
    expect([status, body.code, body.issues[0].path]).toEqual([422, 'invalid_chart', 'objects']);
  }
  expect((await exported('')).body.objects[0].seatCount).toBe(1e9);
});

describe('an import that fails', () => {
  it('makes no chart, and says why', async () => {
    const before = await charts();
    const lines = Array.from({ length: 250_001 }, (_, i) => `R${i % 500},${i}`).join('\n');
    for (const [body, failure] of [
      ['{"name": "Hall",\n "subChart": {"rows": [}', { code: 'broken_json', line: 2, column: 24 }],
      ['{"a": 1}', { code: 'unknown_format' }],
      ['{"version": 1, "categories": [], "objects": [{}]}', { code: 'broken_document' }],
      ['<html><body/></html>', { code: 'unknown_format' }],
      ['<svg><g></svg>', { code: 'broken_xml', line: 1 }],
      ['colour,size\nred,2\n', { code: 'unknown_format' }],
      [`row,seat\n${lines}`, { code: 'too_many_seats', message: expect.stringContaining('250001 seats') }],
    ] as const) {
      const told = await imported(body);
      expect(told).toMatchObject({ state: 'failed', chartId: null, report: null, failure });
    }
    expect(await charts()).toBe(before);
  });

  it('is refused at once without a file, without a session, with a key, from a disabled workspace', async () => {
    expect((await upload('')).body).toMatchObject({ code: 'invalid_request' });
    expect((await upload(svg, '', {})).status).toBe(401);
    const keyed = await upload(svg, '', { Authorization: `Bearer ${shop.token}` });
    expect([keyed.status, keyed.body.code]).toEqual([403, 'forbidden']);
    expect(keyed.body.message).toMatch(/dashboard/);
    const { 'X-CSRF-Token': _, ...cookie } = write;
    expect((await upload(svg, '', cookie)).body.code).toBe('csrf_required');
    expect((await upload(svg, '?workspaceId=ws_0')).body.code).toBe('workspace_not_found_or_disabled');
    expect((await upload(svg, '?format=dwg')).body.code).toBe('invalid_request');
  });

  it('is refused with 413 past 64 MiB, and the server goes on', async () => {
    const tooLarge = await upload(new Uint8Array(64 * 2 ** 20 + 1));
    expect([tooLarge.status, tooLarge.body.code]).toEqual([413, 'payload_too_large']);
    expect((await shop.call('GET', '/v1/charts', { token: shop.token })).status).toBe(200);
  });

  it('is of another organisation, and so unknown to this one', async () => {
    const other = await shop.organisation('Other');
    const { read } = await shop.logIn(await shop.user({ organisationId: other.id }));
    const begun = await upload(svg);
    expect((await shop.call('GET', begun.headers.get('location')!, { headers: read })).status).toBe(404);
    expect((await shop.call('GET', '/v1/chart-imports', { headers: read })).body.imports).toEqual([]);
    await ended(begun);
  });
});

test('a file of 50 MB is read while the server answers others', async () => {
  const rows = Array.from({ length: 500 }, (_, row) => ({
    label: `R${row}`,
    seats: Array.from({ length: 200 }, (_, i) => ({
      label: String(i + 1),
      x: i * 20,
      y: row * 24,
      categoryKey: 1,
      uuid: `uuid${row * 200 + i}`,
      note: 'x'.repeat(400),
    })),
  }));
  const categories = { list: [{ key: 1, label: 'All', color: '#336699' }] };
  const text = JSON.stringify({ name: 'Large', version: 21, categories, subChart: { rows } });
  expect(text.length).toBeGreaterThan(45e6);
  const begun = await upload(text);
  expect(begun.status).toBe(202);
  let answered = 0;
  let state = 'running';
  while (state === 'running') {
    const answer = await shop.call('GET', begun.headers.get('location')!, { headers: write });
    answered++;
    ({ state } = answer.body.import);
  }
  const { report } = await ended(begun);
  expect([state, report.understood.seats]).toEqual(['done', 100_000]);
  expect(answered).toBeGreaterThan(5);
}, 120_000);
