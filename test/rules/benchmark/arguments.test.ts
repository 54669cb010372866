/** A wrong option of a benchmark ends it with one line. */
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { readArguments } from '../../../bench/arguments.ts';
import { root } from '../../../scripts/launch/root.ts';

const script = join(root, 'scripts', 'bench.mjs');
const argv = process.argv;

afterEach(() => {
  process.argv = argv;
  vi.restoreAllMocks();
});

test('an unknown option is named, and its benchmark ends with 1', () => {
  process.argv = [...argv.slice(0, 2), '--foo'];
  const said = vi.spyOn(console, 'error').mockImplementation(() => {});
  const exit = vi.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Error(`exit ${code}`);
  });
  expect(() => readArguments({ quick: { type: 'boolean' } })).toThrow('exit 1');
  expect(exit).toHaveBeenCalledWith(1);
  expect(said.mock.calls[0]![0]).toMatch(/^Unknown option '--foo'\. "npm run bench -- --help" /);
});

test('--help prints the examples of the README', () => {
  expect(execFileSync(process.execPath, [script, '--help'], { encoding: 'utf8' })).toMatch(
    /^npm run bench -- --quick /m,
  );
});

test('an unknown benchmark is refused with the names of all', () => {
  const { status, stderr } = spawnSync(process.execPath, [script, 'speed'], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: expect.stringMatching(/^There is no benchmark speed\. There are: sales, /),
  });
});
