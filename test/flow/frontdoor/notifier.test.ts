/** A front door with a notifier that answers, with one that refuses, and with none. */
import type { Scope } from '@parterre/shared/protocol/catalog/scope';
import { done, refuse } from '@parterre/shared/protocol/errors';
import { subjects } from '@parterre/shared/protocol/subjects';
import { testSendMs } from '@parterre/shared/protocol/webhook-limits';
import { decode, encode } from '@parterre/shared/protocol/wire';
import { systemClock } from '@parterre/shared/runtime/clock';
import { createLog } from '@parterre/shared/runtime/log';
import { connectNats, type NatsConnection } from '@parterre/shared/runtime/nats';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createNotifierClient } from '../../../services/frontdoor/src/api/calls/notifier-client.ts';
import { startNats } from '../../support/servers/nats.ts';

let server: Awaited<ReturnType<typeof startNats>>;
let nats: NatsConnection;
beforeAll(async () => {
  server = await startNats();
  nats = await connectNats({ url: server.url, name: 'test' }, createLog('test', 'silent'));
});
afterAll(async () => {
  await nats.close();
  await server.stop();
});

const scope: Scope = {
  organisationId: 'org_1',
  mode: null,
  workspaceId: null,
  environment: null,
  actor: 'usr_1',
  role: 'admin',
};

/** A test whose request has a minute left. */
function ask(input: { scope: Scope; id: string }) {
  return createNotifierClient(nats, createLog('test', 'silent'), systemClock)(
    'test',
    input,
    systemClock.elapsed() + 60_000,
  );
}

it('hears at once that there is no notifier, and may ask again', async () => {
  const asked = await ask({ scope, id: 'whk_1' });
  expect(asked).toMatchObject({ ok: false, refusal: { code: 'shard_unavailable', retryable: true } });
});

it('waits little longer for a test than a test may take', async () => {
  const subscription = nats.subscribe(subjects.notifier('test'), { callback() {} });
  await nats.flush();
  const since = performance.now();
  const asked = await ask({ scope, id: 'whk_1' });
  expect(asked).toMatchObject({ ok: false, refusal: { code: 'shard_unavailable', retryable: true } });
  expect(performance.now() - since).toBeLessThan(testSendMs + 5_000);
  subscription.unsubscribe();
}, 15_000);

it('gets every answer of a notifier, refusals included', async () => {
  const heard: unknown[] = [];
  const answers = [done({ test: { delivered: true } }), refuse('not_found', 'There is no such subscription.')];
  const subscription = nats.subscribe(subjects.notifier('test'), {
    callback(_, message) {
      heard.push(decode(message.data));
      message.respond(encode(answers[heard.length - 1]));
    },
  });
  for (const answer of answers) expect(await ask({ scope, id: 'whk_1' })).toEqual(answer);
  expect(heard).toEqual(Array(2).fill({ scope, id: 'whk_1' }));
  subscription.unsubscribe();
});
