/** Rows of direct links at the shard client, over a fake bus and a clock of the test. */
import type { Command } from '@parterre/shared/protocol/commands';
import { done, refuse } from '@parterre/shared/protocol/errors';
import { requestDeadlineMs } from '@parterre/shared/protocol/limits';
import { AnswerText, rowOfReply } from '@parterre/shared/protocol/link/link';
import { describe, expect, it } from 'vitest';
import { caller, event, shardClientOnFake } from '../../support/frontdoor/shard-client-on-fake.ts';

describe('rows', () => {
  const hold: Command & { type: 'hold' } = { type: 'hold', holdId: 'h1', selections: [{ label: 'A-1' }] };
  const value = { holdId: 'h1', expiresAt: 9, items: [], labels: ['A-1'], currency: 'EUR' };
  const row = (id: number, copy = 0) => rowOfReply({ id, copy, version: 5, kind: 'ok', value }, 'hold');

  it('answer a promise with the value, and a listener with the text', async () => {
    const { client, clock, sent, endTurn, answer, versions } = shardClientOnFake();
    const promised = client.submit(event, caller, hold);
    const heard: unknown[] = [];
    client.send(event, caller, hold, clock.elapsed() + requestDeadlineMs, (outcome) => heard.push(outcome));
    endTurn();
    expect(sent[0]!.envelopes.map(({ command }) => command)).toEqual([hold, hold]);
    answer(row(1), row(2));
    expect(await promised).toEqual(done(value));
    expect(heard).toEqual([done(new AnswerText(JSON.stringify(value)))]);
    expect(versions).toEqual([
      ['a', 5],
      ['a', 5],
    ]);
  });

  it('name their copy: a refusal counts for the last copy alone', async () => {
    const { client, clock, endTurn, answer } = shardClientOnFake();
    const answered = client.submit(event, caller, hold);
    endTurn();
    clock.advance(2_100);
    endTurn();
    const { refusal } = refuse('conflict', 'Sold.', { details: { conflicts: [] } });
    answer(rowOfReply({ id: 1, kind: 'refused', refusal }, 'hold'));
    answer(row(1, 2));
    expect(await answered).toEqual(done(value));
  });
});

it('an unreadable text of an answer is an internal fault, and is logged', async () => {
  const { client, endTurn, answer, faults } = shardClientOnFake();
  const answered = client.submit(event, caller, { type: 'count' });
  endTurn();
  answer([0, 1, 0, 0, '{"total":']);
  expect(await answered).toMatchObject({ ok: false, refusal: { code: 'internal_error' } });
  expect(faults).toHaveLength(1);
});
