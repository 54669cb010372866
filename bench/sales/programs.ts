/**
 * The servers of baselines: found on this machine, or fetched from Debian's archive into .cache/ and unpacked there,
 * then started. Nothing else on the machine changes. Without apt a baseline is missing, with the reason.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:fs';
import { access, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { cacheFolder } from '../../scripts/launch/root.ts';
import { runCommand } from '../../scripts/launch/run-command.ts';

export type Program = { path: string; env: NodeJS.ProcessEnv };
export type FoundProgram = { found: true; program: Program } | { found: false; why: string };

const aptMs = 180_000;
const unpackMs = 60_000;
const versionMs = 10_000;
const startMs = 60_000;

/** Debian keeps PostgreSQL's server in a folder of its own, outside PATH. */
const postgresFolder = '/usr/lib/postgresql';

export async function findProgram(name: string, debianPackage: string): Promise<FoundProgram> {
  const installed = [...(process.env.PATH ?? '').split(delimiter), ...(await binFoldersIn(postgresFolder))];
  for (const folder of installed.filter(Boolean)) {
    if (await isExecutable(join(folder, name))) return found(join(folder, name), process.env);
  }
  const folder = join(cacheFolder, 'bench', debianPackage);
  const cached = await insideUnpacked(folder, name);
  if (cached) return found(cached, await environmentFor(folder));
  console.log(`Fetching the Debian package ${debianPackage} into .cache/ …`);
  const why = await fetchPackage(debianPackage, folder);
  if (why) return { found: false, why };
  const fetched = await insideUnpacked(folder, name);
  return fetched
    ? found(fetched, await environmentFor(folder))
    : { found: false, why: `the package ${debianPackage} holds no ${name}` };
}

/** The number in the answer to `--version`. */
export async function versionOf({ path, env }: Program): Promise<string> {
  const ran = await runCommand(path, ['--version'], { deadlineMs: versionMs, env });
  return (ran.ok && /\d+(\.\d+)+/.exec(ran.stdout)?.[0]) || 'unknown';
}

function found(path: string, env: NodeJS.ProcessEnv): FoundProgram {
  return { found: true, program: { path, env } };
}

/** Null, or the reason of the failure. The folder appears only when it is complete. */
async function fetchPackage(debianPackage: string, folder: string): Promise<string | null> {
  await mkdir(dirname(folder), { recursive: true });
  const beside = await mkdtemp(`${folder}-`);
  try {
    let listed = await missingPackages(debianPackage);
    if ('why' in listed && process.getuid?.() === 0) {
      // A fresh container has no lists of packages yet.
      const updated = await runCommand('apt-get', ['update'], { deadlineMs: aptMs });
      if (updated.ok) listed = await missingPackages(debianPackage);
    }
    if ('why' in listed) return listed.why;
    const downloaded = await runCommand('apt-get', ['download', ...listed.names], { deadlineMs: aptMs, cwd: beside });
    if (!downloaded.ok) return downloaded.why;
    for (const file of (await readdir(beside)).filter((entry) => entry.endsWith('.deb'))) {
      const unpacked = await runCommand('dpkg-deb', ['-x', file, 'root'], { deadlineMs: unpackMs, cwd: beside });
      if (!unpacked.ok) return unpacked.why;
    }
    await rm(folder, { recursive: true, force: true });
    await rename(join(beside, 'root'), folder);
    return null;
  } finally {
    await rm(beside, { recursive: true, force: true });
  }
}

/** The package and its dependencies that this machine lacks. The question needs no root. */
async function missingPackages(debianPackage: string): Promise<{ names: string[] } | { why: string }> {
  const args = ['--yes', '--no-install-recommends', '--print-uris', 'install', debianPackage];
  const ran = await runCommand('apt-get', args, { deadlineMs: aptMs });
  if (!ran.ok) return { why: ran.why };
  const files = [...ran.stdout.matchAll(/^'[^']+' (\S+)_\S+_\w+\.deb /gm)];
  return { names: files.map(([, name]) => name!) };
}

async function insideUnpacked(folder: string, name: string): Promise<string | null> {
  const ofPostgres = await binFoldersIn(join(folder, postgresFolder));
  const folders = [join(folder, 'usr/bin'), join(folder, 'usr/sbin'), ...ofPostgres];
  for (const bin of folders) if (await isExecutable(join(bin, name))) return join(bin, name);
  return null;
}

/** Libraries are unpacked beside the program, where the loader does not look by itself. */
async function environmentFor(folder: string): Promise<NodeJS.ProcessEnv> {
  const libraries = join(folder, 'usr/lib');
  const triplets = (await entriesOf(libraries)).filter((entry) => entry.includes('-linux-'));
  const path = [...triplets.map((triplet) => join(libraries, triplet)), process.env.LD_LIBRARY_PATH];
  return { ...process.env, LD_LIBRARY_PATH: path.filter(Boolean).join(delimiter) };
}

async function binFoldersIn(folder: string): Promise<string[]> {
  return (await entriesOf(folder)).map((version) => join(folder, version, 'bin'));
}

async function entriesOf(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

type Server = { pid: number; end(signal: NodeJS.Signals): Promise<void> };

/** Runs a server until it logs that it is ready. Throws with its last lines when it does not. */
export async function startServer(
  { path, env }: Program,
  args: string[],
  logsTo: 'stdout' | 'stderr',
  ready: RegExp,
  user: { uid?: number; gid?: number } = {},
): Promise<Server> {
  const child = spawn(path, args, { env, ...user, stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(child, 'exit');
  const said: string[] = [];
  child[logsTo === 'stdout' ? 'stderr' : 'stdout']!.resume();
  const isReady = new Promise<true>((resolve) => {
    createInterface({ input: child[logsTo]! }).on('line', (line) => {
      if (said.length < 100) said.push(line);
      if (ready.test(line)) resolve(true);
    });
  });
  const timeout = once(AbortSignal.timeout(startMs), 'abort').then(() => false);
  if (!(await Promise.race([isReady, exited.then(() => false), timeout]))) {
    child.kill('SIGKILL');
    throw new Error(`${path} did not start:\n${said.join('\n')}`);
  }
  return {
    pid: child.pid!,
    async end(signal) {
      child.kill(signal);
      await exited;
    },
  };
}

/** For servers that do not pick a port themselves. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
