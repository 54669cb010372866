/**
 * The deployment that a command works on: the NATS of NATS_URL (with NATS_USER and the others, as the services read
 * them), else the one that a launcher runs on this machine. The store is the one of MONGODB_URL, else the embedded
 * store in the data folder.
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { viewEmbeddedStore } from '../../services/catalog/src/store/embedded-copies.ts';
import type { ViewedStore } from '../../services/catalog/src/store/store-copies.ts';
import { names } from '../../shared/src/protocol/subjects.ts';
import { type ClusterLayout, readLayout } from '../../shared/src/runtime/cluster-layout.ts';
import { SettingFault, secretOf } from '../../shared/src/runtime/environment.ts';
import { type NatsAccess, natsAddresses, readNatsAccess } from '../../shared/src/runtime/nats-access.ts';
import { type RunFile, readJson } from '../launch/data-folder.ts';
import type { JetStreams } from './messages.ts';
import { Refused, wordsOf } from './refused.ts';

export type Deployment = {
  nats: NatsAccess;
  mongodbUrl: string | null;
  dataFolder: string;
  /** Of the launcher; null without one. */
  setup: Record<string, unknown> | null;
};

/** Shards and catalogs may answer there (deploy/nats-users.conf). */
export const answersTo = '_INBOX.frontdoor';
const answerMs = 30_000;
const connectMs = 5_000;
const reconnectsMax = 60;

/** The data folder of a launcher that does not run now; null where one runs, or NATS_URL names servers. */
export function stoppedFolder(env: NodeJS.ProcessEnv, folder: string): string | null {
  if (env.NATS_URL || env.NATS_URL_FILE) return null;
  const folders = (env.PARTERRE_DATA ? [env.PARTERRE_DATA] : ['.parterre', '.parterre-cluster']).map((name) =>
    resolve(folder, name),
  );
  if (folders.some((each) => existsSync(join(each, 'run.json')))) return null;
  return folders.find((each) => existsSync(join(each, 'nats')) || existsSync(join(each, 'nats-1'))) ?? null;
}

/** Throws a `Refused` where nothing runs. */
export function findDeployment(env: NodeJS.ProcessEnv, folder: string): Deployment {
  try {
    const mongodbUrl = secretOf(env, 'MONGODB_URL');
    if (secretOf(env, 'NATS_URL') !== null) {
      const dataFolder = resolve(folder, env.PARTERRE_DATA || '.parterre');
      return { nats: readNatsAccess(env), mongodbUrl, dataFolder, setup: null };
    }
    return { ...findLaunched(env, folder), mongodbUrl };
  } catch (error) {
    if (error instanceof SettingFault) throw new Refused(`${error.message}.`);
    throw error;
  }
}

function findLaunched(env: NodeJS.ProcessEnv, folder: string): Omit<Deployment, 'mongodbUrl'> {
  const candidates = env.PARTERRE_DATA ? [env.PARTERRE_DATA] : ['.parterre', '.parterre-cluster'];
  for (const candidate of candidates) {
    const dataFolder = resolve(folder, candidate);
    const run = readJson<RunFile>(join(dataFolder, 'run.json'));
    if (run === null) continue;
    const setup = readJson<Record<string, unknown>>(join(dataFolder, 'setup.json'));
    return { nats: { url: run.natsUrl, authenticator: null, tls: null }, dataFolder, setup };
  }
  throw new Refused(
    `No deployment runs here (${candidates.join(' and ')}). Start it with \`npm start\`, or set NATS_URL and MONGODB_URL ` +
      'as its services have them.',
  );
}

export type Connected = JetStreams & { nats: NatsConnection };

/** Throws a `Refused` when no server answers. */
export async function connectTo({ url, authenticator, tls }: NatsAccess): Promise<Connected> {
  const { servers, credentials } = natsAddresses(url);
  const access = authenticator ?? credentials;
  try {
    const nats = await connect({
      servers,
      name: 'parterre-backup',
      inboxPrefix: answersTo,
      timeout: connectMs,
      maxReconnectAttempts: reconnectsMax,
      ...(access && { authenticator: access }),
      ...(tls && { tls }),
    });
    const manager = await jetstreamManager(nats, { timeout: answerMs });
    return { nats, manager, client: jetstream(nats, { timeout: answerMs }) };
  } catch (error) {
    throw new Refused(`NATS at ${servers.join(', ')} lets nobody in (${wordsOf(error)}).`);
  }
}

/** Throws a `Refused` for a deployment that no shard has started yet. */
export async function standingLayout({ client }: JetStreams): Promise<ClusterLayout> {
  try {
    const entry = await (await new Kvm(client).open(names.clusterBucket)).get('layout');
    const layout = entry && readLayout(entry.string());
    if (layout) return layout;
  } catch {
    // The bucket is not there.
  }
  throw new Refused(`The deployment has no layout in the bucket ${names.clusterBucket}: no shard has started it yet.`);
}

export async function viewStore({ mongodbUrl, dataFolder }: Deployment): Promise<ViewedStore> {
  if (mongodbUrl !== null) {
    const { viewMongoStore } = await import('../../services/catalog/src/store/mongo-copies.ts');
    return viewMongoStore(mongodbUrl);
  }
  const folder = join(dataFolder, 'catalog');
  if (!existsSync(folder)) {
    throw new Refused(
      `${folder} has no store of a catalog. Set MONGODB_URL, or PARTERRE_DATA, as the catalogs have it.`,
    );
  }
  return viewEmbeddedStore(folder);
}
