/**
 * The best MongoDB for tests: the one at MONGODB_URL, otherwise a container where Docker's engine answers, otherwise a
 * server with MongoDB's wire protocol (mongo-wire/, Java 17 and Maven). This file stops the servers that it starts.
 */
import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { randomText } from '@parterre/shared/protocol/ids';
import { MongoClient } from 'mongodb';
import { runCommand } from '../../../scripts/launch/run-command.ts';

export type TestMongo = {
  /** The kind of server, for the names of tests. */
  kind: string;
  /** An address with a database of its own, new with each call. */
  freshUrl(): string;
  /** Drops the databases of `freshUrl` and ends the started server. */
  stop(): Promise<void>;
};

type Server = { kind: string; address: string; end(): Promise<void> };

const run = promisify(execFile);
const wireFolder = fileURLToPath(new URL('mongo-wire/', import.meta.url));
const wireLibraries = `${wireFolder}target/dependency`;
const IMAGE = 'mongo:8.0';
const DOCKER_ANSWER_MS = 5_000;
const MAVEN_MS = 240_000;
const PULL_MS = 300_000;

/** A server, or the reason why there is none. */
export async function startMongo(): Promise<TestMongo | { missing: string }> {
  const found = process.env.MONGODB_URL ? external(process.env.MONGODB_URL) : await startOne();
  if ('missing' in found) return found;
  const databases: string[] = [];
  return {
    kind: found.kind,
    freshUrl() {
      const name = `parterre-test-${randomText(12)}`;
      databases.push(name);
      return withDatabase(found.address, name);
    },
    async stop() {
      const client = new MongoClient(found.address);
      for (const name of databases) await client.db(name).dropDatabase();
      await client.close();
      await found.end();
    },
  };
}

function external(address: string): Server {
  return { kind: 'MongoDB at MONGODB_URL', address, end: async () => {} };
}

async function startOne(): Promise<Server | { missing: string }> {
  const container = await startContainer();
  if (!('missing' in container)) return container;
  const wire = await startWireServer();
  if (!('missing' in wire)) return wire;
  return { missing: `no MONGODB_URL; ${container.missing}; ${wire.missing}` };
}

async function startContainer(): Promise<Server | { missing: string }> {
  try {
    await run('docker', ['info'], { timeout: DOCKER_ANSWER_MS });
    const { GenericContainer } = await import('testcontainers');
    const container = await new GenericContainer(IMAGE).withExposedPorts(27_017).start();
    const address = `mongodb://${container.getHost()}:${container.getMappedPort(27_017)}/`;
    return { kind: IMAGE, address, end: async () => void (await container.stop()) };
  } catch (error) {
    return { missing: `no container (${firstLine(error)})` };
  }
}

async function startWireServer(): Promise<Server | { missing: string }> {
  try {
    if (!existsSync(wireLibraries)) throw new Error('its libraries are absent: the global set-up says why');
    const java = spawn('java', ['-cp', 'target/dependency/*', 'MongoWire.java'], {
      cwd: wireFolder,
      // It ends with its stdin, so it cannot outlive the tests.
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const ended = new Promise<void>((resolve) => java.once('exit', () => resolve()));
    const port = await new Promise<number>((resolve, reject) => {
      createInterface(java.stdout).once('line', (line) => resolve(Number(line)));
      java.once('error', reject);
      java.once('exit', (code) => reject(new Error(`the wire server ended with ${code}`)));
    });
    const end = async () => {
      java.kill();
      await ended;
    };
    return { kind: 'wire server', address: `mongodb://127.0.0.1:${port}/`, end };
  } catch (error) {
    return { missing: `no wire server (${firstLine(error)})` };
  }
}

/**
 * Fetches MongoDB's image where Docker answers, else the wire server's libraries. The global set-up calls this once
 * before the workers start. Null, or why there will be no server.
 */
export async function installMongo(say: (line: string) => void): Promise<string | null> {
  if (process.env.MONGODB_URL || existsSync(wireLibraries)) return null;
  if (await hasImage(say)) return null;
  say("Fetching the libraries of MongoDB's wire server with mvn …");
  const args = ['-q', '-B', 'dependency:copy-dependencies'];
  const ran = await runCommand('mvn', args, { deadlineMs: MAVEN_MS, cwd: wireFolder });
  if (ran.ok) return null;
  // A folder that is half full would pass for a complete one.
  await rm(wireLibraries, { recursive: true, force: true });
  return `There is no MONGODB_URL, Docker has no ${IMAGE}, and mvn failed: ${ran.why}`;
}

async function hasImage(say: (line: string) => void): Promise<boolean> {
  if (!(await runCommand('docker', ['info'], { deadlineMs: DOCKER_ANSWER_MS })).ok) return false;
  if ((await runCommand('docker', ['image', 'inspect', IMAGE], { deadlineMs: DOCKER_ANSWER_MS })).ok) return true;
  say(`Fetching ${IMAGE} with docker …`);
  return (await runCommand('docker', ['pull', '--quiet', IMAGE], { deadlineMs: PULL_MS })).ok;
}

function withDatabase(address: string, name: string): string {
  const [, server, query = ''] = /^(mongodb(?:\+srv)?:\/\/[^/?]+)[^?]*(\?.*)?$/.exec(address)!;
  return `${server}/${name}${query}`;
}

function firstLine(error: unknown): string {
  return String(error instanceof Error ? error.message : error).split('\n')[0]!;
}
