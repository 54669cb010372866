/**
 * Schemathesis, in a Python environment of its own under .cache/, fetched once with pip. A run is one process. Its
 * report is read line by line, and deleted.
 *
 * Failure at each await: without Python or pip the install throws with the reason. A run that does not come to its end
 * throws with the end of its output, and an aborted run throws at once.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { cacheFolder } from '../../scripts/launch/root.ts';
import { runCommand } from '../../scripts/launch/run-command.ts';
import type { Json } from '../support/openapi.ts';

const VERSION = '4.32.5';
const INSTALL_MS = 300_000;
const OUTPUT_KEPT = 20_000;

const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'negative_data_rejection',
  'unsupported_method',
  'allow_header_conformance',
];

export type Run = {
  url: string;
  document: Json;
  headers: Record<string, string>;
  /** Generated cases for each operation, beside the cases that follow from the schemas. */
  examples: number;
  seed: number;
  folder: string;
  /** The ids of the operations that the run calls. */
  operations: string[];
  phases: string;
  /** Ends the run with an error. */
  signal: AbortSignal;
};

/** `answers`: answers by status. `opened`: operations that succeeded at least once. */
export type Tally = {
  cases: number;
  faults: number;
  answers: Map<number, number>;
  opened: Set<string>;
  asked: Set<string>;
  output: string;
};

/** The path of the program. */
export async function installSchemathesis(say: (line: string) => void): Promise<string> {
  const folder = join(cacheFolder, `schemathesis-${VERSION}`);
  const program = join(folder, 'bin', 'schemathesis');
  const installed = join(folder, 'installed');
  if (existsSync(installed)) return program;
  say(`Fetching schemathesis ${VERSION} with pip …`);
  await rm(folder, { recursive: true, force: true });
  await demand('python3', ['-m', 'venv', folder]);
  await demand(join(folder, 'bin', 'python'), ['-m', 'pip', 'install', '--quiet', `schemathesis==${VERSION}`]);
  await writeFile(installed, '');
  return program;
}

async function demand(command: string, args: string[]): Promise<void> {
  const ran = await runCommand(command, args, { deadlineMs: INSTALL_MS });
  if (!ran.ok) throw new Error(`Schemathesis cannot be installed: ${ran.why}`);
}

/** Sends cases to the operations of the run. */
export async function runSchemathesis(program: string, run: Run): Promise<Tally> {
  const [described, lines, summary] = ['described.json', 'lines.ndjson', 'summary.json'].map((name) =>
    join(run.folder, name),
  ) as [string, string, string];
  await writeFile(described, JSON.stringify(run.document));
  const headers = Object.entries(run.headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`]);
  const selected = run.operations.flatMap((id) => ['--include-operation-id', id]);
  const args = [
    'run',
    described,
    '--url',
    run.url,
    ...headers,
    ...selected,
    '--checks',
    checks.join(','),
    '--phases',
    run.phases,
    '--seed',
    `${run.seed}`,
    '--max-examples',
    `${run.examples}`,
    '--continue-on-failure',
    '--request-timeout',
    '15',
    '--workers',
    '2',
    '--no-color',
    '--generation-database',
    'none',
    '--report',
    'json,ndjson',
    '--report-json-path',
    summary,
    '--report-ndjson-path',
    lines,
  ];
  const child = spawn(program, args, { cwd: run.folder, stdio: ['ignore', 'pipe', 'pipe'], signal: run.signal });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (bytes) => {
      output = (output + bytes).slice(-OUTPUT_KEPT);
    });
  }
  const [code] = await once(child, 'close');
  // 1 means that faults were found.
  if (code !== 0 && code !== 1) throw new Error(`Schemathesis left with ${code}:\n${output}`);
  return { ...(await readSummary(summary)), ...(await readAnswers(lines)), output };
}

async function readSummary(file: string): Promise<Pick<Tally, 'cases' | 'faults'>> {
  const summary: Json = JSON.parse(await readFile(file, 'utf8'));
  const { generated, unique_failures, errored } = summary.test_cases;
  return { cases: generated, faults: unique_failures + errored };
}

async function readAnswers(file: string): Promise<Pick<Tally, 'answers' | 'opened' | 'asked'>> {
  const tally = { answers: new Map<number, number>(), opened: new Set<string>(), asked: new Set<string>() };
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const { ScenarioFinished: finished } = JSON.parse(line);
    const recorder = finished?.recorder;
    for (const { response } of Object.values<Json>(recorder?.interactions ?? {})) {
      const status: number = response?.status_code ?? 0;
      tally.answers.set(status, (tally.answers.get(status) ?? 0) + 1);
      // A chain of calls has no operation's name.
      if (!recorder.label.includes(' /')) continue;
      tally.asked.add(recorder.label);
      if (status >= 200 && status < 300) tally.opened.add(recorder.label);
    }
  }
  return tally;
}
