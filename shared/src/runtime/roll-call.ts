/**
 * Answers an operator's roll calls: the process publishes its account of itself (protocol/member.ts). Rare, and off the
 * path of every request. A NATS whose users are older than this file denies the subscription, which is logged once, and
 * the process does not answer.
 */
import { readFile, statfs } from 'node:fs/promises';
import { hostname } from 'node:os';
import build from '../../../package.json' with { type: 'json' };
import type { Member, OwnFacts, ServiceKind } from '../protocol/member.ts';
import { subjects } from '../protocol/subjects.ts';
import { encode } from '../protocol/wire.ts';
import { systemClock } from './clock.ts';
import { hearing, type NatsConnection } from './nats.ts';
import { SECOND_MS } from './units.ts';

export type RollCallPorts = {
  nats: NatsConnection;
  service: ServiceKind;
  id: string;
  /** The folder whose disk is measured; null for no disk. */
  dataFolder: string | null;
  facts(): OwnFacts;
};

export function answerRollCalls(ports: RollCallPorts): void {
  const { nats, service, id } = ports;
  nats.subscribe(subjects.rollCall, {
    callback: hearing(() => {
      void account(ports).then((member) => {
        if (!nats.isClosed()) nats.publish(subjects.present(service, id), encode(member));
      });
    }),
  });
}

async function account({ nats, service, id, dataFolder, facts }: RollCallPorts): Promise<Member> {
  const [filesMax, disk] = await Promise.all([readFilesMax(), dataFolder === null ? null : readDisk(dataFolder)]);
  const { user, system } = process.cpuUsage();
  const { info } = nats;
  return {
    ...facts(),
    service,
    id,
    version: build.version,
    node: process.versions.node,
    host: hostname(),
    pid: process.pid,
    startedAt: Math.round(systemClock.now() - process.uptime() * SECOND_MS),
    now: systemClock.now(),
    cpuUs: user + system,
    memoryBytes: process.memoryUsage.rss(),
    ...(disk && { disk }),
    ...(filesMax !== null && { filesMax }),
    ...(info && { nats: { server: info.server_name, version: info.version } }),
  };
}

/** The soft limit, which Node has raised as far as it may. Null where the system does not tell. */
async function readFilesMax(): Promise<number | null> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const [, soft] = /^Max open files\s+(\d+)/m.exec(limits) ?? [];
  return soft === undefined ? null : Number(soft);
}

/** Blocks that only the superuser may use count as used. Null where the disk cannot be measured. */
async function readDisk(folder: string): Promise<Member['disk'] | null> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { usedShare: 1 - bavail / Math.max(1, blocks), bytesFree: bavail * bsize };
  } catch {
    return null;
  }
}
