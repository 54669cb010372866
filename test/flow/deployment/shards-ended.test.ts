/** The launcher tells the living shards of the end of another shard, with real child processes. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ShardsEnded } from '../../../scripts/launch/shards-ended.ts';

/** A shard that is ready under the id of its argument, and sends back all that its parent tells it. */
const program = `
process.on('message', (heard) => process.send({ type: 'heard', heard }));
if (process.argv[2]) process.send({ type: 'ready', healthUrl: null, id: process.argv[2] });
`;

let folder = '';
const children: ChildProcess[] = [];
let ends = new ShardsEnded();

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parterre-ended-'));
  await writeFile(join(folder, 'shard.cjs'), program);
  ends = new ShardsEnded();
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

function start(...id: string[]): ChildProcess {
  const child = fork(join(folder, 'shard.cjs'), id);
  children.push(child);
  ends.watch(child);
  return child;
}

const nextMessage = async (child: ChildProcess): Promise<unknown> => (await once(child, 'message'))[0];

test('The end of a shard is told to the living shards, and to a shard that starts later', async () => {
  const one = start('one');
  const two = start('two');
  await Promise.all([nextMessage(one), nextMessage(two)]);
  const told = nextMessage(two);
  one.kill('SIGKILL');
  expect(await told).toEqual({ type: 'heard', heard: { type: 'ended', ids: ['one'] } });
  expect(await nextMessage(start())).toEqual({ type: 'heard', heard: { type: 'ended', ids: ['one'] } });
});

test('A shard that is stopped has not ended', async () => {
  const one = start('one');
  const two = start('two');
  await Promise.all([nextMessage(one), nextMessage(two)]);
  one.kill('SIGSTOP');
  two.kill('SIGKILL');
  await once(two, 'exit');
  // The third shard hears of the second alone.
  expect(await nextMessage(start())).toEqual({ type: 'heard', heard: { type: 'ended', ids: ['two'] } });
});
