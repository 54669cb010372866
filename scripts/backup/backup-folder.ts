/**
 * The folder of a backup:
 *
 *   backup.json                 the manifest of the last whole run: the cut, and each file with its hash
 *   progress.json               the finished segments of the journals, also of a run that was interrupted
 *   journals/JOURNAL-0/1-4000   a segment: messages of a journal in order; it never changes
 *   run-3/…                     everything else, as the run number 3 took it
 *   lock                        the process that works on the folder
 *
 * States: empty → begun (progress.json) → whole (backup.json) → begun again, and still whole: backup.json names only
 * files that no later run changes. A run that ends writes the next backup.json as its last act, then deletes the files
 * that only the one before named. A folder without backup.json is no backup.
 *
 * Failure at each await: the process ends before the rename of a file → the file of before stands. A run folder that no
 * manifest names is deleted by the next run. The files hold the deployment secret, webhooks' secrets and buyers' data:
 * their owner alone may read them (0700, 0600).
 */
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConsumerConfig, StreamConfig } from '@nats-io/jetstream';
import type { ClusterLayout } from '../../shared/src/runtime/cluster-layout.ts';
import { checkFile, type FileNote, syncFolder } from './record-file.ts';
import { Refused } from './refused.ts';

/** Messages `first` to `last`. `ending` is the hash of the last message (`hashOfMessage`). */
export type Segment = FileNote & { first: number; last: number; ending: string };

/** The consumer of the notifiers, and the sequence up to which its webhooks are settled. */
export type NotifierPlace = { settled: number; config: ConsumerConfig };

export type JournalNote = {
  config: StreamConfig;
  /** The cut: the last sequence of this journal in the backup, 0 for an empty one. */
  last: number;
  segments: Segment[];
  /** Null where no notifier ever ran. */
  notifier: NotifierPlace | null;
};

/** A stream that is copied as messages, its sequences aside. */
export type StreamNote = FileNote & { config: StreamConfig };

export type Manifest = {
  v: 1;
  id: string;
  run: number;
  /** No shard was heard, neither before nor after the run: nothing was sold behind the cut. */
  stopped?: boolean;
  startedAt: string;
  /** When the catalog's view began, and its journals' last sequences were read. */
  cutAt: string;
  layout: ClusterLayout;
  journals: Record<string, JournalNote>;
  queues: Record<string, StreamNote>;
  /** `ahead` names snapshots that are ahead of their journal: evidence of a loss. They are not restored. */
  snapshots: FileNote & { ahead: string[] };
  catalog: FileNote & { store: 'embedded' | 'mongodb'; documents: number; blobs: number };
  /** The layout and the deployment secret. */
  cluster: StreamNote;
  /** The launcher's root token and keys of the demo; null for a deployment without a launcher. */
  setup: Record<string, unknown> | null;
};

export type Progress = { v: 1; id: string; run: number; journals: Record<string, Segment[]> };

/** Retries that came while the backlogs were copied: messages of the stream DELIVERIES. */
export const movedRetries = 'DELIVERIES-moved';

const manifestFile = 'backup.json';
const progressFile = 'progress.json';
const lockFile = 'lock';

/** Makes the folder, or opens it for the next run. Throws a `Refused` for a folder with anything else in it. */
export async function beginRun(folder: string, id: string): Promise<Progress> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const names = readdirSync(folder);
  if (names.length > 0 && !names.some((name) => [manifestFile, progressFile, lockFile].includes(name))) {
    throw new Refused(`${folder} has other files. Name a folder of its own for the backup.`);
  }
  chmodSync(folder, 0o700);
  lock(folder);
  const manifest = existsSync(join(folder, manifestFile)) ? readManifest(folder) : null;
  const known = readJson<Progress>(join(folder, progressFile));
  const journals = Object.entries(manifest?.journals ?? {}).map(
    ([stream, { segments }]) => [stream, segments] as const,
  );
  const progress: Progress = {
    v: 1,
    id: manifest?.id ?? known?.id ?? id,
    run: Math.max(manifest?.run ?? 0, known?.run ?? 0) + 1,
    journals: known?.journals ?? Object.fromEntries(journals),
  };
  await saveProgress(folder, progress);
  await dropRuns(folder, manifest === null ? [] : [manifest.run]);
  mkdirSync(join(folder, runFolder(progress.run)), { mode: 0o700 });
  return progress;
}

export const runFolder = (run: number): string => `run-${run}`;

export async function saveProgress(folder: string, progress: Progress): Promise<void> {
  await writeWhole(join(folder, progressFile), JSON.stringify(progress));
}

/** The last act of a run. */
export async function endRun(folder: string, manifest: Manifest): Promise<void> {
  await writeWhole(join(folder, manifestFile), `${JSON.stringify(sealed(manifest), null, 1)}\n`);
  await syncFolder(folder);
  await dropRuns(folder, [manifest.run]);
}

async function dropRuns(folder: string, kept: number[]): Promise<void> {
  const names = readdirSync(folder).filter((name) => /^run-\d+$/.test(name));
  for (const name of names) {
    if (!kept.map(runFolder).includes(name)) await rm(join(folder, name), { recursive: true });
  }
}

/** Throws a `Refused` unless the folder has a manifest as it was written. */
export function readManifest(folder: string): Manifest {
  const file = join(folder, manifestFile);
  if (!existsSync(file)) {
    const begun = existsSync(join(folder, progressFile));
    throw new Refused(
      begun
        ? `The backup in ${folder} is not whole: its first run was interrupted. \`npx parterre backup ${folder}\` goes on.`
        : `${folder} has no backup: ${manifestFile} is missing.`,
    );
  }
  const read = readJson<ReturnType<typeof sealed>>(file);
  if (read === null || sealed(read.manifest).sha256 !== read.sha256) {
    throw new Refused(`The backup is damaged: ${manifestFile} is not the file that was written. Nothing was restored.`);
  }
  if (read.manifest.v !== 1)
    throw new Refused('A newer version of Parterre made this backup. Restore it with that version.');
  return read.manifest;
}

/** Throws a `Refused` unless each file of the manifest is there as it was written. */
export async function checkFiles(folder: string, manifest: Manifest): Promise<void> {
  for (const [stream, { segments, last }] of Object.entries(manifest.journals)) {
    let next = segments[0]?.first ?? last + 1;
    for (const segment of segments) {
      if (segment.first !== next) throw new Refused(`The backup is damaged: ${stream} lacks message ${next}.`);
      await checkFile(folder, segment);
      next = segment.last + 1;
    }
    if (next !== last + 1)
      throw new Refused(`The backup is damaged: ${stream} ends at ${next - 1} instead of ${last}.`);
  }
  const others = [...Object.values(manifest.queues), manifest.snapshots, manifest.catalog, manifest.cluster];
  for (const note of others) await checkFile(folder, note);
}

function sealed(manifest: Manifest): { manifest: Manifest; sha256: string } {
  return { manifest, sha256: createHash('sha256').update(JSON.stringify(manifest)).digest('hex') };
}

function lock(folder: string): void {
  const file = join(folder, lockFile);
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const holder = Number(readFileSync(file, 'utf8'));
    if (isAlive(holder)) throw new Refused(`The process ${holder} works on ${folder} now.`);
    // A run that was killed left it.
    writeFileSync(file, String(process.pid), { mode: 0o600 });
  }
}

export function unlock(folder: string): void {
  rmSync(join(folder, lockFile), { force: true });
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function readJson<T>(file: string): T | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T;
  } catch {
    return null;
  }
}

async function writeWhole(file: string, text: string): Promise<void> {
  const handle = await open(`${file}.part`, 'w', 0o600);
  await handle.writeFile(text);
  await handle.sync();
  await handle.close();
  await rename(`${file}.part`, file);
}
