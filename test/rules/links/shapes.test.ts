/** What direct links carry most names no field, and both encodings are read by one `decode`. */
import type { Command, Reply } from '@parterre/shared/protocol/commands';
import { shapes } from '@parterre/shared/protocol/link/shapes';
import { decode, encode, encodeShaped } from '@parterre/shared/protocol/wire';
import { expect, test } from 'vitest';
import { replyOf } from '../../../services/inventory-shard/src/partition/actor.ts';
import { direct, hold, house, server } from '../../support/inventory/house.ts';

const fields = new Set(shapes.flat());
const named = (message: unknown): string[] => {
  const text = Buffer.from(encodeShaped(message)).toString('latin1');
  return [...fields].filter((field) => field.length > 5 && text.includes(field));
};

test('commands and answers of a sale name no field', () => {
  const event = house();
  const commands: Command[] = [
    hold('h1', 'A-1', 'A-2'),
    // In the order of the route's fields.
    { type: 'book', callId: 'c1', bookingRef: 'r1', holdId: 'h1' },
    direct('r2', 'A-3'),
    hold('h2', 'A-4'),
    { type: 'release', holdId: 'h2', callId: 'c2' },
  ];
  for (const command of commands) {
    const envelope = { id: 7, eventKey: 'gala', caller: server, command };
    expect([command.type, named([envelope])]).toEqual([command.type, []]);
    const value = event.ok(command as Command & { type: 'hold' });
    const reply: Reply = { ...replyOf(envelope, { kind: 'ok', value }), version: 9 };
    expect([command.type, named([reply])]).toEqual([command.type, []]);
  }
});

test('a message of known and unknown shapes is read, in both encodings', () => {
  const message = [
    { id: 1, kind: 'ok', value: { anything: [{ label: 'A-1' }, { other: null }], conflicts: [] }, version: 2 },
    ...Array.from({ length: 70 }, (_, nth) => ({ [`field ${nth}`]: nth, label: 'Ä"\\ud83d' })),
  ];
  for (const bytes of [encodeShaped(message), encode(message), encodeShaped(message)])
    expect(decode(bytes)).toEqual(message);
  expect(shapes.length).toBeLessThanOrEqual(32);
});
