/**
 * `npx parterre backup|restore|drill DIR`. docs/internals/backups.md has the reasons.
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
 *   launched-target.ts  the deployment of NATS_URL, or of a data folder with its NATS servers
 *   drill.ts            a backup, its restore into a scratch deployment, and every map compared; fold.ts folds
 *   progress.ts, refused.ts
 */
import { resolve } from 'node:path';
import { backUp } from './backup.ts';
import { findDeployment } from './deployment.ts';
import { drill } from './drill.ts';
import { restore } from './launched-target.ts';
import { type Say, stopOnInterrupt } from './progress.ts';
import { Refused, wordsOf } from './refused.ts';

export type BackupCommand = 'backup' | 'restore' | 'drill';

/** `env` and `folder` are those of the caller. `say` gets the lines of the progress. */
export type BackupCall = {
  command: BackupCommand;
  folder: string;
  cluster: boolean;
  env: NodeJS.ProcessEnv;
  cwd: string;
  say: Say;
};

/** What giving an interrupted command again does. */
const again: Record<BackupCommand, string> = {
  backup: 'The last whole backup is as it was. Give the command again: it goes on behind its last finished segment.',
  restore: 'Give the command again: it goes on from there. Until it has ended, nothing starts on this folder.',
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
    if (isBug(error)) throw error;
    return { problem: `The run stopped: ${wordsOf(error)}. Give the command again: it goes on from there.` };
  }
}

/** Other errors come from NATS, MongoDB or the disk. */
function isBug(error: unknown): boolean {
  return [TypeError, RangeError, ReferenceError, SyntaxError].some((kind) => error instanceof kind);
}

async function factsOf({ command, folder, cluster, env, cwd, say }: BackupCall): Promise<Record<string, unknown>> {
  const from = resolve(cwd, folder);
  if (command === 'restore') {
    const { dataFolder, natsUrl } = await restore(from, env, cluster ? 'cluster' : 'one-of-each', say);
    return { restored: from, into: natsUrl === null ? dataFolder : 'NATS_URL' };
  }
  const deployment = findDeployment(env, cwd);
  if (command === 'drill') return drill(deployment, from, env, say);
  const { id, run, cutAt, journals, catalog, snapshots } = await backUp(deployment, from, say);
  const messages = Object.values(journals).reduce((sum, { last }) => sum + last, 0);
  return { backup: id, run, cutAt, messages, documents: catalog.documents, snapshots: snapshots.records };
}
