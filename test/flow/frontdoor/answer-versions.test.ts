/** The versions that answers of owners tell to the front door's replicas. */
import { expect, it } from 'vitest';
import { caller, event, shardClientOnFake } from '../../support/frontdoor/shard-client-on-fake.ts';

it('tells the version of a change before its caller hears of the change', async () => {
  const { client, versions, endTurn, answer } = shardClientOnFake();
  const heard: number[] = [];
  const asked = client.submit(event, caller, { type: 'count' }).then(() => heard.push(versions.length));
  endTurn();
  answer({ id: 1, kind: 'ok', value: {}, version: 7 });
  await asked;
  expect([versions, heard]).toEqual([[['a', 7]], [1]]);
});
