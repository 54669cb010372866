/**
 * `npx parterre rehearse`: a bounded on-sale in test mode.
 *
 *   main.ts    options → stage → buyers → report; the end in every case
 *   stage.ts   keys and event of the rehearsal, and their end
 *   buyer.ts   one simulated buyer
 *   rules/     samples → report
 *
 * States: looking → staged → selling → ending → ended. Ctrl-C while selling ends the sale, and the stage as well; a
 * second Ctrl-C leaves at once. Failure at each await: looking and staging → `Refused`, and what was made is taken
 * back; selling → a refused call is a sample; ending → each step is tried, and what is left is named.
 */
import { findDeployment } from '../backup/deployment.ts';
import { Refused } from '../backup/refused.ts';
import { AdminApi, Refused as AdminRefused } from '../operate/admin-api.ts';
import { findTarget, type Target } from '../operate/target.ts';
import { findEvent } from '../status/event.ts';
import { callRoll, type HeardMember, type Looking, lookInto } from '../status/gather.ts';
import { Buyer, type Sale } from './buyer.ts';
import { rehearsalReport, type Sample, type Worked } from './rules/report.ts';
import { openStage } from './stage.ts';

export type RehearseCall = {
  given: Record<string, unknown>;
  env: NodeJS.ProcessEnv;
  cwd: string;
  say(line: string): void;
};

export type RehearseAnswer = { facts: Record<string, unknown>; code: 0 | 1 } | { problem: string };

type Options = { event: string; copy: boolean; buyers: number; seconds: number; url: string | null };

/** One address may have 1,000 sockets, and one process simulates them. */
const buyersMax = 500;
const secondsMax = 300;
/** A member that answers later has no line among the processors. */
const rollCallMs = 500;
const tellEveryMs = 5_000;

export async function perform({ given, env, cwd, say }: RehearseCall): Promise<RehearseAnswer> {
  try {
    const options = optionsOf(given);
    const target = findTarget(env, cwd);
    if ('problem' in target) throw new Refused(target.problem);
    const called = { ...target, url: options.url ?? target.url };
    return await lookInto(findDeployment(env, cwd), say, (looking) => rehearse(looking, called, options));
  } catch (error) {
    if (error instanceof Refused || error instanceof AdminRefused) return { problem: error.message };
    throw error;
  }
}

function optionsOf(given: Record<string, unknown>): Options {
  const numberOf = (name: string, usual: number, most: number): number => {
    const text = String(given[name] ?? usual);
    const number = Number(text);
    if (!/^\d{1,6}$/.test(text) || number < 1 || number > most) {
      throw new Refused(`--${name} is a number from 1 to ${most}.`);
    }
    return number;
  };
  return {
    event: String(given.event),
    copy: given.copy === true,
    buyers: numberOf('buyers', 50, buyersMax),
    seconds: numberOf('seconds', 20, secondsMax),
    url: given.url === undefined ? null : String(given.url).replace(/\/+$/, ''),
  };
}

async function rehearse(looking: Looking, target: Target, options: Options): Promise<RehearseAnswer> {
  const event = await findEvent(looking, options.event);
  if (event.mode === 'live' && !options.copy) {
    throw new Refused(
      `${event.key} is live, and a rehearsal sells in test mode alone. Give --copy to rehearse a copy.`,
    );
  }
  const stage = await openStage(new AdminApi(target), target.url, event, options.copy);
  const stopping = new AbortController();
  const onSignal = (): void => {
    if (stopping.signal.aborted) process.exit(1);
    looking.say('Ending the rehearsal. Once more leaves at once, and leaves holds to expire.');
    stopping.abort();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  try {
    const run = await sell(looking, stage.sale, options, stopping.signal);
    const left = await stage.end(run.bookings);
    if (run.lost > 0 && !options.copy) left.push(`up to ${run.lost} holds without an answer, which expire`);
    return {
      facts: { event: stage.sale.event, ...run.report, left: left.join('; ') || 'nothing' },
      code: left.length > 0 ? 1 : 0,
    };
  } catch (error) {
    await stage.end([]);
    throw error;
  } finally {
    process.off('SIGINT', onSignal);
    process.off('SIGTERM', onSignal);
  }
}

async function sell(looking: Looking, sale: Sale, options: Options, signal: AbortSignal) {
  const before = (await callRoll(looking.nats, rollCallMs)).members;
  const ownBefore = process.cpuUsage();
  const startedAt = performance.now();
  const until = startedAt + options.seconds * 1_000;
  const samples: Sample[] = [];
  const isOver = (): boolean => signal.aborted || performance.now() >= until;
  const buyers = Array.from({ length: options.buyers }, (_, number) => new Buyer(number, sale, samples, isOver));
  looking.say(`${options.buyers} buyers for ${options.seconds} s in ${sale.event} (test mode) …`);
  const telling = setInterval(() => {
    const held = samples.filter(({ step, code }) => step === 'hold' && code === null).length;
    looking.say(`${Math.round((performance.now() - startedAt) / 1_000)} s: ${samples.length} calls, ${held} holds`);
  }, tellEveryMs);
  await Promise.all(buyers.map((buyer) => buyer.run())).finally(() => clearInterval(telling));
  const seconds = (performance.now() - startedAt) / 1_000;
  const { user, system } = process.cpuUsage(ownBefore);
  const after = (await callRoll(looking.nats, rollCallMs)).members;
  const report = rehearsalReport({
    seconds,
    buyers: options.buyers,
    samples,
    frames: buyers.reduce((sum, { frames }) => sum + frames, 0),
    members: worked(before, after),
    own: (user + system) / 1e6 / seconds,
  });
  const lost = samples.filter(({ step, code }) => step === 'hold' && code === 'no_answer').length;
  return { report, lost, bookings: buyers.flatMap(({ bookings }) => bookings) };
}

/** By each process's own clock between both roll calls. */
function worked(before: readonly HeardMember[], after: readonly HeardMember[]): Worked[] {
  return after.flatMap(({ id, service, host, pid, cpuUs, now }) => {
    const earlier = before.find((member) => member.id === id);
    if (!earlier || now <= earlier.now) return [];
    return [{ process: `${service} ${host}/${pid}`, share: (cpuUs - earlier.cpuUs) / 1_000 / (now - earlier.now) }];
  });
}
