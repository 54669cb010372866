/** The notices of native programs name what is installed, and are in the image. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const notices = readFileSync('THIRD-PARTY.md', 'utf8');
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<string, { name?: string; version: string; dev?: boolean }>;
};

it.each(['uWebSockets.js', 'lmdb', 'msgpackr-extract'])('%s is named with its installed version', (folder) => {
  const { name = folder, version } = lock.packages[`node_modules/${folder}`]!;
  expect(notices).toContain(`\`${name}\` ${version}`);
});

it('nats-server is named with the version that is fetched', () => {
  const source = readFileSync('scripts/launch/find-nats-server.ts', 'utf8');
  expect(notices).toContain(`| ${/const fetchedVersion = '(.+)'/.exec(source)![1]} |`);
});

it('every named text exists, and the image has the texts', () => {
  for (const [, path] of notices.matchAll(/`(node_modules\/[^`]+)`/g)) {
    expect(readFileSync(path!, 'utf8').length).toBeGreaterThan(500);
  }
  expect(readFileSync('LICENSE', 'utf8')).toContain('Apache License');
  expect(readFileSync('Dockerfile', 'utf8')).toMatch(/^COPY LICENSE THIRD-PARTY\.md \.\/$/m);
});
