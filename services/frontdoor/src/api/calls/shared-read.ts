/**
 * Reads of an event that depend on no caller. Callers who ask in one turn of the event loop share one command: it
 * leaves at the end of the turn (shards/dispatcher.ts), so it shows every change that one of them has seen. A read that
 * has left already is not shared, since it may show an earlier state.
 */
import type { Answers } from '@parterre/shared/protocol/answers';
import type { Command } from '@parterre/shared/protocol/commands';
import type { Outcome } from '@parterre/shared/protocol/errors';
import type { ShardClient } from '../../shards/shard-client.ts';
import { ask } from './ask.ts';
import type { EventCall } from './route.ts';

type ReportRead = Command & { type: 'report' };
type Shared = Promise<Outcome<Answers[ReportRead['type']]>>;

/** The reads of this turn, by event. */
const ofTurn = new WeakMap<ShardClient, Map<string, Shared>>();

export function askShared(call: EventCall<unknown>, read: ReportRead): Shared {
  const reads = readsOfTurn(call.ports.shards);
  const { key } = call.event.event;
  const known = reads.get(key);
  if (known) return known;
  const asked = ask(call, read);
  reads.set(key, asked);
  return asked;
}

function readsOfTurn(shards: ShardClient): Map<string, Shared> {
  const known = ofTurn.get(shards);
  if (known) return known;
  const reads = new Map<string, Shared>();
  ofTurn.set(shards, reads);
  setImmediate(() => ofTurn.delete(shards));
  return reads;
}
