/**
 * Whether every acknowledged hold of bench/failover/failover.ts stands in the journal once, and whether any answer was
 * wrong.
 */
import type { Ping } from '../../test/cluster/load/pingers.ts';
import { readGroups } from '../../test/support/partition/journal-groups.ts';

export async function missingHolds(natsUrl: string, partitions: number, pings: Ping[]) {
  const held = new Map<string, number>();
  for (const { group } of await readGroups(natsUrl, partitions)) {
    for (const record of group.records) {
      if (record.type === 'held') held.set(record.holdId, (held.get(record.holdId) ?? 0) + 1);
    }
  }
  const acknowledged = pings
    .filter(({ status, body }) => status === 200 && body.includes('"expiresAt"'))
    .map(({ body }) => (JSON.parse(body) as { holdId: string }).holdId);
  return {
    acknowledged: acknowledged.length,
    missing: acknowledged.filter((holdId) => held.get(holdId) !== 1),
    // A call that was not answered in time is retryable, or has an unknown outcome. No other failure is right here.
    wrong: pings
      .filter(({ status, body }) => status !== 200 && !/"retryable":true|"outcome":"unknown"/.test(body))
      .map(({ status, body }) => `${status} ${body}`),
  };
}
