/**
 * `npx parterre why <request id>`: why a request was refused. Every front door is asked over NATS for the refusals that
 * it remembers. The logs that this machine has are searched as well: the launcher's, the journal of systemd, and the
 * files of `--log`. A refusal that memory and log both have is told once, as the memory has it.
 *
 * Failure at each await: no front door answers within `answerMsMax` → the logs alone are searched; a log that cannot be
 * read → its name and the reason stand among the searched logs. Without NATS the logs of `--log` are searched.
 *
 *   main.ts        the front doors and the logs
 *   why-report.ts  the lines to print
 */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { RefusalsAsked, RefusalsFound } from '../../shared/src/protocol/refused-requests.ts';
import { subjects } from '../../shared/src/protocol/subjects.ts';
import { decode, encode } from '../../shared/src/protocol/wire.ts';
import { connectTo, findDeployment } from '../backup/deployment.ts';
import { Refused, wordsOf } from '../backup/refused.ts';
import type { FoundRefusal, FoundRefusals } from './why-report.ts';

export { report } from './why-report.ts';

const answerMsMax = 2_000;
/** After so long without another answer, all front doors have answered. */
const quietMs = 300;
const journalMsMax = 20_000;
const journalBytesMax = 8 * 1024 * 1024;
const refusalsMax = 50;

export async function lookUp(
  env: NodeJS.ProcessEnv,
  folder: string,
  requestId: string,
  files: readonly string[],
): Promise<FoundRefusals | { problem: string }> {
  const found: FoundRefusals = { requestId, refusals: [], since: {}, logs: [] };
  let dataFolder: string | null = null;
  try {
    const deployment = findDeployment(env, folder);
    dataFolder = deployment.dataFolder;
    for (const answer of await askFrontDoors(deployment, requestId)) {
      found.since[answer.process] = answer.since;
      for (const refusal of answer.refusals) found.refusals.push({ ...refusal, process: answer.process });
    }
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (files.length === 0) return { problem: error.message };
  }
  const logged = [
    ...(await searchFiles([...files, ...launcherLogs(dataFolder)], requestId, found.logs)),
    ...(await searchJournal(requestId, found.logs)),
  ];
  // The log's time is a moment later than the memory's.
  const isKnown = (entry: FoundRefusal) =>
    found.refusals.some((each) => each.process === entry.process && Math.abs(each.at - entry.at) < 1_000);
  for (const entry of logged) if (!isKnown(entry)) found.refusals.push(entry);
  found.refusals.sort((a, b) => a.at - b.at).splice(refusalsMax);
  return found;
}

async function askFrontDoors(
  { nats: access }: ReturnType<typeof findDeployment>,
  requestId: string,
): Promise<RefusalsFound[]> {
  const { nats } = await connectTo(access);
  const answers: RefusalsFound[] = [];
  try {
    const asked: RefusalsAsked = { requestId };
    const options = { strategy: 'stall', maxWait: answerMsMax, stall: quietMs } as const;
    for await (const message of await nats.requestMany(subjects.refusals, encode(asked), options)) {
      if (!(message instanceof Error) && message.data.length > 0) answers.push(decode<RefusalsFound>(message.data));
    }
  } catch {
    // No front door listens. The report says so.
  } finally {
    await nats.close();
  }
  return answers;
}

function launcherLogs(dataFolder: string | null): string[] {
  const folder = dataFolder && join(dataFolder, 'logs');
  if (!folder || !existsSync(folder)) return [];
  const ofFrontDoors = readdirSync(folder).filter((name) => name.startsWith('frontdoor'));
  return ofFrontDoors.map((name) => join(folder, name));
}

async function searchFiles(files: readonly string[], requestId: string, searched: string[]): Promise<FoundRefusal[]> {
  const found: FoundRefusal[] = [];
  for (const file of files) {
    try {
      const opened = await open(file);
      for await (const line of opened.readLines()) {
        if (line.includes(requestId)) found.push(...refusalOf(line, requestId));
      }
      searched.push(file);
    } catch (error) {
      searched.push(`${file} (it cannot be read: ${wordsOf(error)})`);
    }
  }
  return found;
}

/** Request ids have no character that a pattern of journalctl reads otherwise, but dots. */
async function searchJournal(requestId: string, searched: string[]): Promise<FoundRefusal[]> {
  const asked = ['--no-pager', '--output=cat', '--unit=parterre*', `--grep=${requestId.replaceAll('.', '\\.')}`];
  try {
    const options = { timeout: journalMsMax, maxBuffer: journalBytesMax };
    const { stdout } = await promisify(execFile)('journalctl', asked, options);
    searched.push("systemd's journal");
    return stdout.split('\n').flatMap((line) => refusalOf(line, requestId));
  } catch {
    // No systemd here, or nothing was found.
    return [];
  }
}

type LogLine = Partial<FoundRefusal> & { time?: string; msg?: string };

/** The refusal that a line of the access log tells; none for any other line. */
function refusalOf(line: string, requestId: string): FoundRefusal[] {
  const start = line.indexOf('{');
  if (start < 0) return [];
  let entry: LogLine;
  try {
    entry = JSON.parse(line.slice(start)) as LogLine;
  } catch {
    return [];
  }
  const { msg, time, requestId: id, status, code } = entry;
  if (msg !== 'request refused' || id !== requestId || status === undefined || code === undefined) return [];
  return [{ message: '', route: null, method: '', process: '', ...entry, at: Date.parse(time ?? '') } as FoundRefusal];
}
