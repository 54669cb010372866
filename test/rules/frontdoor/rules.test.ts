/** Tables of cases for the front door's pure rules. */
import { compilePlan } from '@parterre/shared/charts/compile';
import { refuse } from '@parterre/shared/protocol/errors';
import { describe, expect, it } from 'vitest';
import { answerOf, answerOfRefusal } from '../../../services/frontdoor/src/answers/answer.ts';
import { spliceJson } from '../../../services/frontdoor/src/answers/spelling.ts';
import { routes } from '../../../services/frontdoor/src/api/api.ts';
import { canonicalJson } from '../../../services/frontdoor/src/api/rules/canonical.ts';
import { webhookUrlIssue } from '../../../services/frontdoor/src/api/rules/webhook-url.ts';
import { createRouter } from '../../../services/frontdoor/src/http/router.ts';
import { objectsOf, shownToBuyers, trueObjects } from '../../../services/frontdoor/src/pictures/rules/objects.ts';
import { chosenProtocol, offered, wireOf } from '../../../services/frontdoor/src/sockets/rules/protocols.ts';
import { chart, row, seatCategory } from '../../support/charts.ts';

describe('an answer', () => {
  const bodyOf = (refusal: Parameters<typeof answerOfRefusal>[0]) => JSON.parse(answerOfRefusal(refusal, 'r1').body);

  it('repeats the code as reason on 409 and 422, and only there', () => {
    expect(bodyOf({ code: 'conflict', message: 'm' }).reason).toBe('conflict');
    expect(bodyOf({ code: 'conflict', message: 'm', reason: 'sold_out' }).reason).toBe('sold_out');
    expect(bodyOf({ code: 'unknown_labels', message: 'm' }).reason).toBe('unknown_labels');
    expect(bodyOf({ code: 'not_found', message: 'm' })).not.toHaveProperty('reason');
  });

  it('never lets a detail replace its own fields', () => {
    const details = { error: 'x', requestId: 'x', conflicts: [{ label: 'A-1', status: 'held' }] };
    expect(bodyOf({ code: 'conflict', message: 'm', details })).toMatchObject({
      error: 'conflict',
      requestId: 'r1',
      conflicts: details.conflicts,
    });
  });

  it('of an unreachable part says when to come back', () => {
    const answer = answerOf(refuse('shard_unavailable', 'm', { retryable: true }), 200, 'r1');
    expect(answer.status).toBe(503);
    expect(answer.headers).toContainEqual(['Retry-After', '1']);
    expect(JSON.parse(answer.body as string).retryable).toBe(true);
  });

  it('asks nobody to come back to an event whose journal has lost records', () => {
    const answer = answerOf(refuse('journal_lost_records', 'm'), 200, 'r1');
    expect(answer.status).toBe(503);
    expect(answer.headers.map(([name]) => name)).not.toContain('Retry-After');
    expect(JSON.parse(answer.body as string)).not.toHaveProperty('retryable');
  });
});

describe('the router', () => {
  const find = createRouter(routes);

  it.each([
    ['GET', '/health/ready', []],
    ['POST', '/v1/events/summer-gala/hold', ['summer-gala']],
    ['GET', '/v1/events/a/holds/hld_1', ['a', 'hld_1']],
    ['GET', '/v1/events/caf%C3%A9', ['café']],
    ['DELETE', '/v1/admin/organisations/org_1/keys/key_1', ['org_1', 'key_1']],
  ])('finds %s %s', (method, path, params) => {
    expect(find(method, path)).toMatchObject({ kind: 'route', params, route: { method } });
  });

  it.each(['/v1', '/v1/events/', '/v1/events/a/hold/', '/v1/events//hold', '/v1/events/%E0%A4%A/hold', '/v2/events'])(
    'knows no %s',
    (path) => expect(find('GET', path)).toEqual({ kind: 'unknown' }),
  );

  it('finds a path that it knows already, with each method and among more paths than it remembers', () => {
    for (let n = 0; n < 5_000; n++) find('POST', `/v1/events/e${n}/hold`);
    for (const path of ['/v1/events/e1/hold', '/v1/events/e4999/hold']) {
      const params = [path.split('/')[3]];
      for (let times = 0; times < 2; times++) {
        expect(find('POST', path)).toMatchObject({ kind: 'route', params, route: { path: '/v1/events/{key}/hold' } });
        expect(find('GET', path)).toEqual({ kind: 'wrong-method', allow: 'POST' });
      }
    }
  });

  it('says which methods an address takes', () => {
    expect(find('PATCH', '/v1/events/a/hold')).toEqual({ kind: 'wrong-method', allow: 'POST' });
    expect(find('DELETE', '/v1/charts')).toEqual({ kind: 'wrong-method', allow: 'GET, POST' });
  });
});

describe('what a viewer offers', () => {
  it('is a protocol, a ticket and a version to resume from, in any order', () => {
    const found = offered('sv.42, tkt.abc , vendor.v1, parterre.v1');
    expect(found).toEqual({ protocol: 'vendor.v1', ticket: 'abc', resumeFrom: 42 });
    expect(chosenProtocol(found)).toBe('vendor.v1');
  });

  it.each([
    ['parterre.v1, tkt.abc', 'parterre.v1', 'text'],
    ['parterre.v1.bin, parterre.v1, tkt.abc', 'parterre.v1.bin', 'binary'],
    ['parterre.v1, parterre.v1.bin', 'parterre.v1', 'text'],
    ['vendor.v1.bin, tkt.abc', '', 'text'],
  ])('chooses the first protocol that is known: %s', (header, protocol, wire) => {
    expect([chosenProtocol(offered(header)), wireOf(offered(header))]).toEqual([protocol, wire]);
  });

  it.each(['', 'graphql-ws', 'sv.-1', 'sv.x'])('may be nothing that is known here: "%s"', (header) => {
    expect(offered(header)).toEqual({ protocol: null, ticket: null, resumeFrom: null });
  });
});

describe('objects', () => {
  const closedCategory = { ...seatCategory, key: 'closed', notForSale: true };
  const document = chart([row({ seatCount: 3 }), row({ id: 'r2', label: 'B', seatCount: 1, categoryKey: 'closed' })], {
    categories: [seatCategory, closedCategory],
  });
  const plan = compilePlan(document, 'hash');
  const label = (unit: number) => plan.labels.at(unit);

  it('have every label, whatever it is', () => {
    const odd = compilePlan(chart([row({ seatCount: 1, overrides: [{ index: 0, label: '__proto__' }] })]), 'odd');
    const { seats } = objectsOf(odd, Uint8Array.of(1), { words: 'server' }, false);
    expect(seats).toBe('{"__proto__":"held"}');
  });

  it('show buyers one word for blocked and never-sold units', () => {
    const shown = [0, 3, 2, 0].map((status, unit) => shownToBuyers(plan, unit, status, null));
    const { seats } = objectsOf(plan, Uint8Array.from(shown), { words: 'buyer' }, false);
    expect(JSON.parse(seats)).toEqual({ [label(1)]: 'not_for_sale', [label(2)]: 'booked', [label(3)]: 'not_for_sale' });
  });

  it('leave out the commonest status when compact', () => {
    const objects = objectsOf(plan, Uint8Array.of(2, 2, 2, 3), { words: 'buyer' }, true);
    expect(objects.default).toBe('booked');
    expect(JSON.parse(objects.seats)).toEqual({ [label(3)]: 'not_for_sale' });
  });

  it('show operators the four true statuses', () => {
    const view = {
      version: 7,
      updatedAt: 5,
      planHash: 'hash',
      status: 'active' as const,
      salesPaused: false,
      unitCount: 4,
    };
    const statuses = Uint8Array.of(0, 1, 2, 3);
    expect(JSON.parse(trueObjects(plan, { ...view, statuses }))).toEqual({
      seats: { [label(1)]: 'held', [label(2)]: 'booked', [label(3)]: 'blocked' },
      hidden: [],
      closed: [],
      snapshotVersion: 7,
      updatedAt: 5,
    });
  });
});

describe('canonical JSON', () => {
  it('is the same text for equal values', () => {
    expect(canonicalJson({ b: [1, { d: null, c: 'x' }], a: true })).toBe(
      canonicalJson({ a: true, b: [1, { c: 'x', d: null }] }),
    );
    expect(canonicalJson({ b: 1, a: undefined })).toBe('{"b":1}');
  });

  it('differs for values that differ in order or in type', () => {
    expect(canonicalJson([1, 2])).not.toBe(canonicalJson([2, 1]));
    expect(canonicalJson({ a: '1' })).not.toBe(canonicalJson({ a: 1 }));
  });
});

it('splices a document into a body without parsing it', () => {
  const spliced = spliceJson({ event: { name: 'é"}' } }, { doc: Buffer.from('{"version":1}') });
  expect(JSON.parse(Buffer.concat(spliced).toString())).toEqual({ event: { name: 'é"}' }, doc: { version: 1 } });
});

describe('a webhook address', () => {
  it.each([
    ['https://shop.example/hook', false, true],
    ['http://shop.example/hook', true, false],
    ['http://127.0.0.1:9000/hook', true, true],
    ['http://127.0.0.1:9000/hook', false, false],
    ['https://user:word@shop.example/', true, false],
    ['ftp://localhost/', true, false],
    ['https://8.8.8.8/hook', false, true],
    ['https://[2606:4700::1111]/hook', false, true],
    ['https://10.example/hook', false, true],
    ['https://localhost/', false, false],
    ['https://hooks.localhost/', false, false],
    ['https://localhost/', true, true],
    ['https://127.0.0.1/', false, false],
    ['https://127.1/', false, false],
    ['https://2130706433/', false, false],
    ['https://0x7f000001/', false, false],
    ['https://0177.0.0.1/', false, false],
    ['https://127.0.0.1./', false, false],
    ['https://10.0.0.7/', true, false],
    ['https://167772167/', true, false],
    ['https://169.254.169.254/', true, false],
    ['https://192.168.1.1:8443/', false, false],
    ['https://[::1]/', false, false],
    ['https://[::ffff:10.0.0.7]/', true, false],
    ['https://[::ffff:7f00:1]/', false, false],
    ['https://[fd00::7]/', true, false],
    ['https://[fe80::1]/', false, false],
    ['https://[64:ff9b::a00:1]/', false, false],
    ['shop.example', true, false],
    ['https://shop.example./hook', false, true],
    [' https://shop.example/hook', false, false],
    ['https://shop.example/ho ok', false, false],
    ['https://shop.example/ho\nok', false, false],
    ['https://shop.example/\u0000', false, false],
    ['https://shop.example/\u0085', false, false],
    ['https://shop.example:0/', false, false],
    ['http://localhost:0/', true, false],
    ['https://shop..example/', false, false],
    ['https://.shop.example/', false, false],
    ['https://shop.example../', false, false],
    ['https://localhost./', false, false],
    ['https://hooks.localhost./', false, false],
    ['http://localhost.:9000/', true, true],
    ['https:shop.example/', false, false],
    ['https:///shop.example/', false, false],
    ['https:\\\\shop.example/', false, false],
    ['https://shop.example\\@10.0.0.7/', false, false],
    ['HTTPS://Shop.Example/hook', false, true],
    ['https://*.shop.example/', false, false],
    [`https://${'a'.repeat(63)}.example/`, false, true],
    [`https://${'a'.repeat(64)}.example/`, false, false],
    [`https://${'abcdefghi.'.repeat(25)}abc./`, false, true],
    [`https://${'abcdefghi.'.repeat(25)}abcd/`, false, false],
    ['https://bücher.example/', false, true],
  ])('%s (loopback open: %s) is taken: %s', (url, loopbackOpen, taken) => {
    expect(webhookUrlIssue(url, loopbackOpen) === null).toBe(taken);
  });
});
