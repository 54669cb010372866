/**
 * nginx and HAProxy in front of a front door, with the files of `deploy/`. They listen on a socket file, and reuse
 * their connections to the front door for all clients. The global set-up installs both; test files only look them up.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inPath, installPackages } from '../runner/debian.ts';

export type ProxyName = 'nginx' | 'haproxy';

export type RunningProxy = { socketPath: string; stop(): Promise<void> };

export const proxyNames: readonly ProxyName[] = ['nginx', 'haproxy'];

/** Null, or the reason why a proxy is missing. */
export function missingProxies(): string | null {
  const missing = proxyNames.filter((name) => inPath([name]) === null);
  return missing.length === 0
    ? null
    : `There is no ${missing.join(' and no ')}. On Debian: apt-get install ${missing.join(' ')}`;
}

export async function installProxies(say: (line: string) => void): Promise<string | null> {
  if (missingProxies() === null) return null;
  return (await installPackages(proxyNames, say)) ?? missingProxies();
}

/** The bound of `deploy/` on the connections of one address, which a test may lower. */
const connectionsPerAddress = 200;

export async function startProxy(
  name: ProxyName,
  frontDoorPort: number,
  { perAddress = connectionsPerAddress, port = null }: { perAddress?: number; port?: number | null } = {},
): Promise<RunningProxy> {
  const folder = mkdtempSync(join(tmpdir(), `parterre-${name}-`));
  const socketPath = join(folder, 'socket');
  const file = join(folder, 'configuration');
  writeFileSync(
    file,
    name === 'nginx'
      ? nginxFile(folder, socketPath, frontDoorPort, perAddress)
      : haproxyFile(
          port === null ? `unix@${socketPath}` : `127.0.0.1:${port},unix@${socketPath}`,
          frontDoorPort,
          perAddress,
        ),
  );
  const args = name === 'nginx' ? ['-e', 'stderr', '-c', file, '-g', 'daemon off;'] : ['-db', '-q', '-f', file];
  const child = spawn(inPath([name])!, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (bytes: Buffer) => {
    said = (said + bytes.toString('utf8')).slice(-4_000);
  });
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await untilListening(socketPath, child, () => said);
  } catch (error) {
    await stop();
    throw error;
  }
  return { socketPath, stop };
}

/** Few connections, so that all clients share them. */
function nginxFile(folder: string, socketPath: string, port: number, perAddress: number): string {
  const own = [
    'access_log off;',
    ...['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder}/${kind};`),
  ];
  return [
    `pid ${folder}/pid;`,
    'worker_processes 1;',
    ...(process.getuid?.() === 0 ? ['user root;'] : []),
    deployed('nginx.conf', [
      ['http {', `http {\n${own.join('\n')}`],
      ['listen 80;', `listen unix:${socketPath};`],
      ['server 127.0.0.1:8080;', `server 127.0.0.1:${port};`],
      ['server 127.0.0.1:8081;', ''],
      ['keepalive 256;', 'keepalive 2;'],
      ['$remote_addr;', '127.0.0.1;'],
      ['limit_conn of_an_address 200;', `limit_conn of_an_address ${perAddress};`],
    ]),
  ].join('\n');
}

/** With `always` a client's first request also travels on a connection of others. */
function haproxyFile(address: string, port: number, perAddress: number): string {
  return deployed('haproxy.cfg', [
    ['bind :80', `bind ${address}`],
    ['gt 200', `gt ${perAddress}`],
    ['http-reuse safe', 'http-reuse always'],
    ['server one 127.0.0.1:8080', `server one 127.0.0.1:${port}`],
    ['server two 127.0.0.1:8081', ''],
  ]);
}

function deployed(name: string, changes: readonly (readonly [string, string])[]): string {
  let text = readFileSync(join('deploy', name), 'utf8');
  for (const [from, to] of changes) {
    if (!text.includes(from)) throw new Error(`deploy/${name} has no ${from}`);
    text = text.replace(from, to);
  }
  return text;
}

const startMsMax = 20_000;

async function untilListening(socketPath: string, child: ChildProcess, said: () => string): Promise<void> {
  for (const end = Date.now() + startMsMax; Date.now() < end; ) {
    if (child.exitCode !== null) throw new Error(`The proxy left with ${child.exitCode}: ${said()}`);
    if (await accepts(socketPath)) return;
    await new Promise((later) => setTimeout(later, 20));
  }
  throw new Error(`The proxy does not listen: ${said()}`);
}

function accepts(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath);
    socket.on('error', () => resolve(false));
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}
