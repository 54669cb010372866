/** Reads of one turn of the event loop are one command. */
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { EventCall } from '../../../../services/frontdoor/src/api/calls/route.ts';
import { askShared } from '../../../../services/frontdoor/src/api/calls/shared-read.ts';

test('callers of one turn share a read of an event, and a later caller asks anew', async () => {
  const asked: string[] = [];
  const shards = {
    submit: async ({ key }: { key: string }) => {
      asked.push(key);
      return { ok: true, value: asked.length };
    },
  };
  const read = (key: string) =>
    askShared(
      {
        ports: { shards },
        event: { event: { key } },
        request: { deadlineAt: 10 },
        principal: { kind: 'secret', keyId: 'key' },
      } as unknown as EventCall<unknown>,
      { type: 'report' },
    );
  const [first, second, other] = await Promise.all([read('a'), read('a'), read('b')]);
  expect([first, second, other]).toEqual([1, 1, 2].map((value) => ({ ok: true, value })));
  await turn();
  expect(await read('a')).toEqual({ ok: true, value: 3 });
  expect(asked).toEqual(['a', 'b', 'a']);
});
