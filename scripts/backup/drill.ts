/**
 * `npx parterre drill DIR`: a backup, its restore into a scratch deployment, and a comparison of every map.
 *
 * The scratch deployment has NATS, a catalog and a shard, in a temporary folder. It has no notifier, so receivers get
 * nothing, and no front door. Both deployments are asked for each event's map. Neither stands still at the cut: the
 * running one goes on selling, and the restored one ends the holds that are due. So each map is compared with a fold of
 * the journal up to the map's own version:
 *
 *   the running map at version r    = the restored journal up to the cut, then the running journal up to r
 *   the restored map at version s   = the restored journal up to s
 *
 * Both folds begin with the same restored messages. If both equalities hold, the restored journal has every change of
 * the running map up to the cut, and the restored shard reads it as the running one did.
 *
 * States: backed up → restored → scratch runs → maps asked → compared → scratch stopped and deleted, also after a
 * failure. Failure at an await: a map is not answered for `askMsMax` → the event counts as different.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { firstReply } from '../../services/catalog/src/shards/ask-events.ts';
import { events } from '../../services/catalog/src/store/collections.ts';
import type { EventDocument } from '../../services/catalog/src/store/rules/records.ts';
import type { CopiedRecord } from '../../services/catalog/src/store/store-copies.ts';
import type { EventState } from '../../services/inventory-shard/src/rules/state/event-state.ts';
import { compileDocument } from '../../shared/src/charts/plans/compile-document.ts';
import { createPlanSource, type PlanSource } from '../../shared/src/charts/plans/plans.ts';
import type { EventView } from '../../shared/src/protocol/answers.ts';
import type { Caller } from '../../shared/src/protocol/commands.ts';
import { unpackStatuses } from '../../shared/src/protocol/packed-statuses.ts';
import { names, subjects } from '../../shared/src/protocol/subjects.ts';
import { encode } from '../../shared/src/protocol/wire.ts';
import { createCatalogClient } from '../../shared/src/runtime/catalog-client.ts';
import { systemClock } from '../../shared/src/runtime/clock.ts';
import { createLog } from '../../shared/src/runtime/log.ts';
import { createPlacement, type EventAddress } from '../../shared/src/runtime/placement.ts';
import { leaveDataFolder } from '../launch/data-folder.ts';
import type { Fleet } from '../launch/fleet.ts';
import { oneOfEach } from '../launch/topology.ts';
import { backUp } from './backup.ts';
import type { Manifest } from './backup-folder.ts';
import { type Connected, connectTo, type Deployment } from './deployment.ts';
import { foldTo } from './fold.ts';
import { inCheckout, restore } from './launched-target.ts';
import { journalMessages, type StoredMessage } from './messages.ts';
import { progressOf, type Say } from './progress.ts';
import { readRecords } from './record-file.ts';
import { Refused } from './refused.ts';

const askMsMax = 30_000;
const silenceMs = 2_000;
const asksAtOnce = 8;
const differencesShown = 10;
const nobody: Caller = { source: 'timer', actor: null, accessSource: 'public' };

type Drill = { manifest: Manifest; running: Connected; scratch: Connected; plans: PlanSource; say: Say };

/** Throws a `Refused` that names the events whose maps differ. */
export async function drill(deployment: Deployment, folder: string, env: NodeJS.ProcessEnv, say: Say) {
  const { prepareDeployment } = await inCheckout(() => import('../launch/deployment.ts'));
  const manifest = await backUp(deployment, folder, say);
  const scratchFolder = await mkdtemp(join(tmpdir(), 'parterre-drill-'));
  const own = {
    NATS_URL: '',
    NATS_URL_FILE: '',
    MONGODB_URL: '',
    MONGODB_URL_FILE: '',
    PORT: '0',
    HEALTH_PORT: '0',
    HOST: '',
  };
  try {
    const settings = await restore(folder, { ...env, ...own, PARTERRE_DATA: scratchFolder }, 'one-of-each', say);
    const counts = { ...oneOfEach.counts, notifier: 0, frontdoor: 0 };
    const prepared = await prepareDeployment({ ...settings, topology: { counts, numbered: false } }, { say });
    if ('problem' in prepared) throw new Refused(prepared.problem);
    try {
      await prepared.fleet.start();
      return await compareMaps(deployment, folder, manifest, prepared.fleet, say);
    } finally {
      await prepared.fleet.stop();
      leaveDataFolder(scratchFolder);
    }
  } finally {
    await rm(scratchFolder, { recursive: true, force: true });
  }
}

async function compareMaps(deployment: Deployment, folder: string, manifest: Manifest, fleet: Fleet, say: Say) {
  const running = await connectTo(deployment.nats);
  const scratch = await connectTo({ url: fleet.addresses().join(','), authenticator: null, tls: null });
  const compile = async (doc: Uint8Array, hash: string) => compileDocument(doc, hash);
  const plans = createPlanSource(createCatalogClient(scratch.nats, createLog('drill', 'warn')), { compile });
  try {
    const partitions = await eventsByPartition(folder, manifest);
    const count = [...partitions.values()].reduce((sum, keys) => sum + keys.length, 0);
    const line = progressOf(say, 'Maps compared', count);
    const different: string[] = [];
    for (const [partition, eventKeys] of partitions) {
      const drilled = { manifest, running, scratch, plans, say };
      different.push(...(await comparePartition(drilled, partition, eventKeys)));
      line.passed(eventKeys.length);
    }
    line.end();
    if (different.length === 0) return { backup: manifest.id, cutAt: manifest.cutAt, maps: count, different: 0 };
    const shown = different.slice(0, differencesShown).join(', ');
    throw new Refused(`${different.length} of ${count} maps differ from the running deployment: ${shown}.`);
  } finally {
    await Promise.all([running.nats.close(), scratch.nats.close()]);
  }
}

/** The events of the restored catalog, deleted ones too. */
async function eventsByPartition(folder: string, { catalog, layout }: Manifest): Promise<Map<number, string[]>> {
  const place = createPlacement(layout);
  const partitions = new Map<number, string[]>();
  for await (const record of readRecords<CopiedRecord>(folder, catalog.file)) {
    if (record[0] === 'blob' || record[1] !== events.name) continue;
    const key = record[2];
    const partition = place({ key, region: (record[4] as EventDocument).region } as EventAddress);
    const others = partitions.get(partition);
    if (others) others.push(key);
    else partitions.set(partition, [key]);
  }
  return partitions;
}

/** The keys of the events whose maps differ. */
async function comparePartition(drilled: Drill, partition: number, eventKeys: readonly string[]): Promise<string[]> {
  const { manifest, running, scratch, plans } = drilled;
  const stream = names.journalStream(partition);
  const { segments, last } = manifest.journals[stream]!;
  const first = segments[0]?.first ?? last + 1;
  const runningMaps = await mapsOf(running, partition, eventKeys);
  const scratchMaps = await mapsOf(scratch, partition, eventKeys);
  async function* runningHistory(): AsyncGenerator<StoredMessage> {
    yield* journalMessages(scratch, stream, first, last);
    yield* journalMessages(running, stream, last + 1, latestOf(runningMaps));
  }
  const runningStates = await foldTo(runningHistory(), versionsOf(runningMaps), plans);
  const scratchHistory = journalMessages(scratch, stream, first, Math.max(last, latestOf(scratchMaps)));
  const scratchStates = await foldTo(scratchHistory, versionsOf(scratchMaps), plans);
  return eventKeys.filter((eventKey) => {
    const [here, there] = [runningMaps.get(eventKey), scratchMaps.get(eventKey)];
    // An event that nobody has used yet has no map.
    if (typeof here !== 'object' || typeof there !== 'object') return here !== there || here === unanswered;
    return !equals(here, runningStates.get(eventKey)) || !equals(there, scratchStates.get(eventKey));
  });
}

function equals(map: EventView, state: EventState | undefined): boolean {
  if (state === undefined) return false;
  const { unitCount } = state.plan;
  if (map.version !== state.version || map.unitCount !== unitCount || map.status !== state.status) return false;
  return Buffer.compare(unpackStatuses(map.statuses, unitCount), state.statuses.subarray(0, unitCount)) === 0;
}

const unanswered = 'unanswered';

/** A map; else `absent` for an event without a journal, the code of a refusal, or `unanswered`. */
type AskedMap = EventView | string;

async function mapsOf(
  { nats }: Connected,
  partition: number,
  eventKeys: readonly string[],
): Promise<Map<string, AskedMap>> {
  const maps = new Map<string, AskedMap>();
  const waiting = eventKeys.values();
  const work = async (): Promise<void> => {
    for (const eventKey of waiting) maps.set(eventKey, await mapOf(nats, partition, eventKey));
  };
  await Promise.all(Array.from({ length: asksAtOnce }, work));
  return maps;
}

async function mapOf(nats: Connected['nats'], partition: number, eventKey: string): Promise<AskedMap> {
  const payload = encode([{ id: 1, eventKey, caller: nobody, command: { type: 'view' } }]);
  for (const until = performance.now() + askMsMax; performance.now() < until; ) {
    const reply = await firstReply({ nats, clock: systemClock }, subjects.commands(partition), payload, 1, silenceMs);
    if (reply?.kind === 'ok') {
      const view = reply.value as EventView;
      return view.stale ? 'journal_lost_records' : view;
    }
    if (reply?.kind === 'absent') return 'absent';
    if (reply?.kind === 'refused' && !reply.refusal.retryable) return reply.refusal.code;
    await new Promise((resolve) => void setTimeout(resolve, 100));
  }
  return unanswered;
}

function versionsOf(maps: ReadonlyMap<string, AskedMap>): Map<string, number> {
  const versions = new Map<string, number>();
  for (const [eventKey, map] of maps) if (typeof map === 'object') versions.set(eventKey, map.version);
  return versions;
}

const latestOf = (maps: ReadonlyMap<string, AskedMap>): number => Math.max(0, ...versionsOf(maps).values());
