/** The commands in flight of a front door, by id. */
import { expect, test } from 'vitest';
import type { WaitingCommand } from '../../../services/frontdoor/src/shards/waiting-commands.ts';
import { WaitingCommands } from '../../../services/frontdoor/src/shards/waiting-commands.ts';

function take(commands: WaitingCommands): WaitingCommand {
  const waiting = { envelope: { id: commands.nextId() } } as WaitingCommand;
  commands.add(waiting);
  return waiting;
}

const idOf = ({ envelope }: WaitingCommand): number => envelope.id;

test('a command is found by its id until it is deleted', () => {
  const commands = new WaitingCommands();
  const first = take(commands);
  const second = take(commands);
  expect(commands.get(idOf(first))).toBe(first);
  commands.delete(idOf(first));
  commands.delete(idOf(first));
  expect(commands.get(idOf(first))).toBeUndefined();
  expect(commands.size).toBe(1);
  expect(commands.all()).toEqual([second]);
});

test('a command that waits long keeps its slot, and no id comes twice', () => {
  const commands = new WaitingCommands();
  const slow = take(commands);
  const ids = new Set<number>([idOf(slow)]);
  for (let n = 0; n < 5_000; n++) {
    const quick = take(commands);
    ids.add(idOf(quick));
    expect(commands.get(idOf(quick))).toBe(quick);
    commands.delete(idOf(quick));
  }
  expect(ids.size).toBe(5_001);
  expect(commands.all()).toEqual([slow]);
});

test('any number of commands is kept, the oldest first', () => {
  const commands = new WaitingCommands();
  const taken = Array.from({ length: 5_000 }, () => take(commands));
  for (const waiting of taken) expect(commands.get(idOf(waiting))).toBe(waiting);
  for (const waiting of taken.slice(0, 4_990)) commands.delete(idOf(waiting));
  taken.push(take(commands));
  expect(commands.all()).toEqual(taken.slice(4_990));
  expect(commands.size).toBe(11);
});
