/**
 * The logs of the services: a file each, bounded by a rotation to `<name>.log.1`, or the terminal. The terminal also
 * shows each warning and error in one line, and leaves out repetitions.
 *
 * States of a file: written ⇄ failing. No line of a log may end the launcher, because all services would end with it. A
 * line that cannot be written (a full disk) is dropped. The terminal tells the first such line, and how many lines were
 * dropped once a line can be written again.
 */
import { closeSync, existsSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';

export type LogSink = {
  path: string;
  line(text: string): void;
  /** The last line that was not JSON: the message of a process that dies of a start-up error. */
  lastWords(): string;
};

const logBytesMax = 10 * 1024 * 1024;
const echoLengthMax = 300;
const warningLevels = ['warn', 'error', 'fatal'];
const errorLevels = ['error', 'fatal'];

export function openLog(folder: string, name: string, toTerminal: boolean, say: (line: string) => void): LogSink {
  const path = join(folder, `${name}.log`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  let file = openSync(path, 'a', 0o600);
  let bytes = fstatSync(file).size;
  let lastTold = '';
  let lastWords = '';

  let dropped = 0;

  /** The open file stays in use until its successor is open. */
  function turnOver(): void {
    if (existsSync(path)) renameSync(path, `${path}.1`);
    const next = openSync(path, 'a', 0o600);
    closeSync(file);
    file = next;
    bytes = 0;
  }

  function write(text: string): void {
    try {
      if (bytes > logBytesMax) turnOver();
      bytes += writeSync(file, `${text}\n`);
    } catch (error) {
      if (dropped++ === 0) say(`  ${name}: its log cannot be written, lines are dropped: ${(error as Error).message}`);
      return;
    }
    if (dropped > 0) say(`  ${name}: its log is written again, ${dropped} lines were dropped`);
    dropped = 0;
  }

  function line(text: string): void {
    if (toTerminal) return void process.stderr.write(`${text}\n`);
    write(text);
    const warning = warningOf(text);
    if (warning && warning !== lastTold) say(`  ${name}: ${warning.slice(0, echoLengthMax)}`);
    if (warning) lastTold = warning;
    const word = /^\s*(?:\w*(?:Error|Fault)\b.*|.*\[FTL\].*)$/.exec(text)?.[0] ?? fatalOf(text);
    if (word) lastWords = word.trim();
  }

  return { path, line, lastWords: () => lastWords };
}

function parse(text: string): { level?: string; msg?: string; err?: { message?: string } } | null {
  if (!text.startsWith('{')) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function warningOf(text: string): string | null {
  if (/\[(WRN|ERR|FTL)\]/.test(text)) return text.replace(/^.*\[(?:WRN|ERR|FTL)\] /, '');
  const entry = parse(text);
  if (!entry || !warningLevels.includes(entry.level ?? '')) return null;
  return [entry.msg, entry.err?.message].filter(Boolean).join(': ');
}

function fatalOf(text: string): string | null {
  const entry = parse(text);
  return entry && errorLevels.includes(entry.level ?? '') ? (entry.err?.message ?? entry.msg ?? null) : null;
}
