/** The latest entries of an event's log, in the form that callers read. Throws if the catalog refuses. */

import type { PlanSource } from '@parterre/shared/charts/plans/plans';
import { Fault } from '@parterre/shared/protocol/errors';
import type { CatalogClient } from '@parterre/shared/runtime/catalog-client';
import { logEntryOf, planHashesOf, withoutChannels } from '../logs/logs.ts';
import type { LatestEntries } from './activity.ts';

export function createLatestLog(catalog: CatalogClient, plans: PlanSource) {
  return async (eventKey: string, version: number, limit: number): Promise<LatestEntries> => {
    const found = await catalog('history.log', { eventKey, version, limit });
    if (!found.ok) throw new Fault(`read the log of ${eventKey}: ${found.refusal.code}`);
    const { entries } = found.value;
    const hashes = [...new Set(entries.flatMap(planHashesOf))];
    const known = new Map(await Promise.all(hashes.map(async (hash) => [hash, await plans(hash)] as const)));
    return {
      whole: entries.map((entry) => logEntryOf(known, entry)),
      channelless: withoutChannels(entries).map((entry) => logEntryOf(known, entry)),
    };
  };
}
