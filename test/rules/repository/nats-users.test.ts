/** deploy/nats-users.conf against the sources: each service may call the operations of the catalog that it calls. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../../scripts/launch/root.ts';

const text = (file: string): string => readFileSync(join(root, file), 'utf8');

/** The quoted subjects of one list of a user, or none. */
function subjectsOf(user: string, list: 'allow' | 'deny'): string[] {
  const block = text('deploy/nats-users.conf')
    .split(/\n\s+user: /)
    .find((part) => part.startsWith(`${user}\n`))!;
  const [, inside = ''] = new RegExp(`${list}: \\[([^\\]]*)\\]`).exec(block) ?? [];
  return [...inside.replace(/#.*/g, '').matchAll(/"([^"]+)"/g)].map(([, subject]) => subject!);
}

/** Whether a subject matches a pattern of NATS. */
function matches(pattern: string, subject: string): boolean {
  const wanted = pattern.split('.');
  const given = subject.split('.');
  return (
    wanted.every((token, index) => token === '>' || token === '*' || token === given[index]) &&
    (wanted.at(-1) === '>' ? given.length >= wanted.length : given.length === wanted.length)
  );
}

/** The subjects of the catalog's operations that the files call, as `catalog('plans.get'`. */
function calledBy(...folders: string[]): string[] {
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', ...folders], {
    cwd: root,
    encoding: 'utf8',
  });
  const sources = files
    .split('\n')
    .filter((file) => file.endsWith('.ts'))
    .map(text)
    .join('\n');
  return [
    ...new Set([...sources.matchAll(/\bcatalog\(\s*'([a-z.-]+)'/g)].map(([, operation]) => `catalog.${operation}`)),
  ];
}

test.each([
  ['frontdoor', 50],
  ['inventory-shard', 1],
  ['notifier', 5],
])('%s may call every operation of the catalog that it calls', (service, countMin) => {
  const called = [...calledBy(`services/${service}/src`), ...calledBy('shared/src/charts/plans')];
  expect(called.length).toBeGreaterThanOrEqual(countMin);
  const may = (subject: string): boolean =>
    subjectsOf(service, 'allow').some((pattern) => matches(pattern, subject)) &&
    !subjectsOf(service, 'deny').some((pattern) => matches(pattern, subject));
  expect(called.filter((subject) => !may(subject))).toEqual([]);
});

test('a front door may not call the operations that only notifiers call', () => {
  const own = new Set([...calledBy('services/frontdoor/src'), ...calledBy('shared/src/charts/plans')]);
  const ofNotifiers = calledBy('services/notifier/src').filter((subject) => !own.has(subject));
  // An operation is asked of any catalog, or of one that is named.
  const ofOne = ofNotifiers.map((subject) => subject.replace('catalog.', 'catalogs.*.'));
  expect(subjectsOf('frontdoor', 'deny').sort()).toEqual([...ofNotifiers, ...ofOne].sort());
});
