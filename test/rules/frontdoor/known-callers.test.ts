/** A request whose key and event are known waits for nothing on its way to the event's actor. */
import { done } from '@parterre/shared/protocol/errors';
import { expect, test } from 'vitest';
import type { Request } from '../../../services/frontdoor/src/admission/admission.ts';
import { routes } from '../../../services/frontdoor/src/api/api.ts';
import type { Ports } from '../../../services/frontdoor/src/api/calls/ports.ts';
import { submitted } from '../../support/frontdoor/submitted.ts';

const key = { kind: 'secret', organisationId: 'org', mode: 'test', workspaceId: null, keyId: 'key' };
const event = { key: 'ev_1', organisationId: 'org', mode: 'test', workspaceId: null, status: 'published' };
const refused = { ok: false, refusal: { code: 'conflict', message: 'Taken.', details: {} } };

const requestOf = (body: object) =>
  ({
    method: 'POST',
    requestId: 'r1',
    params: ['ev_1'],
    contentType: 'application/json',
    idempotencyKey: '',
    deadlineAt: 10,
    incoming: null,
    body: Buffer.from(JSON.stringify(body)),
  }) as unknown as Request;

test.each([
  ['hold', { labels: ['A-1'] }],
  ['extend', { holdId: 'hld_1' }],
  ['release', { holdId: 'hld_1' }],
  ['book', { holdId: 'hld_1', bookingRef: 'order-1' }],
])('%s reaches the actor in the turn in which its body is whole', async (action, body) => {
  const asked: string[] = [];
  const ports = {
    clock: { elapsed: () => 0 },
    budgets: null,
    principals: { console: () => done(key) },
    events: { get: () => done({ event, config: {} }) },
    shards: {
      refusalOf: () => null,
      submit: (_event: unknown, _caller: unknown, { type }: { type: string }) => {
        asked.push(type);
        return Promise.resolve(refused);
      },
      send(
        _event: unknown,
        _caller: unknown,
        { type }: { type: string },
        _at: number,
        answered: (told: object) => void,
      ) {
        asked.push(type);
        setImmediate(answered, refused);
      },
    },
  } as unknown as Ports;
  const route = routes.find(({ method, path }) => method === 'POST' && path === `/v1/events/{key}/${action}`)!;
  const answer = submitted(ports, route, requestOf(body));
  expect(asked).toEqual([action]);
  expect(await answer).toMatchObject({ status: 409 });
});

test.each(['/v1', '/pub'])('A hold at %s whose refusal stands asks no actor', async (base) => {
  const known = { ...key, kind: base === '/v1' ? 'secret' : 'publishable' };
  const asked: unknown[] = [];
  const ports = {
    clock: { elapsed: () => 0 },
    budgets: null,
    principals: { console: () => done(known), buyer: () => done(known) },
    events: { get: () => done({ event, config: {} }) },
    shards: {
      refusalOf(_event: unknown, { source }: { source: string }, { selections }: { selections: unknown }) {
        asked.push(source, selections);
        return refused;
      },
    },
  } as unknown as Ports;
  const route = routes.find(({ method, path }) => method === 'POST' && path === `${base}/events/{key}/hold`)!;
  expect(await submitted(ports, route, requestOf({ labels: ['A-1'] }))).toMatchObject({ status: 409 });
  expect(asked).toEqual([base === '/v1' ? 'server' : 'buyer', [{ label: 'A-1' }]]);
});
