/**
 * `npx parterre journal verify|accept|restore`. The commands go to NATS, as those of scripts/backup do.
 *
 *   main.ts         the commands
 *   verify.ts       the streams against everything that names their messages
 *   accept.ts       the operator's word to the owner of a partition: go on without lost records
 *   restore.ts      the same: write them again
 *   copies.ts       the copies of a stream against each other
 *   evidence.ts     snapshots, positions, identities
 *   read-stream.ts  a stream in order
 */
import type { ClusterLayout } from '../../shared/src/runtime/cluster-layout.ts';
import { type Connected, connectTo, findDeployment, standingLayout } from '../backup/deployment.ts';
import { type Say, stopOnInterrupt } from '../backup/progress.ts';
import { Refused, wordsOf } from '../backup/refused.ts';
import { acceptEvent, acceptPartition } from './accept.ts';
import { restoreEvent, restorePartition } from './restore.ts';
import { verify } from './verify.ts';

export type JournalCall = {
  command: 'journal verify' | 'journal accept' | 'journal restore';
  event: string | null;
  partition: string | null;
  reason: string | null;
  givesUp: boolean;
  isDryRun: boolean;
  copies: boolean;
  env: NodeJS.ProcessEnv;
  cwd: string;
  say: Say;
};

/** `code`: 0 whole or done, 1 damage or refused, 2 nobody could look. */
export type JournalAnswer = { facts: Record<string, unknown>; code: 0 | 1 | 2 } | { problem: string; code: 1 | 2 };

export async function perform(call: JournalCall): Promise<JournalAnswer> {
  if (call.command === 'journal verify') {
    stopOnInterrupt('Nothing was changed. Give the command again, with --partition for a part of it.', call.say);
  }
  try {
    return await answerOf(call);
  } catch (error) {
    const problem = error instanceof Refused ? error.message : `The run stopped: ${wordsOf(error)}.`;
    return { problem, code: call.command === 'journal verify' ? 2 : 1 };
  }
}

async function answerOf({ command, env, cwd, say, ...call }: JournalCall): Promise<JournalAnswer> {
  const connected = await connectTo(findDeployment(env, cwd).nats);
  try {
    const layout = await standingLayout(connected);
    const partition = call.partition === null ? null : partitionNamed(call.partition, layout.partitions);
    if (command !== 'journal verify') return await decided(connected, layout, { command, say, ...call, partition });
    const chosen = partition === null ? Array.from({ length: layout.partitions }, (_, number) => number) : [partition];
    const verified = await verify(connected, layout, chosen, say, call.copies);
    const { damages, catalog, partitions, messages, events } = verified;
    const figures = { partitions, messages, events };
    const facts = { whole: damages.length === 0, ...figures, catalog: catalog ? 'compared' : 'not reached', damages };
    return { facts, code: damages.length > 0 ? 1 : catalog ? 0 : 2 };
  } finally {
    await connected.nats.close();
  }
}

type Decision = Pick<JournalCall, 'command' | 'event' | 'givesUp' | 'isDryRun' | 'say' | 'reason'> & {
  partition: number | null;
};

async function decided(connected: Connected, layout: ClusterLayout, call: Decision): Promise<JournalAnswer> {
  const { command, event, partition, isDryRun, givesUp, say } = call;
  if (event === null && partition === null) throw new Refused('Name the loss: --event or --partition.');
  const reason = call.reason ?? '';
  const next = isDryRun ? 'the same command with --write' : 'npx parterre projections rebuild';
  if (command === 'journal restore') {
    if (!isDryRun && reason === '') throw new Refused('Give the reason, which stands in the log: --reason "…".');
    const word = { reason, givesUp, isDryRun };
    const restored =
      event !== null
        ? await restoreEvent(connected, layout, { eventKey: event, partition, ...word }, say)
        : await restorePartition(connected, layout, { partition: partition!, ...word }, say);
    return { facts: { next, ...restored }, code: restored.refused.length > 0 ? 1 : 0 };
  }
  const word = { reason, givesUp };
  if (event !== null) {
    const accepted = await acceptEvent(connected, layout, { eventKey: event, partition, ...word }, say);
    return { facts: { next, accepted }, code: 0 };
  }
  const done = await acceptPartition(connected, layout, { partition: partition!, ...word }, say);
  return { facts: { next, ...done }, code: done.refused.length > 0 ? 1 : 0 };
}

function partitionNamed(text: string, partitions: number): number {
  if (/^\d{1,6}$/.test(text) && Number(text) < partitions) return Number(text);
  throw new Refused(`The deployment has the partitions 0 to ${partitions - 1}.`);
}
