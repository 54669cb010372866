/** How the rooms read an event's past from the catalog. */
import type { JournalEntry } from '@parterre/shared/catalog/history';
import { pause } from '@parterre/shared/clock';
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import { versionWaitMs } from '@parterre/shared/limits';
import type { z } from 'zod';
import { type Plans, planHashesOf } from '../../logs/logs.ts';
import { ask, type EventCall, inTime } from '../calls/calls.ts';
import type { logQuery } from './queries.ts';

/** The page of the log, or of the audit, that the query asks for. */
export async function logPage(call: EventCall<unknown, z.output<typeof logQuery>>) {
  const { limit, before } = call.query;
  return { ...(await upToNow(call)), limit, ...(before !== undefined && { before }) };
}

/**
 * The event and its current version, so that the answer includes everything that the caller was told before. If the
 * actor does not reply soon, the catalog answers with the records that it has.
 */
export async function upToNow(call: EventCall): Promise<{ eventKey: string; version: number }> {
  const eventKey = call.event.event.key;
  const late = pause(call.ports.clock, versionWaitMs).then(() => null);
  const counted = await Promise.race([ask(call, { type: 'count' }), late]);
  return { eventKey, version: counted?.ok ? counted.value.version : 0 };
}

/** The plans that the entries name. If the catalog cannot give a plan, the refusal is retryable. */
export async function plansOf(
  call: Pick<EventCall, 'ports' | 'request'>,
  entries: readonly JournalEntry[],
): Promise<Outcome<Plans>> {
  const { ports, request } = call;
  const hashes = [...new Set(entries.flatMap(planHashesOf))];
  try {
    const plans = Promise.all(hashes.map(async (hash) => [hash, await ports.plans(hash)] as const));
    return await inTime(
      call,
      plans.then((read) => done(new Map(read))),
    );
  } catch (error) {
    ports.onFault(error, request.requestId);
    return refuse('catalog_unavailable', 'The chart cannot be read at present. Try again.', { retryable: true });
  }
}
