/** Moves of an event whose owner does not reply: whether the caller may repeat them. */
import { refuse } from '@parterre/shared/errors';
import { expect, it } from 'vitest';
import { eventMoveRoutes } from '../../../services/frontdoor/src/api/events/move-routes.ts';

const refusals = {
  silent: refuse('shard_unavailable', 'Nothing was heard.', { retryable: true }),
  full: refuse('overloaded', 'Too many.', { retryable: true }),
};

async function answerOf(path: string, refusal: keyof typeof refusals) {
  const [method, pattern] = path.split(' ');
  const route = eventMoveRoutes.find((each) => each.method === method && each.path === pattern)!;
  const ports = { shards: { submit: async () => refusals[refusal] } };
  const principal = { kind: 'secret', keyId: 'key' };
  return route.handle({ ports, principal, event: { event: { key: 'night' } }, request: {} } as never);
}

const moves = [
  'POST /v1/events/{key}/close',
  'POST /v1/events/{key}/archive',
  'POST /v1/events/{key}/unarchive',
  'DELETE /v1/events/{key}',
];

it.each(moves)('%s does not ask to be repeated if it may have been done', async (path) => {
  const answer = await answerOf(path, 'silent');
  expect(answer).toMatchObject({ ok: false, refusal: { code: 'shard_unavailable' } });
  expect(answer).not.toHaveProperty('refusal.retryable');
});

it.each(moves)('%s asks to be repeated if it was not begun', async (path) => {
  expect(await answerOf(path, 'full')).toMatchObject({ ok: false, refusal: { code: 'overloaded', retryable: true } });
});
