/**
 * The commands that are programs of their own: the client of NATS takes a while to load, and most commands do not need
 * it. Each resolves with the exit code. Progress goes to standard error, so that the output is the answer alone.
 */
import build from '../../package.json' with { type: 'json' };
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
  print(answer.facts, json);
  return answer.code;
}

function sayProgress(line: string): void {
  process.stderr.write(`${line}\n`);
}

function print(facts: Record<string, unknown>, json: boolean): void {
  process.stdout.write(json ? `${JSON.stringify(facts, null, 2)}\n` : shown(facts));
}
