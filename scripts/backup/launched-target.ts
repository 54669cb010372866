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
import { connectTo } from './deployment.ts';
import type { Say } from './progress.ts';
import { syncFolder } from './record-file.ts';
import { Refused, wordsOf } from './refused.ts';
import { markOf, restoreInto, type Target } from './restore.ts';

const quickSync = '2m';

/** Restores as the environment says. `size` is the launcher's. Resolves with the settings of the target. */
export async function restore(
  folder: string,
  env: NodeJS.ProcessEnv,
  size: 'one-of-each' | 'cluster',
  say: Say,
): Promise<Settings> {
  const manifest = readManifest(folder);
  say(`The backup of ${manifest.cutAt}: its files are checked`);
  await checkFiles(folder, manifest);
  const read = readSettings(env, size);
  if ('problem' in read) throw new Refused(read.problem);
  const { settings } = read;
  if (settings.natsUrl !== null) await restoreRemotely(folder, manifest, settings, say);
  else await restoreHere(folder, manifest, settings, say);
  return settings;
}

async function restoreRemotely(folder: string, manifest: Manifest, settings: Settings, say: Say): Promise<void> {
  const streams = await connectTo(readNatsAccess(settings.environment));
  const replicas = Number(settings.environment.JOURNAL_REPLICAS || 0) || null;
  try {
    await restoreInto({ folder, manifest, target: { ...streams, replicas, ...storeOf(settings) }, say });
  } finally {
    await streams.nats.close();
  }
}

async function restoreHere(folder: string, manifest: Manifest, settings: Settings, say: Say): Promise<void> {
  const { dataFolder } = settings;
  const file = markFile(dataFolder);
  const mark = { backup: markOf(manifest) };
  checkFolder(dataFolder, mark.backup);
  const claim = await claimDataFolder(dataFolder);
  if ('problem' in claim) throw new Refused(claim.problem);
  try {
    const fleet = await fleetFor({ ...settings, natsSync: quickSync });
    await endLeftovers(dataFolder, say);
    writeJson(file, mark);
    try {
      await fleet.startNatsAlone();
      await fill(folder, manifest, settings, fleet.addresses(), say);
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

async function fill(
  folder: string,
  manifest: Manifest,
  settings: Settings,
  addresses: string[],
  say: Say,
): Promise<void> {
  const streams = await connectTo({ url: addresses.join(','), authenticator: null, tls: null });
  const target = { ...streams, replicas: copiesOf(settings.topology), ...storeOf(settings) };
  try {
    await restoreInto({ folder, manifest, target, say });
  } finally {
    await streams.nats.close();
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
