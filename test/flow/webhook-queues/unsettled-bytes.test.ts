import { systemClock } from '@parterre/shared/runtime/clock';
import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import type { Delivery } from '../../../services/notifier/src/deliveries/rules/delivery.ts';
import { settleGroups } from '../../../services/notifier/src/journal/settle-groups.ts';
import { createUnsettled } from '../../../services/notifier/src/streams/unsettled.ts';

test('the bytes of an unsettled message count, even where its deliveries have no body', async () => {
  const data = new Uint8Array(1_000);
  const unsettled = createUnsettled(systemClock, { messages: 100, bytes: data.length });
  let endDispatch = (): void => {};
  const dispatched = new Promise<void>((resolve) => {
    endDispatch = resolve;
  });
  const deliveries = [{ body: null } as unknown as Delivery];
  const ports = {
    fanOut: async () => ({ kind: 'deliveries' as const, deliveries }),
    putPart: async () => {},
    dispatch: { dispatchNew: () => dispatched, room: async () => {} },
    unsettled,
    log: pino({ level: 'silent' }),
  };
  const ack = vi.fn();
  const message = { data, ack, again: () => {}, working: () => {}, deliveryCount: 1 };
  const groups = [{ eventKey: 'gala', data }];
  const heard = { message, place: { partition: 0, sequence: 1 }, groups };
  await settleGroups(ports, heard, new AbortController().signal);
  const hasRoom = vi.fn();
  const room = unsettled.room().then(hasRoom);
  await new Promise((resolve) => setImmediate(resolve));
  expect(hasRoom).not.toHaveBeenCalled();
  endDispatch();
  await room;
  expect(ack).toHaveBeenCalledOnce();
});
