/**
 * The facts of the doctor beyond those of the status. Reads, and changes nothing, except that `--warm` opens events.
 *
 * Failure at each await: what does not answer is null or missing among the facts, and becomes an `unknown` finding. An
 * event that does not exist → `Refused`.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { durabilityOf } from '../../services/inventory-shard/src/journal/streams.ts';
import type { Answers } from '../../shared/src/protocol/answers.ts';
import type { EventRecord } from '../../shared/src/protocol/catalog/events.ts';
import { natsPayloadBytesMin, natsPayloadBytesRoomy } from '../../shared/src/protocol/limits.ts';
import { natsAddresses } from '../../shared/src/runtime/nats-access.ts';
import { type Deployment, findDeployment } from '../backup/deployment.ts';
import { findTarget } from '../operate/target.ts';
import { askActor, findEvent, operatorOf, partitionOfEvent } from '../status/event.ts';
import { type Facts, gather, type Looking, statusOf } from '../status/gather.ts';
import { copiesOfJournals } from '../status/rules/copies.ts';
import { claimOn, natsVersions, statusReport } from '../status/rules/status-report.ts';
import { organisationIds, readWebhooks } from '../status/webhooks.ts';
import { certificateOf } from './certificates.ts';
import type { DoctorCall, DoctorOptions } from './options.ts';
import { probe } from './probe.ts';
import type { CertificateFact, DoctorFacts, EventFact, KeyFact, SyncFact } from './rules/findings.ts';

const monitorMs = 5_000;
/** Live events that are looked for among the shards' loaded ones. */
const eventsMax = 5_000;
const askedAtOnce = 1_000;
const nanosPerSecond = 1_000_000_000;

export async function examine(looking: Looking, call: DoctorCall, options: DoctorOptions): Promise<DoctorFacts> {
  const { env, cwd, version, say } = call;
  await warm(looking, options.warm);
  const deployed = await gather(looking);
  const deployment = findDeployment(env, cwd);
  const target = findTarget(env, cwd);
  const known = 'problem' in target ? null : target;
  const url = options.url ?? known?.url ?? null;
  const named = [...new Set([...options.events, ...options.warm])];
  say('Looking at events, keys and webhooks …');
  const events: EventFact[] = [];
  for (const key of named) events.push(await eventFact(looking, deployed, key));
  const organisations =
    named.length > 0 ? [...new Set(events.map(({ organisation }) => organisation))] : await organisationIds(looking);
  say('Asking from outside …');
  return {
    deployed,
    version,
    trouble: statusReport(deployed).trouble,
    durability: durabilities(deployed),
    payloadMin: natsPayloadBytesMin,
    payloadRoomy: natsPayloadBytesRoomy,
    syncs: await syncsOf(options.monitors, deployment),
    certificates: await certificatesOf(deployment, url),
    probe: url === null ? null : await probe(url, known?.rootToken ?? null, url === known?.url),
    expected: { holdsAMinute: options.holdsAMinute, buyers: options.buyers },
    events,
    cold: named.length > 0 ? null : await coldEvents(looking, deployed, organisations),
    keys: await keysOf(looking, organisations),
    webhooks: await webhooksOf(looking, organisations),
  };
}

/** Any question to an event's actor loads the event. */
async function warm(looking: Looking, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    const event = await findEvent(looking, key);
    const startedAt = performance.now();
    await askActor(looking, await partitionOfEvent(looking, event), key, 'count');
    looking.say(`Opened ${key} in ${Math.round(performance.now() - startedAt)} ms`);
  }
}

function durabilities(deployed: Facts): DoctorFacts['durability'] {
  const copies = copiesOfJournals(deployed.streams);
  return natsVersions(deployed).map((version) => {
    const told = durabilityOf(version, copies);
    if ('refused' in told) return { version, problems: [told.refused], isRefused: true };
    // The doctor tells of single copies by itself.
    return { version, problems: told.warnings.filter((words) => !/one copy/.test(words)), isRefused: false };
  });
}

async function eventFact(looking: Looking, deployed: Facts, key: string): Promise<EventFact> {
  const event = await findEvent(looking, key);
  const partition = await partitionOfEvent(looking, event);
  const owner = claimOn(partition, deployed.beats)?.owner;
  const told = owner === undefined ? null : await statusOf(looking.nats, owner, [key]);
  const asked = told?.asked?.[0];
  const isLoaded = asked === undefined ? null : asked.loadedVersion !== null;
  const releases = isLoaded ? await askActor(looking, partition, key, 'releases') : null;
  const times = typeof releases === 'object' && releases !== null ? timesOf(releases) : {};
  const found = await looking.catalog('organisations.get', { organisationId: event.organisationId });
  return {
    key,
    organisation: event.organisationId,
    mode: event.mode,
    status: event.status,
    salesPaused: event.salesPaused,
    isLoaded,
    ...times,
    left: Math.max(0, event.seatTotal - event.sold),
    credits: found.ok ? found.value.organisation.credits : null,
  };
}

function timesOf({ salesStartAt, salesEndAt }: Answers['releases']): Pick<EventFact, 'salesStartAt' | 'salesEndAt'> {
  return { salesStartAt: salesStartAt ?? null, salesEndAt: salesEndAt ?? null };
}

/** Which live events on sale no shard has in memory. Null where a shard does not tell. */
async function coldEvents(looking: Looking, deployed: Facts, organisations: string[]): Promise<DoctorFacts['cold']> {
  const live: EventRecord[] = [];
  for (const id of organisations) {
    for (let cursor: string | undefined; live.length < eventsMax; ) {
      const scope = { ...operatorOf(id), mode: 'live' as const };
      const page = await looking.catalog('events.list', { scope, page: { limit: 200, ...(cursor && { cursor }) } });
      if (!page.ok) return null;
      live.push(...page.value.events.filter(({ status }) => status === 'active'));
      cursor = page.value.nextCursor;
      if (cursor === undefined) break;
    }
  }
  const keys = live.filter(({ startsAt }) => startsAt === null || startsAt > deployed.at).map(({ key }) => key);
  const loaded = new Set<string>();
  for (const { id } of deployed.beats) {
    for (let from = 0; from < keys.length; from += askedAtOnce) {
      const told = await statusOf(looking.nats, id, keys.slice(from, from + askedAtOnce));
      if (told?.asked === undefined) return null;
      for (const { eventKey, loadedVersion } of told.asked) if (loadedVersion !== null) loaded.add(eventKey);
    }
  }
  return { events: keys.length, cold: keys.filter((key) => !loaded.has(key)) };
}

async function keysOf({ catalog }: Looking, organisations: string[]): Promise<KeyFact[]> {
  const facts: KeyFact[] = [];
  for (const organisation of organisations) {
    const page = await catalog('keys.list', { organisationId: organisation, page: { limit: 200 } });
    for (const { id, kind, mode, budgets, revokedAt } of page.ok ? page.value.keys : []) {
      const holds = kind === 'secret' ? budgets?.serverHolds : budgets?.buyerHolds;
      if (revokedAt === null) facts.push({ id, organisation, kind, mode, ...(holds !== undefined && { holds }) });
    }
  }
  return facts;
}

async function webhooksOf(looking: Looking, organisations: string[]): Promise<DoctorFacts['webhooks']> {
  const facts: DoctorFacts['webhooks'] = [];
  for (const organisation of organisations) {
    for (const { id, disabled, pausedReason, lastStatus, waiting } of await readWebhooks(looking, organisation)) {
      facts.push({ id, organisation, paused: disabled ? (pausedReason ?? 'unknown') : null, lastStatus, waiting });
    }
  }
  return facts;
}

/** From the servers' monitoring; else from the files of the servers that a launcher runs here. */
async function syncsOf(monitors: readonly string[], { dataFolder, setup }: Deployment): Promise<SyncFact[]> {
  if (monitors.length > 0) return Promise.all(monitors.map(monitoredSync));
  const folders = setup === null || !existsSync(dataFolder) ? [] : readdirSync(dataFolder);
  const files = folders.filter((name) => existsSync(join(dataFolder, name, 'nats.conf')));
  if (files.length === 0) return [null];
  return files.map((name) => {
    const [, sync] = /sync_interval: "?(\w+)"?/.exec(readFileSync(join(dataFolder, name, 'nats.conf'), 'utf8')) ?? [];
    return sync === undefined ? { server: name, sync: '2m' } : { server: name, sync };
  });
}

async function monitoredSync(monitor: string): Promise<SyncFact> {
  try {
    const response = await fetch(`${monitor.replace(/\/+$/, '')}/jsz`, { signal: AbortSignal.timeout(monitorMs) });
    const { config } = (await response.json()) as { config?: { sync_interval?: number; sync_always?: boolean } };
    if (config === undefined) return null;
    const sync = config.sync_always ? 'always' : `${(config.sync_interval ?? 0) / nanosPerSecond} s`;
    return { server: monitor, sync };
  } catch {
    return null;
  }
}

/** Of NATS and MongoDB where they use TLS, and of the public address. */
async function certificatesOf({ nats, mongodbUrl }: Deployment, url: string | null): Promise<CertificateFact[]> {
  const asked: Promise<CertificateFact>[] = [];
  if (nats.tls !== null) {
    const ca = nats.tls.caFile === undefined ? undefined : readFileSync(nats.tls.caFile, 'utf8');
    for (const server of natsAddresses(nats.url).servers) {
      const { hostname, port } = new URL(server.includes('://') ? server : `nats://${server}`);
      asked.push(certificateOf(`NATS at ${hostname}`, hostname, Number(port || 4222), ca, true));
    }
  }
  const usesTls = mongodbUrl !== null && /[?&](tls|ssl)=true/.test(mongodbUrl);
  const [, hosts = ''] = /^mongodb:\/\/(?:[^@/]*@)?([^/?]+)/.exec(mongodbUrl ?? '') ?? [];
  for (const host of usesTls ? hosts.split(',') : []) {
    const [name = '', port = '27017'] = host.split(':');
    asked.push(certificateOf(`MongoDB at ${name}`, name, Number(port), undefined));
  }
  if (mongodbUrl?.startsWith('mongodb+srv:')) {
    const problem = 'its servers stand in DNS, and were not looked at';
    asked.push(Promise.resolve({ of: 'MongoDB', expiresAt: null, problem }));
  }
  if (url?.startsWith('https:')) {
    const { hostname, port } = new URL(url);
    asked.push(certificateOf(`the public address ${hostname}`, hostname, Number(port || 443), undefined));
  }
  return Promise.all(asked);
}
