/**
 * Clients that well-known generators make of the description compile: TypeScript, Python, Go by two generators, and
 * Java. Each generator is fetched once from its package registry, at a fixed version, into .cache/. The test needs
 * npm, python3, go, java and mvn; one that is missing fails its language.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { cacheFolder } from '../../../scripts/launch/root.ts';
import { runCommand } from '../../../scripts/launch/run-command.ts';
import { describedApi } from '../../../services/frontdoor/src/api/api.ts';

const folder = join(cacheFolder, 'generated-clients');
const document = join(folder, 'openapi.json');
const versions = {
  openapiTypescript: '7.13.0',
  heyApi: '0.95.0',
  typescript: '5.9.3',
  python: '0.29.1',
  oapiCodegen: 'v2.8.2',
  ogen: 'v1.25.0',
  java: '7.14.0',
};
const MINUTES = 60_000;

beforeAll(async () => {
  await mkdir(folder, { recursive: true });
  await writeFile(document, JSON.stringify(describedApi()));
});

/** Runs a program in a folder below the tests' own. Returns its output, and throws the last line of a failure. */
async function run(where: string, command: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, GOFLAGS: '-mod=mod', GOBIN: join(folder, 'go', 'bin') };
  const ran = await runCommand(command, args, { deadlineMs: 12 * MINUTES, cwd: join(folder, where), env });
  if (!ran.ok) throw new Error(`${command} ${args.join(' ')}: ${ran.why}`);
  return ran.stdout;
}

async function empty(...names: string[]): Promise<void> {
  for (const name of names) {
    await rm(join(folder, name), { recursive: true, force: true });
    await mkdir(join(folder, name), { recursive: true });
  }
}

it('TypeScript: openapi-typescript and openapi-ts', { timeout: 15 * MINUTES }, async () => {
  await empty('typescript');
  await writeFile(join(folder, 'typescript', 'package.json'), '{ "private": true, "type": "module" }');
  const { openapiTypescript, heyApi, typescript } = versions;
  const packages = [`openapi-typescript@${openapiTypescript}`, `@hey-api/openapi-ts@${heyApi}`];
  await run('typescript', 'npm', 'install', '--silent', ...packages, `typescript@${typescript}`, 'openapi-fetch');
  await run('typescript', 'npx', 'openapi-typescript', document, '-o', 'schema.d.ts');
  await run('typescript', 'npx', 'openapi-ts', '-i', document, '-o', 'client');
  await writeFile(join(folder, 'typescript', 'shop.ts'), shopInTypeScript);
  const options = ['--noEmit', '--strict', '--module', 'esnext', '--moduleResolution', 'bundler', '--target', 'es2022'];
  await run('typescript', 'npx', 'tsc', ...options, '--lib', 'es2022,dom,dom.iterable', 'shop.ts', 'client/index.ts');
});

/** A code that is not one of the operation's, and a price as a text, would not compile. */
const shopInTypeScript = `
import createClient from 'openapi-fetch';
import type { components, paths } from './schema';
import type { SeatBookedWebhook } from './client';
const client = createClient<paths>({ baseUrl: 'http://127.0.0.1:8080' });
export async function hold(): Promise<components['schemas']['LineItem'][]> {
  const asked = { params: { path: { key: 'spring-gala' } }, body: { labels: ['A-1'] } };
  const { data, error } = await client.POST('/v1/events/{key}/hold', asked);
  if (error?.code === 'event_closed') return [];
  return data?.items ?? [];
}
export const labelsOf = ({ data }: SeatBookedWebhook): string[] => data.labels;
`;

it('Python: openapi-python-client', { timeout: 15 * MINUTES }, async () => {
  await empty('python');
  await run('python', 'python3', '-m', 'venv', 'venv');
  const python = join(folder, 'python', 'venv', 'bin', 'python');
  await run('python', python, '-m', 'pip', 'install', '--quiet', `openapi-python-client==${versions.python}`);
  // The generator knows no text/csv. It makes bytes of such a body, as its documentation says.
  const asBytes = ['text/csv', 'image/svg+xml', 'application/x-ndjson'].map(
    (type) => `  ${type}: application/octet-stream`,
  );
  await writeFile(join(folder, 'python', 'config.yml'), `content_type_overrides:\n${asBytes.join('\n')}\n`);
  const program = join(folder, 'python', 'venv', 'bin', 'openapi-python-client');
  await run('python', program, 'generate', '--path', document, '--output-path', 'client', '--config', 'config.yml');
  await run('python', python, '-m', 'pip', 'install', '--quiet', './client');
  const modules = await run('python', python, '-c', importAll);
  expect(Number(modules)).toBeGreaterThan(500);
});

const importAll = `
import importlib, pkgutil, parterre_client
names = [each.name for each in pkgutil.walk_packages(parterre_client.__path__, 'parterre_client.')]
for name in names: importlib.import_module(name)
from parterre_client.api.inventory import hold_seats
assert hold_seats.sync
print(len(names))
`;

it('Go: oapi-codegen and ogen', { timeout: 15 * MINUTES }, async () => {
  await empty('go', 'go/oapi', 'go/ogen', 'go/bin');
  await run('go', 'go', 'install', `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@${versions.oapiCodegen}`);
  await run('go', 'go', 'install', `github.com/ogen-go/ogen/cmd/ogen@${versions.ogen}`);
  await writeFile(join(folder, 'go', 'oapi.yaml'), oapiCodegenConfig);
  await run('go', join(folder, 'go/bin/oapi-codegen'), '-config', 'oapi.yaml', document);
  await run('go', join(folder, 'go/bin/ogen'), '--target', 'ogen', '--package', 'ogen', '--clean', document);
  await run('go', 'go', 'mod', 'init', 'clients.example');
  await run('go', 'go', 'mod', 'tidy');
  await run('go', 'go', 'build', './...');
});

/** oapi-codegen leaves out schemas that webhooks alone use, and then misses them. */
const oapiCodegenConfig = `
package: oapi
output: oapi/api.go
generate: { models: true, client: true }
output-options: { skip-prune: true }
`;

it('Java: openapi-generator', { timeout: 20 * MINUTES }, async () => {
  await empty('java', 'java/client');
  const artifact = `org.openapitools:openapi-generator-cli:${versions.java}`;
  await run('java', 'mvn', '-q', 'dependency:copy', `-Dartifact=${artifact}`, '-DoutputDirectory=.');
  const jar = `openapi-generator-cli-${versions.java}.jar`;
  const log = await run('java', 'java', '-jar', jar, 'generate', '-i', document, '-g', 'java', '-o', 'client');
  expect(log).not.toContain('ERROR');
  await run('java/client', 'mvn', '-q', 'compile');
  const webhooks = await run('java/client', 'grep', '-r', 'ListWebhooksAnswer listWebhooks(', 'src/main/java');
  expect(webhooks).toContain('WebhooksApi.java');
});
