/**
 * A deployment to restore into. With NATS_URL it is the NATS there, and the store of MONGODB_URL or of the data folder.
 * Otherwise it is a data folder, on which this file runs the NATS servers as the launcher does, until the restore ends.
 *
 * The servers write through to the disk at their end instead of at each message, which is a hundred times faster. So
 * the files are synced once more before the mark goes. The mark keeps the launcher away until then.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fillEmbeddedStore, viewEmbeddedStore } from '../../services/catalog/src/store/embedded-copies.ts';
import { readNatsAccess } from '../../shared/src/runtime/nats-access.ts';
import { readSettings, type Settings } from '../launch/config.ts';
import {
  claimDataFolder,
  endLeftovers,
  leaveDataFolder,
  markFile,
  readJson,
  writeJson,
} from '../launch/data-folder.ts';
import type { Fleet } from '../launch/fleet.ts';
import { copiesOf } from '../launch/topology.ts';
import { checkFiles, type Manifest, readManifest } from './backup-folder.ts';
import { type Connected, connectTo } from './deployment.ts';
import type { Say } from './progress.ts';
import { syncFolder } from './record-file.ts';
import { Refused, wordsOf } from './refused.ts';
import { markOf, type Restore, restoreInto, type Target } from './restore.ts';

const quickSync = '2m';

/** How an empty target is filled, and the mark that it has meanwhile. */
export type Filling = { mark(manifest: Manifest): string; into(restore: Restore): Promise<void> };

const asItIs: Filling = { mark: markOf, into: restoreInto };

/** Restores as the environment says. `size` is the launcher's. Resolves with the settings of the target. */
export async function restore(
  folder: string,
  env: NodeJS.ProcessEnv,
  size: 'one-of-each' | 'cluster',
  say: Say,
  filling = asItIs,
): Promise<Settings> {
  const manifest = readManifest(folder);
  say(`The backup of ${manifest.cutAt}: its files are checked`);
  await checkFiles(folder, manifest);
  const read = readSettings(env, size);
  if ('problem' in read) throw new Refused(read.problem);
  const { settings } = read;
  const backup = { folder, manifest, mark: filling.mark(manifest), say };
  if (settings.natsUrl !== null) await restoreRemotely(backup, settings, filling);
  else await restoreHere(backup, settings, filling);
  return settings;
}

type Backup = Omit<Restore, 'target'>;

async function restoreRemotely(backup: Backup, settings: Settings, { into }: Filling): Promise<void> {
  const streams = await connectTo(readNatsAccess(settings.environment));
  const replicas = Number(settings.environment.JOURNAL_REPLICAS || 0) || null;
  try {
    await into({ ...backup, target: { ...streams, replicas, ...storeOf(settings) } });
  } finally {
    await streams.nats.close();
  }
}

async function restoreHere(backup: Backup, settings: Settings, { into }: Filling): Promise<void> {
  const { dataFolder } = settings;
  const { manifest, say } = backup;
  const file = markFile(dataFolder);
  const mark = { backup: backup.mark };
  checkFolder(dataFolder, mark.backup);
  const claim = await claimDataFolder(dataFolder);
  if ('problem' in claim) throw new Refused(claim.problem);
  try {
    const fleet = await fleetFor({ ...settings, natsSync: quickSync });
    await endLeftovers(dataFolder, say);
    writeJson(file, mark);
    try {
      await fleet.startNatsAlone();
      await connected(fleet.addresses(), (streams) =>
        into({ ...backup, target: { ...streams, replicas: copiesOf(settings.topology), ...storeOf(settings) } }),
      );
    } finally {
      await fleet.stop();
    }
    if (manifest.setup !== null) writeJson(join(dataFolder, 'setup.json'), manifest.setup);
    await syncAll(dataFolder);
    rmSync(file);
  } finally {
    leaveDataFolder(dataFolder);
  }
}

async function fleetFor(settings: Settings): Promise<Fleet> {
  const { Fleet } = await inCheckout(() => import('../launch/fleet.ts'));
  return new Fleet({ settings, rootToken: '', ports: [], healthPorts: new Map(), say: () => {} });
}

/** Loads a part of the launcher, which stands in a checkout alone: an image has none. */
export async function inCheckout<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    throw new Refused(`This runs in a checkout of Parterre alone (${wordsOf(error)}). Elsewhere set NATS_URL.`);
  }
}

/** Throws a `Refused` for a folder with anything but the beginning of this restore. */
function checkFolder(dataFolder: string, mark: string): void {
  if (!existsSync(dataFolder) || readdirSync(dataFolder).length === 0) return;
  const begun = readJson<{ backup: string }>(markFile(dataFolder));
  if (begun?.backup === mark) return;
  if (begun)
    throw new Refused(`Another restore has begun in ${dataFolder}. Go on with its backup, or delete the folder.`);
  throw new Refused(
    `${dataFolder} has data. A backup is restored into an empty deployment alone. Name another folder: ` +
      'PARTERRE_DATA=<folder>.',
  );
}

async function connected(addresses: string[], work: (streams: Connected) => Promise<void>): Promise<void> {
  const streams = await connectTo({ url: addresses.join(','), authenticator: null, tls: null });
  try {
    await work(streams);
  } finally {
    await streams.nats.close();
  }
}

/**
 * Runs the NATS servers of a stopped data folder, without a service, while `work` uses them. A folder with `nats-1` is
 * a cluster's.
 */
export async function onStoppedFolder<T>(
  dataFolder: string,
  env: NodeJS.ProcessEnv,
  say: Say,
  work: (addresses: string[]) => Promise<T>,
): Promise<T> {
  const servers = readdirSync(dataFolder).filter((name) => /^nats-\d+$/.test(name)).length;
  const size = servers > 0 ? 'cluster' : 'one-of-each';
  const own = { NATS_URL: '', NATS_URL_FILE: '', PARTERRE_NATS_SERVERS: String(servers || 1) };
  const read = readSettings({ ...env, ...own, PARTERRE_DATA: dataFolder }, size);
  if ('problem' in read) throw new Refused(read.problem);
  const claim = await claimDataFolder(dataFolder);
  if ('problem' in claim) throw new Refused(claim.problem);
  try {
    const fleet = await fleetFor(read.settings);
    await endLeftovers(dataFolder, say);
    try {
      await fleet.startNatsAlone();
      return await work(fleet.addresses());
    } finally {
      await fleet.stop();
    }
  } finally {
    leaveDataFolder(dataFolder);
  }
}

function storeOf({ mongodbUrl, dataFolder }: Settings): Pick<Target, 'openToFill' | 'openToView'> {
  if (mongodbUrl === null) {
    const folder = join(dataFolder, 'catalog');
    return { openToFill: async () => fillEmbeddedStore(folder), openToView: async () => viewEmbeddedStore(folder) };
  }
  const copies = import('../../services/catalog/src/store/mongo-copies.ts');
  return {
    openToFill: async () => (await copies).fillMongoStore(mongodbUrl),
    openToView: async () => (await copies).viewMongoStore(mongodbUrl),
  };
}

async function syncAll(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) await syncFolder(path);
    if (!entry.isFile()) continue;
    const file = await open(path, 'r+');
    await file.sync();
    await file.close();
  }
  await syncFolder(folder);
}
