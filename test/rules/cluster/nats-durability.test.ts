/** The NATS servers that may keep a journal, and the warnings about others. */
import { isAtLeast } from '@parterre/shared/runtime/nats-version';
import { expect, test } from 'vitest';
import { durabilityOf } from '../../../services/inventory-shard/src/journal/streams.ts';

test.each([
  ['2.9.10', '2.10.0', false],
  ['2.10.0', '2.10.0', true],
  ['2.9.10', '2.9.9', true],
  ['3.0.0', '2.14.3', true],
  ['2.14.3-RC.1', '2.14.3', true],
  ['v2.15.1', '2.14.3', true],
  ['1.99.99', '2.0.0', false],
  ['unknown', '0.0.0', false],
])('%s is at least %s: %s', (version, least, expected) => {
  expect(isAtLeast(version, least)).toBe(expected);
});

test.each([
  ['2.9.10', 3],
  ['2.10.29', 2],
  ['unknown', 3],
])('NATS %s is refused for %i copies, with the reason and the way out', (version, replicas) => {
  const durability = durabilityOf(version, replicas);
  expect(durability).toHaveProperty(
    'refused',
    expect.stringContaining(`keep ${replicas} copies of the journal on NATS ${version}`),
  );
  expect(durability).toHaveProperty(
    'refused',
    expect.stringContaining('Set JOURNAL_REPLICAS=1, or use NATS 2.12.12, 2.14.3 or newer'),
  );
});

const development = 'syncs its files every two minutes';
const crash = 'may lose acknowledged appends when a server crashes';
const oneCopy = 'the journal has one copy';

test.each([
  ['2.9.10', 1, [development, oneCopy]],
  ['2.10.0', 1, [crash, oneCopy]],
  ['2.11.0', 3, [crash]],
  ['2.12.11', 3, [crash]],
  ['2.12.12', 3, []],
  ['2.12.12', 1, [oneCopy]],
  ['2.13.9', 3, [crash]],
  ['2.14.2', 3, [crash]],
  ['2.14.3', 3, []],
  ['2.15.1', 3, []],
  ['3.0.0', 5, []],
])('NATS %s with %i copies is warned of: %j', (version, replicas, expected) => {
  const durability = durabilityOf(version, replicas);
  const warnings = 'warnings' in durability ? durability.warnings : [];
  expect(warnings).toEqual(expected.map((words) => expect.stringContaining(words)));
  expect('refused' in durability).toBe(false);
});
