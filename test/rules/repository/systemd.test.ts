/** The units of deploy/systemd fit the services: their settings, programs, credentials and times exist. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { drainDeadlineMs } from '@parterre/shared/protocol/limits';
import { expect, test } from 'vitest';
import { root } from '../../../scripts/launch/root.ts';
import { nodeFlags } from '../../../scripts/launch/service-process.ts';

const folder = join(root, 'deploy/systemd');
const read = (...path: string[]) => readFileSync(join(root, ...path), 'utf8');
const units = readdirSync(folder)
  .filter((name) => name.endsWith('.service'))
  .map((name) => ({ name, text: read('deploy/systemd', name) }));
const valuesOf = (text: string, key: string) =>
  [...text.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value]) => value!);

test('every setting of a unit, and of the shared file, is among the settings', () => {
  const settings = read('docs/settings.md');
  const ofUnits = units.flatMap(({ text }) => valuesOf(text, 'Environment'));
  const shared = read('deploy/systemd/parterre.env').match(/^[A-Z].*$/gm)!;
  const names = new Set([...ofUnits, ...shared].map((line) => line.split('=')[0]!));
  expect(names.size).toBeGreaterThan(12);
  expect([...names].filter((name) => name !== 'NODE_ENV' && !settings.includes(`\`${name}\``))).toEqual([]);
});

test('every unit runs a program that the build makes, and the target names every unit but that of one server', () => {
  const builder = read('scripts/build.mjs');
  const services = readdirSync(join(root, 'services'));
  for (const { name, text } of units) {
    const [start] = valuesOf(text, 'ExecStart');
    const program = /\/opt\/parterre\/dist\/([\w-]+)\.js$/.exec(start!)?.[1];
    if (program === undefined) expect(start, name).toMatch(/^\/usr\/local\/bin\/nats-server /);
    else
      expect(services.includes(program) || builder.includes(`'${program}'`) || program === 'launch', name).toBe(true);
  }
  const wanted = valuesOf(read('deploy/systemd/parterre.target'), 'Wants')[0]!.split(' ');
  expect(wanted.toSorted()).toEqual(units.map(({ name }) => name).filter((name) => name !== 'parterre.service'));
});

test('units, image and documents start Node with the flags of the launcher', () => {
  const flags = nodeFlags.join(' ');
  const starts = units.flatMap(({ text }) => valuesOf(text, 'ExecStart')).filter((start) => start.includes('node '));
  expect(starts.length).toBeGreaterThan(4);
  for (const start of starts) expect(start).toContain(` ${flags} /opt/parterre/`);
  expect(read('Dockerfile')).toContain(`ENTRYPOINT ${JSON.stringify(['node', ...nodeFlags]).replaceAll(',', ', ')}`);
  expect(read('docs/deployment.md')).toContain(`\`${flags}\``);
});

test('every credential that a setting names is loaded, and no other', () => {
  for (const { name, text } of units) {
    const loaded = valuesOf(text, 'LoadCredential').map((value) => value.split(':')[0]!);
    const used = valuesOf(text, 'Environment').flatMap((value) => /=%d\/(.*)$/.exec(value)?.[1] ?? []);
    expect(used.toSorted(), name).toEqual(loaded.toSorted());
  }
});

test('no unit is killed before its drain has ended', () => {
  const grace = 5;
  for (const { name, text } of units) {
    expect(Number(valuesOf(text, 'TimeoutStopSec')[0]), name).toBeGreaterThan(drainDeadlineMs / 1_000 + grace);
    expect(valuesOf(text, 'Restart'), name).toEqual(['always']);
  }
});

function hasSystemd(): boolean {
  try {
    execFileSync('systemd-analyze', ['--version']);
    return true;
  } catch {
    return false;
  }
}

test.skipIf(!hasSystemd())('systemd finds nothing to say, and calls the units well protected', () => {
  for (const { name } of units) {
    const args = ['security', '--offline=yes', '--threshold=20', join(folder, name)];
    expect(execFileSync('systemd-analyze', args, { encoding: 'utf8' }), name).toContain('Overall exposure level');
  }
});
