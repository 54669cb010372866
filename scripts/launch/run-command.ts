/** Runs other programs to their end, bounded in time. A failure is a value with its reason in one line. */
import { execFile } from 'node:child_process';

export type Ran = { ok: true; stdout: string } | { ok: false; why: string };

export type RunOptions = { deadlineMs: number; cwd?: string; env?: Record<string, string | undefined> };

const OUTPUT_BYTES_MAX = 16 * 1024 * 1024;

export function runCommand(command: string, args: string[], options: RunOptions): Promise<Ran> {
  const { deadlineMs, ...rest } = options;
  return new Promise((resolve) => {
    execFile(command, args, { ...rest, timeout: deadlineMs, maxBuffer: OUTPUT_BYTES_MAX }, (error, stdout, stderr) => {
      if (!error) return resolve({ ok: true, stdout });
      if (error.code === 'ENOENT') return resolve({ ok: false, why: `there is no ${command}` });
      if (error.killed) return resolve({ ok: false, why: `${command} took longer than ${deadlineMs / 1000} s` });
      resolve({ ok: false, why: lastLine(stderr) ?? lastLine(stdout) ?? `${command} left with ${error.code}` });
    });
  });
}

/** Programs print the error at the end of their output. */
function lastLine(text: string): string | undefined {
  return text.trim().split('\n').at(-1)?.trim() || undefined;
}
