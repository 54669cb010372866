/**
 * `npx parterre backup|restore|drill|move DIR`. docs/internals/backups.md has the reasons.
 *
 *   main.ts             the commands
 *   deployment.ts       which deployment: its NATS and its store
 *   backup.ts           one run of a backup, and its order
 *   cut.ts              the moment of the catalog's view and the last sequence of each journal
 *   journals.ts         a journal as segments that grow in number
 *   messages.ts         messages out of a stream and into another
 *   objects.ts          the snapshots' objects
 *   backup-folder.ts    the folder: manifest, progress, lock
 *   record-file.ts      files of records with their hashes
 *   restore.ts          a backup into an empty deployment, and the comparison
 *   move.ts             a backup into an empty deployment with another number of partitions
 *   launched-target.ts  the deployment of NATS_URL, or of a data folder with its NATS servers
 *   drill.ts            a backup, its restore into a scratch deployment, and every map compared; fold.ts folds
 *   progress.ts, refused.ts
 */
import { join, resolve } from 'node:path';
import { askedLayout, firstLayout } from '../../shared/src/runtime/cluster-layout.ts';
import { SettingFault, secretOf } from '../../shared/src/runtime/environment.ts';
import { readJson } from '../launch/data-folder.ts';
import { backUp } from './backup.ts';
import type { Manifest } from './backup-folder.ts';
import { findDeployment, stoppedFolder } from './deployment.ts';
import { drill } from './drill.ts';
import { type Filling, onStoppedFolder, restore } from './launched-target.ts';
import { markOfMove, moveInto } from './move.ts';
import { type Say, stopOnInterrupt } from './progress.ts';
import { Refused, wordsOf } from './refused.ts';

export type BackupCommand = 'backup' | 'restore' | 'drill' | 'move';

/** `env` and `folder` are those of the caller. `say` gets the lines of the progress. */
export type BackupCall = {
  command: BackupCommand;
  folder: string;
  cluster: boolean;
  /** Of a move. */
  partitions: string | null;
  env: NodeJS.ProcessEnv;
  cwd: string;
  say: Say;
};

/** What giving an interrupted command again does. */
const again: Record<BackupCommand, string> = {
  backup: 'The last whole backup is as it was. Give the command again: it goes on behind its last finished segment.',
  restore: 'Give the command again: it goes on from there. Until it has ended, nothing starts on this folder.',
  move: 'Give the command again: it goes on from there. The old deployment is as it was.',
  drill: 'The backup is whole as far as it came; the scratch deployment is gone. Give the command again.',
};

/** The facts to print; or a sentence for the operator. */
export async function perform(call: BackupCall): Promise<{ facts: Record<string, unknown> } | { problem: string }> {
  // The files have secrets, and so have those of the NATS servers that a restore runs.
  process.umask(0o077);
  stopOnInterrupt(again[call.command], call.say);
  try {
    return { facts: await factsOf(call) };
  } catch (error) {
    if (error instanceof Refused) return { problem: error.message };
    if (error instanceof SettingFault) return { problem: `${error.message}.` };
    if (isBug(error)) throw error;
    return { problem: `The run stopped: ${wordsOf(error)}. Give the command again: it goes on from there.` };
  }
}

/** Other errors come from NATS, MongoDB or the disk. */
function isBug(error: unknown): boolean {
  return [TypeError, RangeError, ReferenceError, SyntaxError].some((kind) => error instanceof kind);
}

async function factsOf(call: BackupCall): Promise<Record<string, unknown>> {
  const { command, folder, cluster, env, cwd, say } = call;
  const from = resolve(cwd, folder);
  if (command === 'move') return move(call, from);
  if (command === 'restore') {
    const { dataFolder, natsUrl } = await restore(from, env, cluster ? 'cluster' : 'one-of-each', say);
    return { restored: from, into: natsUrl === null ? dataFolder : 'NATS_URL' };
  }
  const stopped = command === 'backup' ? stoppedFolder(env, cwd) : null;
  if (stopped !== null) return backUpStopped(call, stopped, from);
  const deployment = findDeployment(env, cwd);
  if (command === 'drill') return drill(deployment, from, env, say);
  return factsOfBackup(await backUp(deployment, from, say));
}

/** The NATS servers of the folder run until the backup has ended. */
async function backUpStopped({ env, say }: BackupCall, dataFolder: string, to: string) {
  say(`Nothing runs on ${dataFolder}: its NATS servers are started for the backup`);
  return onStoppedFolder(dataFolder, env, say, async (addresses) => {
    const setup = readJson<Record<string, unknown>>(join(dataFolder, 'setup.json'));
    const nats = { url: addresses.join(','), authenticator: null, tls: null };
    return factsOfBackup(await backUp({ nats, mongodbUrl: secretOf(env, 'MONGODB_URL'), dataFolder, setup }, to, say));
  });
}

async function move({ cluster, partitions, env, say }: BackupCall, from: string): Promise<Record<string, unknown>> {
  const asked = askedLayout({ ...env, JOURNAL_PARTITIONS: partitions ?? '' });
  if (asked.partitions === null) throw new Refused('A move needs --partitions, a power of two up to 1024.');
  const partitionsAsked = asked.partitions;
  let facts: Record<string, unknown> = {};
  const filling: Filling = {
    mark: (manifest) => markOfMove(manifest, partitionsAsked),
    async into(restore) {
      facts = await moveInto({ ...restore, layout: firstLayout(asked, restore.manifest.layout.deployment) });
    },
  };
  const { dataFolder, natsUrl } = await restore(from, env, cluster ? 'cluster' : 'one-of-each', say, filling);
  return { moved: from, into: natsUrl === null ? dataFolder : 'NATS_URL', ...facts };
}

function factsOfBackup({ id, run, cutAt, stopped, journals, catalog, snapshots }: Manifest): Record<string, unknown> {
  const messages = Object.values(journals).reduce((sum, { last }) => sum + last, 0);
  const facts = { backup: id, run, cutAt, stopped: stopped === true, messages };
  return { ...facts, documents: catalog.documents, snapshots: snapshots.records };
}
