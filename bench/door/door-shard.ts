/**
 * The stand-in for a shard of bench/door/door.ts: answers each batch of commands over the direct link with fixed
 * answers, one message a turn, like a shard without work. A seat whose label begins with X or Y is sold. The refusal of
 * a Y stands.
 */
import type { LineItem } from '@parterre/shared/protocol/answers';
import type { Answer, Command, Envelope, Reply } from '@parterre/shared/protocol/commands';
import { decode, encodeShaped } from '@parterre/shared/protocol/wire';
import { systemClock } from '@parterre/shared/runtime/clock';
import { keyFor } from '@parterre/shared/runtime/deployment-secret';
import { createLog } from '@parterre/shared/runtime/log';
import { LinkServer } from '../../services/inventory-shard/src/links/link-server.ts';
import { doorEpoch, doorPartitions, doorRow, doorSecret } from './door-world.ts';

const holdMs = 600_000;
const standsMs = 50;
const server = new LinkServer({
  keys: [keyFor('links', doorSecret)],
  clock: systemClock,
  log: createLog('door-shard', 'warn'),
});

function answerTo(command: Command): Answer {
  switch (command.type) {
    case 'hold': {
      const { label } = command.selections[0]!;
      if (label.startsWith('X')) return sold(label);
      if (label.startsWith('Y')) return { ...sold(label), stands: [standsMs, doorEpoch, 1] };
      const expiresAt = Date.now() + holdMs;
      const value = { holdId: command.holdId, expiresAt, items: [itemOf(label)], labels: [label], currency: 'EUR' };
      return { kind: 'ok', value };
    }
    case 'book':
      return { kind: 'ok', value: { booked: ['A-1'], items: [itemOf('A-1')] } };
    case 'spend': {
      const { limit, windowMs, amount } = command;
      const spent = { allowed: true, remaining: limit - 1, resetAfterMs: windowMs };
      return { kind: 'ok', value: amount === undefined ? spent : { ...spent, granted: amount } };
    }
    default:
      throw new Error(`The bench has no ${command.type}.`);
  }
}

function itemOf(label: string): LineItem {
  return {
    label,
    objectId: `${doorRow.id}:4`,
    objectType: 'seat',
    categoryKey: 'stalls',
    tierId: null,
    unitPrice: 45,
    currency: 'EUR',
    bookingMode: 'individual',
    channelId: null,
    accessSource: 'public',
    releaseId: null,
  };
}

function sold(label: string): Answer & { kind: 'refused' } {
  const message =
    'Some of the requested seats are not available: conflicts lists them. Nothing was changed. Choose other seats.';
  const conflicts = [{ label, status: 'booked' }];
  return { kind: 'refused', refusal: { code: 'conflict', message, details: { conflicts } } };
}

/** The replies of this turn to each front door. */
const replies: Record<string, Reply[]> = {};

function flush(frontDoor: string): void {
  server.linkOf(frontDoor)?.answer(encodeShaped(replies[frontDoor]));
  replies[frontDoor] = [];
}

let version = 0;

function take(payload: Uint8Array, replyTo: string): void {
  const [frontDoor = ''] = replyTo.split('.');
  replies[frontDoor] ??= [];
  const due = replies[frontDoor];
  if (due.length === 0) setImmediate(flush, frontDoor);
  for (const { id, command } of decode<Envelope[]>(payload)) {
    const answer = answerTo(command);
    // In the order of the shard's own fields, which the link knows.
    due.push(answer.kind === 'ok' ? { id, ...answer, version: ++version } : { id, ...answer });
  }
}

for (let partition = 0; partition < doorPartitions; partition++) server.deliver(partition, doorEpoch, take);
const address = await server.listen(null);
process.send!({ address });
process.on('disconnect', () => process.exit(0));
// The port of the links keeps no process alive.
setInterval(() => {}, holdMs);
