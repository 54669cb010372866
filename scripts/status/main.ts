/**
 * `npx parterre status`: who owns each partition, its state, and the events that are halted because their journal has
 * lost records (I9). The command hears the beats of the shards for `listenMs`, then asks each shard. A shard that does
 * not answer within `answerMs` shows as silent: its partitions have an owner and no state.
 *
 *   main.ts           the deployment, beats and answers
 *   status-report.ts  the lines to print
 */
import type { NatsConnection } from '@nats-io/transport-node';
import type { Beat } from '../../shared/src/protocol/beat.ts';
import type { ShardStatus } from '../../shared/src/protocol/shard-status.ts';
import { subjects } from '../../shared/src/protocol/subjects.ts';
import { decode } from '../../shared/src/protocol/wire.ts';
import { connectTo, findDeployment, standingLayout } from '../backup/deployment.ts';
import { Refused } from '../backup/refused.ts';
import { isAnythingHalted, type StatusReport, statusReport } from './status-report.ts';

/** Four beats. */
const listenMs = 1_000;
const answerMs = 2_000;

/** The report to print; or a sentence for the operator. */
export async function lookAtShards(
  env: NodeJS.ProcessEnv,
  folder: string,
): Promise<{ report: StatusReport; isHalted: boolean } | { problem: string }> {
  try {
    const report = await reportOf(env, folder);
    return { report, isHalted: isAnythingHalted(report) };
  } catch (error) {
    if (error instanceof Refused) return { problem: error.message };
    throw error;
  }
}

async function reportOf(env: NodeJS.ProcessEnv, folder: string): Promise<StatusReport> {
  const connected = await connectTo(findDeployment(env, folder).nats);
  const { nats } = connected;
  try {
    const { partitions } = await standingLayout(connected);
    const beats = await hearBeats(nats);
    if (beats.length === 0) throw new Refused('No inventory shard is heard: nothing can be sold.');
    const answers = await Promise.all(beats.map(({ id }) => statusOf(nats, id)));
    return statusReport(
      partitions,
      beats,
      answers.filter((answer) => answer !== null),
    );
  } finally {
    await nats.close();
  }
}

/** The latest beat of each shard. */
async function hearBeats(nats: NatsConnection): Promise<Beat[]> {
  const beats = new Map<string, Beat>();
  const subscription = nats.subscribe(subjects.allMembers, {
    callback(error, message) {
      if (error) return;
      const beat = decode<Beat>(message.data);
      beats.set(beat.id, beat);
    },
  });
  await new Promise((resolve) => void setTimeout(resolve, listenMs));
  subscription.unsubscribe();
  return [...beats.values()];
}

/** Null where the shard does not answer. */
async function statusOf(nats: NatsConnection, id: string): Promise<ShardStatus | null> {
  try {
    return decode<ShardStatus>((await nats.request(subjects.shardStatus(id), undefined, { timeout: answerMs })).data);
  } catch {
    return null;
  }
}
