/** A partition whose stream gets a new leader waits for no deadline of the leader before. */
import { JetStreamApiError } from '@nats-io/jetstream';
import { expect, test } from 'vitest';
import { createJetStreamLog, type JetStream } from '../../../services/inventory-shard/src/journal/jetstream-log.ts';
import { hold } from '../../support/inventory/house.ts';
import { partitionOnFakes, settled } from '../../support/partition/on-fakes.ts';

test('appends that the leader before may have lost are settled at once', async () => {
  const one = await partitionOnFakes();
  await one.partition.open();
  await one.create();
  const id = one.send(hold('h1', 'A-1'));
  one.partition.leaderElected();
  await settled();
  expect(one.answers(id)).toMatchObject([{ kind: 'moved' }]);
  expect(await one.ask(hold('h2', 'A-1'))).toMatchObject({ kind: 'ok' });
});

test('an election changes nothing while no append is under way', async () => {
  const one = await partitionOnFakes();
  await one.partition.open();
  await one.create();
  one.partition.leaderElected();
  expect([one.partition.state, one.journal.isOpen]).toEqual(['serving', true]);
});

test('a partition that waits to ask its log again asks at once', async () => {
  const one = await partitionOnFakes();
  await one.partition.open();
  await one.create();
  const { open } = one.journal;
  one.journal.open = async () => {
    throw new Error('no leader');
  };
  one.journal.breakOff('silence');
  await settled();
  one.journal.open = open;
  await settled();
  expect(one.partition.state).toBe('recovering');
  one.partition.leaderElected();
  await settled();
  expect(one.partition.state).toBe('serving');
});

/** A log whose stream gives these answers, one to each question. `null` is no answer. */
function logThat(answers: (number | Error | null)[]) {
  let asked = 0;
  const getMessage = () => {
    const answer = answers[asked++];
    if (answer instanceof Error) return Promise.reject(answer);
    return answer === null ? new Promise(() => {}) : Promise.resolve({ seq: answer, data: new Uint8Array(0) });
  };
  const nats = { options: {}, subscribe: () => ({ unsubscribe() {} }) };
  const stub = { nats, client: {}, manager: { streams: { getMessage } } } as unknown as JetStream;
  return { log: createJetStreamLog(stub, 0), asked: () => asked };
}

test('a read of the log that a leader did not answer is asked again while it waits', async () => {
  const { log, asked } = logThat([null, 7, 8]);
  expect((await log.last()).sequence).toBe(7);
  expect(asked()).toBe(2);
});

test('a read that is answered, or refused, is asked once', async () => {
  const answered = logThat([7, 8]);
  expect((await answered.log.last()).sequence).toBe(7);
  const refused = logThat([new JetStreamApiError({ code: 503, err_code: 10_008, description: 'no' }), 8]);
  await expect(refused.log.at(1)).rejects.toThrow();
  expect([answered.asked(), refused.asked()]).toEqual([1, 1]);
});
