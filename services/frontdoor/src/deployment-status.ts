/**
 * What runs, for the operator's page: a roll call of all members, and the shards' accounts of their partitions. The
 * front door only asks. It may not read streams (deploy/nats-users.conf), so copies and queues are not told here: `npx
 * parterre status` tells them.
 *
 * Failure at each await: a member that does not answer within `listenMs` is missing. A shard that beats and does
 * not answer leaves its partitions `silent`. A NATS whose users are older than this file denies the question, and
 * nobody is heard.
 */
import type { Beat } from '@parterre/shared/protocol/beat';
import type { Member } from '@parterre/shared/protocol/member';
import type { ShardStatus } from '@parterre/shared/protocol/shard-status';
import { subjects } from '@parterre/shared/protocol/subjects';
import { decode } from '@parterre/shared/protocol/wire';
import { type Clock, pause } from '@parterre/shared/runtime/clock';
import type { NatsConnection } from '@parterre/shared/runtime/nats';

const listenMs = 1_000;
const answerMs = 2_000;
/** Members of a roll call, and shards whose beats are heard. */
const membersMax = 1_024;

type HeardMember = Pick<
  Member,
  'service' | 'id' | 'version' | 'node' | 'host' | 'pid' | 'startedAt' | 'memoryBytes'
> & { disk: NonNullable<Member['disk']> | null; nats: NonNullable<Member['nats']> | null };

type HeardPartition = {
  partition: number;
  owner: string | null;
  epoch: number | null;
  state: string;
  haltedBy: string | null;
  haltedEvents: number;
  events: { eventKey: string; reason: string }[];
};

/** Times are epoch milliseconds. */
export type DeploymentStatus = { at: number; members: HeardMember[]; partitions: HeardPartition[] };

export type StatusPorts = {
  nats: NatsConnection;
  clock: Clock;
  partitions: number;
  /** Until the returned function is called. An unreadable message is a fault of the front door's log. */
  listen<T>(subject: string, hear: (message: T) => void): () => void;
};

export async function lookAtDeployment(ports: StatusPorts): Promise<DeploymentStatus> {
  const { nats, clock, partitions } = ports;
  const { members, beats } = await callRoll(ports);
  const answers = await Promise.all(beats.map(({ id }) => statusOf(nats, id)));
  const lines = Array.from({ length: partitions }, (_, partition) => partitionOf(partition, beats, answers));
  return { at: clock.now(), members: members.map(heardOf), partitions: lines };
}

async function callRoll({ nats, clock, listen }: StatusPorts): Promise<{ members: Member[]; beats: Beat[] }> {
  const members = new Map<string, Member>();
  const beats = new Map<string, Beat>();
  const ends = [
    listen<Beat>(subjects.allMembers, (beat) => keep(beats, beat)),
    listen<Member>(subjects.allPresent, (member) => keep(members, member)),
  ];
  nats.publish(subjects.rollCall);
  await pause(clock, listenMs);
  for (const end of ends) end();
  const nameOf = ({ service, host, pid }: Member): string => `${service} ${host} ${pid}`;
  const inOrder = [...members.values()].sort((one, other) => nameOf(one).localeCompare(nameOf(other)));
  return { members: inOrder, beats: [...beats.values()] };
}

function keep<Heard extends { id: string }>(heard: Map<string, Heard>, one: Heard): void {
  if (heard.has(one.id) || heard.size < membersMax) heard.set(one.id, one);
}

async function statusOf(nats: NatsConnection, id: string): Promise<ShardStatus | null> {
  try {
    return decode<ShardStatus>((await nats.request(subjects.shardStatus(id), undefined, { timeout: answerMs })).data);
  } catch {
    return null;
  }
}

/** The owner is the shard that claims the partition with the highest epoch: a replaced owner may beat for a moment. */
function partitionOf(
  partition: number,
  beats: readonly Beat[],
  answers: readonly (ShardStatus | null)[],
): HeardPartition {
  let owner: string | null = null;
  let epoch: number | null = null;
  for (const { id, owns } of beats) {
    for (const [number, claimed] of owns) {
      if (number !== partition || (epoch !== null && claimed <= epoch)) continue;
      owner = id;
      epoch = claimed;
    }
  }
  const status = answers
    .find((answer) => answer?.id === owner)
    ?.partitions.find((each) => each.partition === partition);
  if (status) return { ...status, owner };
  const state = owner === null ? 'unowned' : 'silent';
  return { partition, owner, epoch, state, haltedBy: null, haltedEvents: 0, events: [] };
}

function heardOf({ service, id, version, node, host, pid, startedAt, memoryBytes, disk, nats }: Member): HeardMember {
  return { service, id, version, node, host, pid, startedAt, memoryBytes, disk: disk ?? null, nats: nats ?? null };
}
