/**
 * The commands that are programs of their own: the client of NATS takes a while to load, and most commands do not need
 * it. Each resolves with the exit code. Progress goes to standard error, so that the output is the answer alone.
 */
import build from '../../package.json' with { type: 'json' };
import type { Finding, Severity } from '../doctor/rules/findings.ts';
import { Refused } from './admin-api.ts';
import { shown } from './output.ts';

const statusProgram = new URL('./status.js', import.meta.url).href;
const doctorProgram = new URL('./doctor.js', import.meta.url).href;
const rehearseProgram = new URL('./rehearse.js', import.meta.url).href;

export type ProgramName = 'status' | 'doctor' | 'rehearse';

export async function runProgram(
  name: ProgramName,
  command: string,
  given: Record<string, unknown>,
  json: boolean,
): Promise<number> {
  const asked = { command, given, env: process.env, cwd: process.cwd(), version: build.version, say: sayProgress };
  if (name === 'status') {
    const { perform } = (await import(statusProgram)) as typeof import('../status/main.ts');
    const answer = await perform(asked);
    if ('problem' in answer) throw new Refused(answer.problem);
    print(answer.facts, json);
    return answer.isBad ? 1 : 0;
  }
  const program = name === 'doctor' ? doctorProgram : rehearseProgram;
  const { perform } = (await import(program)) as
    | typeof import('../doctor/main.ts')
    | typeof import('../rehearse/main.ts');
  const answer = await perform(asked);
  if ('problem' in answer) throw new Refused(answer.problem);
  if (json || name !== 'doctor') print(answer.facts, json);
  else process.stdout.write(findingsText(answer.facts as unknown as Diagnosis));
  return answer.code;
}

type Diagnosis = Record<Severity, number> & { findings: Finding[] };

/** The worst first, and below each what to do. */
function findingsText({ findings, bad, unknown, warning, good }: Diagnosis): string {
  const lines = findings.map(({ severity, check, finding, todo }) => {
    const next = todo === '-' ? '' : `\n         ${todo}`;
    return `${severity.toUpperCase().padEnd(severityWidth)}${check}: ${finding}${next}\n`;
  });
  return `${lines.join('')}\n${bad} bad, ${unknown} not known, ${warning} warnings, ${good} good\n`;
}

const severityWidth = 9;

function sayProgress(line: string): void {
  process.stderr.write(`${line}\n`);
}

function print(facts: Record<string, unknown>, json: boolean): void {
  process.stdout.write(json ? `${JSON.stringify(facts, null, 2)}\n` : shown(facts));
}
