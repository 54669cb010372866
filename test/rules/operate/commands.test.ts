/** The help of all commands, and the place at which Ctrl-C ends a long one. */
import { afterEach, expect, test } from 'vitest';
import { progressOf, stopAtNextPiece } from '../../../scripts/backup/progress.ts';
import { commands } from '../../../scripts/operate/commands.ts';
import { overview } from '../../../scripts/operate/help.ts';

afterEach(() => stopAtNextPiece(null));

test('The help is one screen, names each command by purpose, and forgets none', () => {
  const lines = overview(commands).split('\n');
  expect(lines.length).toBeLessThan(60);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(120);
  for (const { words } of commands) {
    const [first = '', second] = words.split(' ');
    const line = lines.find((each) => each.startsWith(`  ${first} `));
    expect(line, words).toBeDefined();
    if (second !== undefined) expect(line).toContain(second);
  }
  expect(lines).not.toContain('More:');
});

test('A command without a purpose is listed last', () => {
  const strange = { words: 'juggle', takes: '', does: 'Juggles.', run: 'demo' as const };
  expect(overview([...commands, strange])).toMatch(/More:\n {2}juggle/);
});

test('Ctrl-C ends a long step at its next piece, and tells the place and what to do', () => {
  const said: string[] = [];
  const line = progressOf((words) => said.push(words), 'Messages', 1_000);
  line.passed(400);
  stopAtNextPiece('Give the command again.');
  expect(() => line.passed(1)).toThrow('Stopped at Messages: 401 of 1,000. Give the command again.');
});
