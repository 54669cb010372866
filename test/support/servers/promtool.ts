/** promtool of Prometheus. The global set-up installs it, and starts no Prometheus; test files only look it up. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { inPath, installPackages } from '../runner/debian.ts';

const missing = 'There is no promtool. On Debian: apt-get install prometheus';

export async function installPromtool(say: (line: string) => void): Promise<string | null> {
  if (inPath(['promtool']) !== null) return null;
  return (await installPackages(['prometheus'], say)) ?? (inPath(['promtool']) === null ? missing : null);
}

/** Its exit code and everything that it says. Throws without promtool: no test may pass without it. */
export async function promtool(args: readonly string[], input = ''): Promise<{ code: number; said: string }> {
  const program = inPath(['promtool']);
  if (program === null) throw new Error(missing);
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text));
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  return { code, said };
}
