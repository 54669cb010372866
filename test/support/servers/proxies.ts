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
import type { Certificate } from './authority.ts';

export type ProxyName = 'nginx' | 'haproxy';

export type RunningProxy = {
  socketPath: string;
  /** The latest output. */
  said(): string;
  stop(): Promise<void>;
};

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

/** Without a health port HAProxy does not ask whether the front door is ready. nginx never asks. */
export type Door = { port: number; healthPort?: number };

export type ProxyOptions = {
  perAddress?: number;
  /** A port of 127.0.0.1, beside the socket file. With a certificate this port speaks TLS, as in `deploy/`. */
  port?: number | null;
  certificate?: Certificate | null;
};

type Setting = Required<ProxyOptions> & { folder: string; socketPath: string; doors: readonly [Door, ...Door[]] };

/** The file of `deploy/` for these front doors. */
export async function startProxy(
  name: ProxyName,
  doors: readonly [Door, ...Door[]],
  options: ProxyOptions = {},
): Promise<RunningProxy> {
  const folder = mkdtempSync(join(tmpdir(), `parterre-${name}-`));
  const socketPath = join(folder, 'socket');
  const file = join(folder, 'configuration');
  const { perAddress = connectionsPerAddress, port = null, certificate = null } = options;
  const setting = { folder, socketPath, doors, perAddress, port, certificate };
  writeFileSync(file, name === 'nginx' ? nginxFile(setting) : haproxyFile(setting));
  const args = name === 'nginx' ? ['-e', 'stderr', '-c', file, '-g', 'daemon off;'] : ['-db', '-f', file];
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
  return { socketPath, said: () => said, stop };
}

/** Attacks find few connections to a front door, so that all clients share them. */
function nginxFile({ folder, socketPath, doors, perAddress, port, certificate }: Setting): string {
  const own = [
    'access_log off;',
    ...['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder}/${kind};`),
  ];
  const isRoot = process.getuid?.() === 0;
  const tls = certificate
    ? ([
        ['listen 443 ssl;', `listen 127.0.0.1:${port} ssl; listen unix:${socketPath};`],
        ['/etc/nginx/parterre.crt', certificate.certFile],
        ['/etc/nginx/parterre.key', certificate.keyFile],
      ] as const)
    : ([
        ['listen 443 ssl;', `listen unix:${socketPath};`],
        ['ssl_certificate /etc/nginx/parterre.crt;', ''],
        ['ssl_certificate_key /etc/nginx/parterre.key;', ''],
        ['keepalive 256;', 'keepalive 2;'],
        ['$remote_addr;', '127.0.0.1;'],
      ] as const);
  const [one, two] = doors;
  return deployed('nginx.conf', [
    ['worker_processes auto;', `worker_processes 1;${isRoot ? ' user root;' : ''} pid ${folder}/pid;`],
    ['http {', `http {\n${own.join('\n')}`],
    ['listen 80;', `listen unix:${folder}/plain;`],
    ...tls,
    ['server 10.0.0.11:8080', `server 127.0.0.1:${one.port}`],
    ['server 10.0.0.12:8080 max_fails=0;', two ? `server 127.0.0.1:${two.port} max_fails=0;` : ''],
    ['limit_conn of_an_address 200;', `limit_conn of_an_address ${perAddress};`],
  ]);
}

/** With `always` a client's first request also travels on a connection of others. */
function haproxyFile({ socketPath, doors, perAddress, port, certificate }: Setting): string {
  const plain = port === null || certificate ? `unix@${socketPath}` : `127.0.0.1:${port},unix@${socketPath}`;
  const tls = certificate
    ? ([
        ['bind :443', `bind 127.0.0.1:${port}`],
        ['/etc/haproxy/parterre.pem', oneFile(certificate)],
      ] as const)
    : ([
        ['bind :443 ssl crt /etc/haproxy/parterre.pem alpn h2,http/1.1', ''],
        ['http-request redirect scheme https code 308 unless { ssl_fc }', ''],
        ['http-reuse safe', 'http-reuse always'],
      ] as const);
  const serverOf = ({ port, healthPort }: Door) =>
    `127.0.0.1:${port} ${healthPort === undefined ? 'no-check' : `check port ${healthPort}`}`;
  const [one, two] = doors;
  return deployed('haproxy.cfg', [
    // This machine may allow fewer files.
    ['maxconn 12500', 'maxconn 2000'],
    ['bind :80', `bind ${plain}`],
    ...tls,
    ['gt 200', `gt ${perAddress}`],
    ['server one 10.0.0.11:8080', `server one ${serverOf(one)}`],
    ['server two 10.0.0.12:8080', two ? `server two ${serverOf(two)}` : ''],
  ]);
}

/** HAProxy reads a certificate and its key from one file. */
function oneFile({ certFile, keyFile }: Certificate): string {
  const file = `${certFile}.haproxy`;
  writeFileSync(file, readFileSync(certFile, 'utf8') + readFileSync(keyFile, 'utf8'), { mode: 0o600 });
  return file;
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
