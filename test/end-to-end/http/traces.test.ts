/**
 * Traces of a hold and a booking through all four services, to a receiver of OpenTelemetry (OTLP over HTTP, as JSON).
 */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Json, openShop, type Shop } from '../shop.ts';

type Span = { service: string; name: string; traceId: string; spanId: string; parentSpanId?: string; status: Json };

let shop: Shop;
const spans: Span[] = [];
const hooks: { headers: IncomingHttpHeaders; body: Json }[] = [];
const closing: (() => void)[] = [];

/** A server that hands each body to `take`. Resolves with its address. */
async function listen(take: (headers: IncomingHttpHeaders, body: Json) => void): Promise<string> {
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const part of request.setEncoding('utf8')) text += part;
    take(request.headers, JSON.parse(text));
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function takeSpans(_headers: IncomingHttpHeaders, { resourceSpans }: Json): void {
  for (const { resource, scopeSpans } of resourceSpans) {
    const service = resource.attributes.find(({ key }: Json) => key === 'service.name').value.stringValue;
    for (const scope of scopeSpans) for (const span of scope.spans) spans.push({ service, ...span });
  }
}

beforeAll(async () => {
  const receiver = await listen(takeSpans);
  shop = await openShop({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: receiver, OTEL_BSP_SCHEDULE_DELAY: '50' } });
  const url = await listen((headers, body) => void hooks.push({ headers, body }));
  const body = { url: `${url}/hook`, events: ['seat.booked'] };
  expect((await shop.call('POST', '/v1/webhooks', { token: shop.token, body })).status).toBe(201);
}, 120_000);
afterAll(async () => {
  for (const close of closing) close();
  await shop?.stop();
});

const traceOf = (digit: string) => digit.repeat(32);
const parent = 'b7ad6b7169203331';
const spansOf = (trace: string) => spans.filter(({ traceId }) => traceId === trace);
const only = (trace: string, name: string) => spansOf(trace).filter((span) => span.name === name);

it('one hold and its booking give one trace over the four services, and the webhook carries it on', async () => {
  const trace = traceOf('a');
  const headers = { traceparent: `00-${trace}-${parent}-01` };
  const event = await shop.event();
  const { holdId } = (await event.post('hold', { labels: ['A-1'] }, headers)).body;
  const booked = await event.post('book', { holdId, bookingRef: 'order-1' }, headers);
  expect(booked.status).toBe(200);
  const isWhole = () => only(trace, 'webhook seat.booked').length === 1 && only(trace, 'catalog project').length === 2;
  await expect.poll(isWhole, { timeout: 30_000 }).toBe(true);

  expect(new Set(spansOf(trace).map(({ service }) => service))).toEqual(
    new Set(['frontdoor', 'inventory-shard', 'catalog', 'notifier'].map((name) => `parterre-${name}`)),
  );
  const byId = new Map(spansOf(trace).map((span) => [span.spanId, span.name]));
  for (const act of ['hold', 'book']) {
    const [root] = only(trace, `POST /v1/events/{key}/${act}`);
    expect(root!.parentSpanId).toBe(parent);
    const [command] = only(trace, `shard ${act}`);
    expect(command!.parentSpanId).toBe(root!.spanId);
    const appends = only(trace, 'journal append').filter(({ parentSpanId }) => parentSpanId === command!.spanId);
    expect(appends).toHaveLength(1);
  }
  const behindJournal = [...only(trace, 'catalog project'), ...only(trace, 'webhook seat.booked')];
  expect(behindJournal.map(({ parentSpanId }) => byId.get(parentSpanId!))).toEqual(Array(3).fill('journal append'));
  const [delivery] = only(trace, 'webhook seat.booked');
  const hook = hooks.find(({ body }) => body.event === 'seat.booked');
  expect(hook!.headers.traceparent).toBe(`00-${trace}-${delivery!.spanId}-01`);
});

it('an invalid context begins a new trace, and one that is not sampled leaves no span and no header', async () => {
  const event = await shop.event();
  const post = (traceparent: string, label: string) =>
    event.post('box-book', { labels: [label], bookingRef: label }, { traceparent });
  expect((await post(`00-${traceOf('c')}-${parent}-00`, 'A-1')).status).toBe(200);
  expect((await post(`00-${traceOf('d')}-${parent}`, 'A-2')).status).toBe(200);
  expect((await post(`00-${traceOf('0')}-${parent}-01`, 'A-3')).status).toBe(200);
  const booked = () => hooks.filter(({ body }) => body.data.bookingRef !== 'order-1');
  await expect.poll(() => booked().length, { timeout: 30_000 }).toBe(3);
  const contexts = booked().map(({ headers }) => headers.traceparent ?? 'none');
  expect(contexts.filter((context) => context === 'none')).toHaveLength(1);
  for (const digit of ['c', 'd', '0']) expect(spansOf(traceOf(digit))).toEqual([]);
});

it('a page of a stranger does not decide what is sampled', async () => {
  const event = await shop.event();
  const trace = traceOf('e');
  const headers = { traceparent: `00-${trace}-${parent}-01` };
  await shop.buyer('GET', `${event.key}/availability`, { headers });
  await expect
    .poll(() => spans.some(({ name }) => name === 'GET /pub/events/{key}/availability'), { timeout: 30_000 })
    .toBe(true);
  expect(spansOf(trace)).toEqual([]);
});
