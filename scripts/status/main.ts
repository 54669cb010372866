/**
 * `npx parterre status|version|event|webhook`: what runs, and how it is. The commands ask the members and NATS.
 *
 *   main.ts      the commands
 *   gather.ts    the facts: members, beats, partitions, streams, followers of the journals
 *   event.ts     one event, and the list of an organisation's
 *   copies.ts    sets the copies of a stream
 *   webhooks.ts  subscriptions and what waits for them
 *   rules/       from facts to the lines to print
 */
import { findDeployment } from '../backup/deployment.ts';
import { Refused } from '../backup/refused.ts';
import { setCopies } from './copies.ts';
import { eventList, eventReport } from './event.ts';
import { callRoll, gather, type HeardMember, type Looking, lookInto, serverOf } from './gather.ts';
import { natsVersions, statusReport, versionsOf } from './rules/status-report.ts';
import { webhookList, webhookRecover, webhookResume, webhookShow } from './webhooks.ts';

export type StatusCall = {
  /** The words of a command. */
  command: string;
  /** Its arguments and options by name. */
  given: Record<string, unknown>;
  env: NodeJS.ProcessEnv;
  cwd: string;
  /** Of this command. */
  version: string;
  say(line: string): void;
};

/** `isBad`: the exit code is 1. */
export type StatusAnswer = { facts: Record<string, unknown>; isBad: boolean } | { problem: string };

export async function perform(call: StatusCall): Promise<StatusAnswer> {
  try {
    return await answerOf(call);
  } catch (error) {
    if (error instanceof Refused) return { problem: error.message };
    throw error;
  }
}

async function answerOf(call: StatusCall): Promise<StatusAnswer> {
  const { command, env, cwd, version, say } = call;
  if (command === 'version') return versions(version, env, cwd);
  return lookInto(findDeployment(env, cwd), say, async (looking) => {
    if (command === 'event') return eventReport(looking, String(call.given.event));
    if (command === 'status') return statusOfAll(looking);
    if (command === 'copies') return setCopies(looking, String(call.given.stream), String(call.given.copies));
    return { facts: await factsOf(looking, call), isBad: false };
  });
}

async function statusOfAll(looking: Looking): Promise<StatusAnswer> {
  const facts = await gather(looking);
  if (facts.beats.length === 0) throw new Refused('No inventory shard is heard: nothing can be sold.');
  const report = statusReport(facts);
  return { facts: report, isBad: report.trouble.length > 0 };
}

function factsOf(looking: Looking, { command, given }: StatusCall): Promise<Record<string, unknown>> {
  const webhook = String(given.webhook);
  switch (command) {
    case 'event list':
      return eventList(looking, String(given.organisation));
    case 'webhook list':
      return webhookList(looking, typeof given.organisation === 'string' ? given.organisation : null);
    case 'webhook show':
      return webhookShow(looking, webhook);
    case 'webhook resume':
      return webhookResume(looking, webhook);
    case 'webhook recover':
      return webhookRecover(looking, webhook, String(given.since));
    default:
      throw new Error(`${command} has no facts`);
  }
}

/** The command has a version without a deployment too. Two versions mix during a roll only. */
async function versions(command: string, env: NodeJS.ProcessEnv, cwd: string): Promise<StatusAnswer> {
  let deployment: ReturnType<typeof findDeployment>;
  try {
    deployment = findDeployment(env, cwd);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { facts: { command, members: 'no deployment was found here' }, isBad: false };
  }
  const { members, server } = await lookInto(
    deployment,
    () => {},
    async (looking) => {
      const { members } = await callRoll(looking.nats);
      return { members, server: serverOf(looking.nats) };
    },
  );
  const all = versionsOf(members);
  const facts = {
    command,
    nats: natsVersions({ members, server }).join(', '),
    mixed: all.length > 1,
    fits: all.every((each) => each === command),
    members: members.map(({ service, id, version, node, host, pid }: HeardMember) => {
      return { service, id, version, node, process: `${host}/${pid}` };
    }),
  };
  return { facts, isBad: false };
}
