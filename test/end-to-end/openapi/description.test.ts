/**
 * The server and its description agree. Every example of the description is sent, and every answer (status, headers,
 * body) must fit the description. Common refusals are provoked on every operation.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describedApi } from '../../../services/frontdoor/src/api/api.ts';
import type { Example } from '../../../services/frontdoor/src/openapi/description.ts';
import { packageVersion } from '../../../services/frontdoor/src/openapi/document.ts';
import { newSessionToken } from '../../../shared/src/protocol/session-tokens.ts';
import {
  cachingProblems,
  codesOf,
  createJudge,
  type Json,
  type Operation,
  operationsOf,
  type Received,
} from '../../support/openapi.ts';
import type { Shop } from '../shop.ts';
import { buyerCircumstances } from './buyer-circumstances.ts';
import { circumstances } from './circumstances.ts';
import { consoleCircumstances } from './console-circumstances.ts';
import { ownerCircumstances } from './owner-circumstances.ts';
import { seasonCircumstances } from './season-circumstances.ts';
import { announce, credentialsFor, filled, pathAlone, pathOf, type Sending, send } from './send.ts';
import { createWorld, openLargeShop } from './world.ts';

// As a client reads it: JSON omits undefined fields.
const document: Json = JSON.parse(JSON.stringify(describedApi()));
const judge = createJudge(document);
/** heard.test.ts covers sockets, which have no examples. */
const operations = operationsOf(document).filter(({ described }) => described['x-examples']);
/** Fields of a change that change nothing themselves. */
const besideChanges = 'expectedRevision acknowledgeLiveAccess expectedPricingVersion pricingVersion reason'.split(' ');

/** The provoked refusal codes, by tag and over all. */
const provoked = new Map<string, Set<string>>();

let shop: Shop;
let session: Awaited<ReturnType<Shop['logIn']>>;

beforeAll(async () => {
  shop = await openLargeShop();
  // An event uses the chart from the start.
  await shop.event();
  session = await shop.logIn(await shop.user());
}, 120_000);
afterAll(() => shop?.stop());

it('The description is served unchanged, without a credential, with an ETag', async () => {
  const served = await shop.call('GET', '/openapi.json');
  expect(served.body).toEqual(document);
  expect(served.body.info.version).toBe(packageVersion);
  const etag = served.headers.get('etag')!;
  expect((await shop.call('GET', '/openapi.json', { headers: { 'If-None-Match': etag } })).status).toBe(304);
});

for (const operation of operations) {
  describe(`${operation.method} ${operation.path}`, () => {
    const { described } = operation;
    const examples: Example[] = described['x-examples'];

    it.each(examples.map((example) => [example.summary, example] as const))('%s', async (_, example) => {
      if (example.body !== undefined && example.answers !== 'invalid_request') {
        expect(judge.body(operation, example.body)).toEqual([]);
      }
      const answer = await send(shop, operation, await filled(createWorld(shop), operation, example));
      expectFit(operation, answer);
      expect([answer.status, codeOf(answer)]).toEqual(expectedOf(operation, example));
      if (codeOf(answer) === 'nothing_to_update') {
        const { $ref } = described.requestBody.content['application/json'].schema;
        const { properties } = document.components.schemas[$ref.split('/').at(-1)];
        const fields = Object.keys(properties).filter((field) => !besideChanges.includes(field));
        expect(
          JSON.parse(answer.text)
            .message.match(/: (.+)\.$/)?.[1]
            .split(', ')
            .sort(),
        ).toEqual(fields.sort());
      }
    });

    if (described.security.some((way: Json) => way.dashboardSession) && described.security.length > 1)
      it('lets a dashboard session do the same', async () => {
        const sending = await filled(createWorld(shop), operation, successes(examples)[0]!);
        const answer = await send(shop, operation, sending, session.write);
        expectFit(operation, answer);
        expect(answer.status).toBeLessThan(300);
      });

    it('refuses bad credentials and a bad Idempotency-Key as described', async () => {
      const path = await pathOf(createWorld(shop), operation);
      for (const [credentials, status] of await badCredentials(operation, path)) {
        const answer = await send(shop, operation, path, credentials);
        expectFit(operation, answer);
        expect(answer.status).toBe(status);
      }
      const named = await send(shop, operation, { ...path, headers: { 'Idempotency-Key': 'a b' } });
      expectFit(operation, named);
      expect(codeOf(named)).toBe('invalid_idempotency_key');
    });

    if (described.requestBody?.content['application/json'])
      it('refuses an unreadable body and a too large one', async () => {
        const bodies: [Sending, string][] = [
          [{ body: '{"a":' }, 'invalid_json'],
          [
            { body: 'a=1', headers: { 'Content-Type': 'text/plain' } },
            described.responses[415] ? 'unsupported_media_type' : 'invalid_json',
          ],
          [{ body: [] }, 'invalid_request'],
        ];
        const path = await pathOf(createWorld(shop), operation);
        for (const [sending, code] of bodies) {
          const answer = await send(shop, operation, { ...path, ...sending });
          expectFit(operation, answer);
          expect(codeOf(answer)).toBe(code);
        }
        const tooLarge = await announce(shop, operation, path.path, 2 ** 30);
        expectFit(operation, tooLarge);
        expect(tooLarge.status).toBe(413);
      });

    if (operation.path.includes('/events/{key}'))
      it('refuses an unknown event and an event of the other mode', async () => {
        const [example] = successes(examples);
        const unknown = { ...(await filled(createWorld(shop), operation, example!)) };
        const nowhere = await send(shop, operation, { ...unknown, path: { ...unknown.path, key: 'ev_none' } });
        expectFit(operation, nowhere);
        // The route judges a link's capability before it looks for the event.
        const isLink = operation.path.endsWith('/redeem');
        expect(codeOf(nowhere)).toBe(isLink ? 'buyer_access_invalid' : 'not_found');
        if (!described.security[0]?.secretKey) return;
        const live = { Authorization: `Bearer ${shop.own.live.secret}` };
        const mismatched = await send(shop, operation, unknown, live);
        expectFit(operation, mismatched);
        expect(codeOf(mismatched)).toBe('mode_mismatch');
      });

    if (described.responses[304])
      it('answers 304 without a body for a current ETag', async () => {
        const sending = await filled(createWorld(shop), operation, successes(examples)[0]!);
        const etag = (await send(shop, operation, sending)).headers.get('etag')!;
        const answer = await send(shop, operation, { ...sending, headers: { 'If-None-Match': etag } });
        expectFit(operation, answer);
        expect(answer.status).toBe(304);
      });

    if (isIdempotent(operation))
      it('repeats its first answer under an Idempotency-Key', async () => {
        const example = successes(examples)[0]!;
        const sending = await filled(createWorld(shop), operation, example);
        const headers = { 'Idempotency-Key': `described-${operation.described.operationId}` };
        const first = await send(shop, operation, { ...sending, headers });
        expectFit(operation, first);
        const again = await send(shop, operation, { ...sending, headers });
        expectFit(operation, again);
        expect([again.status, again.text]).toEqual([first.status, first.text]);
        expect(again.headers.get('idempotent-replayed')).toBe('true');
        if (sending.body === undefined) return;
        const other = await send(shop, operation, { ...sending, body: { ...sending.body, another: true }, headers });
        expectFit(operation, other);
        expect(JSON.parse(other.text).reason).toBe('idempotency_key_reused');
      });
  });
}

it('Every path refuses other methods and names its own', async () => {
  for (const path of new Set(operations.map((operation) => operation.path))) {
    const item = document.paths[path];
    const method = ['PATCH', 'PUT', 'DELETE'].find((name) => !item[name.toLowerCase()])!;
    const answer = await send(shop, { method, path, described: {} }, pathAlone({ method, path, described: {} }), {});
    expect([answer.status, judge.named('Error', JSON.parse(answer.text))]).toEqual([405, []]);
    expect(cachingProblems({ method, path, described: {} }, answer)).toEqual([]);
    const takes = answer.headers.get('allow')!.split(', ').sort();
    expect(takes).toEqual(
      Object.keys(item)
        .map((name) => name.toUpperCase())
        .sort(),
    );
  }
});

it.each(
  [...circumstances, ...buyerCircumstances, ...consoleCircumstances, ...ownerCircumstances, ...seasonCircumstances].map(
    (one) => [`${one.signature}: ${one.status} ${one.code ?? ''}`, one] as const,
  ),
)('%s', async (_, { signature, status, code, provoke }) => {
  const operation = operations.find(({ method, path }) => `${method} ${path}` === signature)!;
  const answer = await provoke(shop, operation);
  expectFit(operation, answer);
  expect([answer.status, codeOf(answer)]).toEqual([status, code]);
});

const ofOneEvent = [
  'channel_access_denied',
  'channel_paused',
  'max_quantity_exceeded',
  'public_limit',
  'buyer_limit',
  'selection_rules_broken',
  'sales_not_started',
  'sales_ended',
  'unknown_tier',
  'not_for_sale',
  'invalid_quantity',
  'ticket_option_not_applicable',
  'companion_pair_required',
  'cannot_extend',
  'hold_not_found',
];

/** Codes that cannot be provoked here cheaply or without damage. */
const notProvoked = new Set([
  // The budget of logins, which other tests here need (buyers/budgets.test.ts).
  'Dashboard: rate_limited',
  // A session ends when its last channel is archived, so this code shows only for a moment
  // (rules/inventory/channels/reach.test.ts).
  'Buyers: channel_access_denied',
  // Only a demo's visitor meets these two: an unfinished drawing, and a foreign page (operators/drafts.test.ts).
  'Buyers: invalid_chart',
  'Buyers: forbidden',
  // Each event of a group or season applies the rules of a hold, which the calls of one event provoke.
  ...ofOneEvent.flatMap((code) => [`Groups: ${code}`, `Seasons: ${code}`]),
  // groups/sales.test.ts locks events by a group; seasons have tests of their own.
  'performance_group_locked',
  'season_event_locked',
  // Only a change of nearly every seat causes this code (chart/adjustments.test.ts).
  'invalid_event_inventory',
  // operators/lost-records.test.ts damages a journal.
  'journal_lost_records',
  'internal_error',
  'shard_unavailable',
  'catalog_unavailable',
  'overloaded',
  'idempotency_in_progress',
  // The rule is that of a hold of one event, which a circumstance of buyers provokes.
  'Groups: price_missing',
  'Seasons: price_missing',
  // flow/frontdoor/oidc.test.ts signs in at an issuer.
  'issuer_unavailable',
  'sign_in_refused',
  // http/refusals.test.ts covers attacks on the framing.
  'invalid_framing',
]);

it('Every described code was provoked in each family of routes', () => {
  const missed: string[] = [];
  for (const { described } of operations) {
    const [tag] = described.tags;
    for (const response of Object.values<Json>(described.responses)) {
      for (const code of codesOf(document, response)) {
        if (notProvoked.has(code) || notProvoked.has(`${tag}: ${code}`)) continue;
        if (!provoked.get(tag)?.has(code)) missed.push(`${tag}: ${code}`);
      }
    }
  }
  expect([...new Set(missed)]).toEqual([]);
});

function expectFit(operation: Operation, answer: Received): void {
  expect(judge.answer(operation, answer)).toEqual([]);
  const [tag] = operation.described.tags;
  const code = codeOf(answer);
  if (code !== null) provoked.set(tag, (provoked.get(tag) ?? new Set()).add(code));
}

function codeOf(answer: Received): string | null {
  return answer.status >= 400 ? (JSON.parse(answer.text).code ?? null) : null;
}

function successes(examples: Example[]): Example[] {
  return examples.filter(({ answers }) => answers === undefined);
}

function expectedOf({ described }: Operation, { answers, status }: Example): [number, string | null] {
  const statuses = Object.entries<Json>(described.responses);
  const [usual] = statuses.find(([each]) => Number(each) >= 200)!;
  if (answers === undefined) return [status ?? Number(usual), null];
  const refused = statuses.find(([, response]) => codesOf(document, response).includes(answers));
  return [Number(refused?.[0]), answers];
}

function isIdempotent({ described }: Operation): boolean {
  return Object.values<Json>(described.responses).some(({ headers }) => headers?.['Idempotent-Replayed']);
}

/** A dashboard's cookie without the CSRF token. */
function writesWithoutCsrfToken({ method }: Operation): [Record<string, string>, number][] {
  return method === 'GET' ? [] : [[session.read, 403]];
}

/** Credentials that must not open the operation, each with the expected status. */
async function badCredentials(
  operation: Operation,
  { path }: { path: Record<string, string> },
): Promise<[Record<string, string> | null, number][]> {
  const right = await credentialsFor(shop, operation, path);
  const [scheme] = Object.keys(operation.described.security[0] ?? {});
  switch (scheme) {
    case 'secretKey':
      return [
        [null, 401],
        [{ Authorization: 'Bearer sk_test_00000000000000000000' }, 401],
        [{ Authorization: `Bearer ${shop.rootToken}` }, 403],
        ...writesWithoutCsrfToken(operation),
      ];
    case 'dashboardSession':
      return [
        [null, 401],
        [{ Cookie: '__Host-parterre_session=dss_0' }, 401],
        [{ Authorization: `Bearer ${shop.token}` }, 403],
        ...writesWithoutCsrfToken(operation),
      ];
    case 'rootToken':
      return [
        [null, 401],
        [{ Authorization: `Bearer ${shop.token}` }, 403],
      ];
    case 'designerSession':
      return [
        [null, 401],
        [{ ...right, Authorization: `Bearer ${newSessionToken('dse')}` }, 401],
        [{ Authorization: `Bearer ${shop.token}` }, 403],
        [{ ...right, Origin: 'https://elsewhere.example' }, 403],
      ];
    case 'groupBuyerSession':
    case 'seasonBuyerSession':
      return [
        [null, 404],
        [{ ...right, Authorization: `Bearer ${newSessionToken(scheme === 'groupBuyerSession' ? 'bgs' : 'bss')}` }, 401],
        [{ ...right, Authorization: `Bearer ${shop.own.publishable.secret}` }, 401],
        [{ ...right, Origin: 'https://elsewhere.example' }, 403],
      ];
    case 'publishableKey':
      return [
        [null, 404],
        [{ ...right, Authorization: 'Bearer pk_test_00000000000000000000' }, 401],
        [{ ...right, Origin: 'https://elsewhere.example' }, 403],
      ];
    default:
      return [];
  }
}
