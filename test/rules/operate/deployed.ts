/** A small deployment in good order, as `gather` finds it; `more` replaces facts. */
import type { Facts, HeardMember, StreamFact } from '../../../scripts/status/gather.ts';

export const now = Date.parse('2026-06-01T10:00:00Z');

export function member(service: HeardMember['service'], more: Partial<HeardMember> = {}): HeardMember {
  return {
    service,
    id: `${service}-1`,
    version: '1.0.0',
    node: '22.12.0',
    host: 'host',
    pid: 7,
    startedAt: now - 1_000,
    now,
    cpuUs: 0,
    memoryBytes: 100_000_000,
    filesMax: 65_536,
    nats: { server: 'nats-1', version: '2.14.3' },
    aheadMs: 0,
    roundTripMs: 2,
    ...(service === 'frontdoor' && { budgets: {}, trustsProxies: true }),
    ...(service === 'catalog' && { disk: { usedShare: 0.5, bytesFree: 1e9 } }),
    ...more,
  };
}

export function stream(name: string, more: Partial<StreamFact> = {}): StreamFact {
  const copies = ['nats-1', 'nats-2', 'nats-3'].map((server) => ({
    server,
    isCurrent: true,
    isOffline: false,
    lag: 0,
  }));
  return {
    name,
    copiesWanted: 3,
    copies,
    bytes: 1,
    messages: 3,
    lastSequence: 9,
    isOnDisk: true,
    oldestAt: now,
    ...more,
  };
}

/** Every stream of a deployment with one partition; `more` replaces those of the same name. */
export function streamsWith(...more: StreamFact[]): StreamFact[] {
  const others = ['JOURNAL-0', 'KV_CLUSTER', 'KV_OWNERS', 'OBJ_SNAPSHOTS', 'DELIVERIES'].map((name) => stream(name));
  const all = [...others, stream('BACKLOG', { messages: 0 })];
  return all.map((usual) => more.find(({ name }) => name === usual.name) ?? usual);
}

export function deployed(more: Partial<Facts> = {}): Facts {
  const owned = { partition: 0, epoch: 1, state: 'serving', haltedBy: null, haltedEvents: 0, events: [] };
  return {
    at: now,
    partitions: 1,
    server: { name: 'nats-1', version: '2.14.3', maxPayload: 17_000_000, tlsUsed: false },
    natsAheadMs: 0,
    members: (['frontdoor', 'inventory-shard', 'catalog', 'notifier'] as const).map((service) => member(service)),
    beats: [{ id: 'one', owns: [[0, 1]], regions: [], leaving: false, form: 2 }],
    shards: [{ id: 'one', partitions: [owned] }],
    streams: streamsWith(),
    journals: [
      {
        partition: 0,
        lastSequence: 9,
        projector: { behind: 0, behindMs: 0, halted: false },
        webhooks: { behind: 2, behindMs: 1_000 },
      },
    ],
    account: { bytes: 5_000_000, bytesMax: 10_000_000 },
    catalogAnswers: true,
    ...more,
  };
}
