/** Moves of an event whose owner does not reply: whether the caller may repeat them. */
import { requestDeadlineMs } from '@parterre/shared/protocol/limits';
import { expect, it } from 'vitest';
import { eventsRoutes } from '../../../services/frontdoor/src/api/events.ts';
import { shardClientOnFake } from '../../support/frontdoor/shard-client-on-fake.ts';

/** The answer at the deadline, to a command that an owner received or that no owner received. */
async function answerOf(path: string, isReceived: boolean) {
  const [method, pattern] = path.split(' ');
  const route = eventsRoutes.find((each) => each.method === method && each.path === pattern)!;
  const { shards, clock, endTurn, sent, undelivered } = shardClientOnFake();
  const event = { event: { key: 'a', region: 'africa', organisationId: 'org_1' } };
  const request = { deadlineAt: clock.elapsed() + requestDeadlineMs };
  const principal = { kind: 'secret', keyId: 'key' };
  const answer = route.handle({ ports: { shards, clock }, principal, event, request } as never);
  endTurn();
  if (!isReceived) undelivered(sent[0]!.batch);
  clock.advance(requestDeadlineMs);
  return answer;
}

const moves = [
  'POST /v1/events/{key}/close',
  'POST /v1/events/{key}/archive',
  'POST /v1/events/{key}/unarchive',
  'DELETE /v1/events/{key}',
];

it.each(moves)('%s does not ask to be repeated if it may have been done', async (path) => {
  const answer = await answerOf(path, true);
  expect(answer).toMatchObject({ ok: false, refusal: { code: 'shard_unavailable', outcome: 'unknown' } });
  expect(answer).not.toHaveProperty('refusal.retryable');
});

it.each(moves)('%s asks to be repeated if no owner received it', async (path) => {
  const answer = await answerOf(path, false);
  expect(answer).toMatchObject({ ok: false, refusal: { code: 'shard_unavailable', retryable: true } });
  expect(answer).not.toHaveProperty('refusal.outcome');
});
