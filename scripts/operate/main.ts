/**
 * `npx parterre …`: the operator's commands. Organisations, users, keys and projections go over the front door's admin
 * surface. Backups go to NATS and the store themselves (scripts/backup), the journal's commands to NATS
 * (scripts/journal), and those that look at what runs to NATS and the members (scripts/status, doctor,
 * rehearse, why).
 *
 *   main.ts       arguments → command → output and exit code: 0 done, 1 refused, not reached, halted or damaged,
 *                 2 not understood, or a journal that could not be verified
 *   commands.ts   the table of commands
 *   help.ts       one screen of all commands by purpose, and the usage of each
 *   programs.ts   the commands that are programs of their own
 *   try.ts        a hold and a booking of the demo, to paste
 *   target.ts     which front door, and its root token
 *   admin-api.ts  the calls
 *   output.ts     tables for people, JSON for programs
 */
import { parseArgs } from 'node:util';
import type { BackupCommand } from '../backup/main.ts';
import type { JournalCall } from '../journal/main.ts';
import type { Demo } from '../launch/demo.ts';
import { AdminApi, Refused } from './admin-api.ts';
import { type AdminCall, type Command, commands, type Given, type Option } from './commands.ts';
import { overview, usage } from './help.ts';
import { shown } from './output.ts';
import { runProgram } from './programs.ts';
import { findDemo, findTarget } from './target.ts';
import { trialText, tryDemo } from './try.ts';

const journalProgram = new URL('./journal.js', import.meta.url).href;
const backupProgram = new URL('./backup.js', import.meta.url).href;
const whyProgram = new URL('./why.js', import.meta.url).href;

/** The arguments name no command, or do not fit it. The message comes with the usage. */
class Misunderstood extends Error {}

async function main(args: string[]): Promise<number> {
  const wantsHelp = args.length === 0 || args.some((arg) => arg === '--help' || arg === '-h') || args[0] === 'help';
  const [group, action] = args.filter((arg) => !arg.startsWith('-') && arg !== 'help');
  const ofGroup = commands.filter(({ words }) => words.split(' ')[0] === group);
  const command =
    ofGroup.find(({ words }) => words === `${group} ${action}`) ?? ofGroup.find(({ words }) => words === group);
  const isWhole = command === undefined || (action === undefined && ofGroup.length > 1);
  const about = !isWhole ? [command] : ofGroup.length > 0 ? ofGroup : commands;
  if (wantsHelp) {
    process.stdout.write(group === undefined ? overview(commands) : usage(about));
    return args.length === 0 ? 2 : 0;
  }
  try {
    if (!command) throw new Misunderstood(`There is no command "${[group, action].filter(Boolean).join(' ')}".`);
    return await run(command, args);
  } catch (error) {
    if (!(error instanceof Misunderstood)) throw error;
    process.stderr.write(`${error.message}\n\n${about === commands ? overview(commands) : usage(about)}`);
    return 2;
  }
}

async function run(command: Command, args: string[]): Promise<number> {
  const { given, json } = read(command, args);
  try {
    if (command.run === 'journal') return await journal(command.words, given, json);
    if (command.run === 'why') return await why(given, json);
    if (typeof command.run === 'object') return await runProgram(command.run.program, command.words, given, json);
    process.stdout.write(await told(command.run, given, json));
    return 0;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
}

async function told(
  run: Exclude<Command['run'], 'why' | 'journal' | object> | AdminCall,
  given: Given,
  json: boolean,
): Promise<string> {
  if (run === 'demo') return demoKeys(json);
  if (run === 'backup' || run === 'restore' || run === 'drill' || run === 'move') return backup(run, given, json);
  return run === 'try' ? trial(json) : answer(run, given, json);
}

async function answer(call: AdminCall, given: Given, json: boolean): Promise<string> {
  const target = findTarget(process.env, process.cwd());
  if ('problem' in target) throw new Refused(target.problem);
  const answered = await call(new AdminApi(target), given);
  return json ? asJson(answered) : shown(answered);
}

function demoHere(): Demo {
  const demo = findDemo(process.env, process.cwd());
  if ('problem' in demo) throw new Refused(demo.problem);
  return demo;
}

function demoKeys(json: boolean): string {
  const { url, organisation, rootToken, keys } = demoHere();
  const shownKeys = { url, organisation, rootToken, ...keys };
  return json ? asJson(shownKeys) : shown(shownKeys);
}

async function trial(json: boolean): Promise<string> {
  const made = await tryDemo(demoHere());
  return json ? asJson(made) : trialText(made);
}

/** In a program of its own: the stores and the client of NATS take a while to load. */
async function backup(command: BackupCommand, { folder, cluster, partitions }: Given, json: boolean): Promise<string> {
  const { perform } = (await import(backupProgram)) as typeof import('../backup/main.ts');
  const done = await perform({
    command,
    folder: folder!,
    cluster: cluster === true,
    partitions: partitions ?? null,
    env: process.env,
    cwd: process.cwd(),
    say: (line) => void process.stderr.write(`${line}\n`),
  });
  if ('problem' in done) throw new Refused(done.problem);
  return json ? asJson(done.facts) : shown(done.facts);
}

/** In a program of its own, as a backup. Resolves with the exit code. */
async function journal(words: string, { event, partition, reason, ...given }: Given, json: boolean): Promise<number> {
  const { perform } = (await import(journalProgram)) as typeof import('../journal/main.ts');
  const answer = await perform({
    command: words as JournalCall['command'],
    event: event ?? null,
    partition: partition ?? null,
    reason: reason ?? null,
    givesUp: given['give-up'] === true,
    isDryRun: given.write !== true,
    copies: given.copies === true,
    env: process.env,
    cwd: process.cwd(),
    say: (line) => void process.stderr.write(`${line}\n`),
  });
  if ('problem' in answer) process.stderr.write(`${answer.problem}\n`);
  else process.stdout.write(json ? asJson(answer.facts) : shown(answer.facts));
  return answer.code;
}

/** 1 if nothing tells of the request. */
async function why({ request, log }: Given, json: boolean): Promise<number> {
  const { lookUp, report } = (await import(whyProgram)) as typeof import('../why/main.ts');
  const found = await lookUp(process.env, process.cwd(), request!, log ?? []);
  if ('problem' in found) throw new Refused(found.problem);
  process.stdout.write(json ? asJson(found) : report(found));
  return found.refusals.length > 0 ? 0 : 1;
}

const asJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

function read(command: Command, args: string[]): { given: Given; json: boolean } {
  const names = [...command.takes.matchAll(/<(\w+)>/g)].map(([, name]) => name!);
  const parsed = parse(command, args);
  const positionals = parsed.positionals.slice(command.words.split(' ').length);
  if (positionals.length !== names.length) {
    throw new Misunderstood(
      `"${command.words}" takes ${names.map((name) => `<${name}>`).join(' ') || 'no arguments'}.`,
    );
  }
  for (const name of command.required ?? []) {
    if (parsed.values[name] === undefined) throw new Misunderstood(`"${command.words}" needs --${name}.`);
  }
  const arguments_ = Object.fromEntries(names.map((name, i) => [name, positionals[i]!.trim()]));
  const { json, ...options } = parsed.values;
  // Without the blank that `parse` puts before a negative number.
  for (const [name, value] of Object.entries(options)) if (typeof value === 'string') options[name] = value.trim();
  return { given: { ...arguments_, ...options } as Given, json: json === true };
}

function parse(command: Command, args: string[]) {
  // A negative number is no option. A blank before it keeps parseArgs from reading it as one.
  const meant = args.map((arg) => (/^-\d+$/.test(arg) ? ` ${arg}` : arg));
  const options: Record<string, Option> = { ...command.options, json: { type: 'boolean' } };
  try {
    return parseArgs({ args: meant, options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new Misunderstood((error as Error).message);
  }
}

// The reader of a pipe may leave first (`parterre org list | head`).
process.stdout.on('error', () => {});
process.exitCode = await main(process.argv.slice(2));
