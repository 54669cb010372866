/**
 * `npm run fuzz`: Schemathesis against a whole Parterre on loopback, over every route with each kind of credential.
 * `--examples=5` is the number of generated cases for each operation, `--seed=123` plays a run again, and
 * `--credential=secret` runs one kind.
 * Leaves with 1 if an answer is a fault of the server or differs from the description.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createWorld } from '../end-to-end/openapi/world.ts';
import {
  bearer,
  type Headers,
  kinds,
  onPage,
  openTenants,
  sessions,
  type Tenant,
} from '../end-to-end/rights/tenants.ts';
import { openShop, type Shop } from '../end-to-end/shop.ts';
import { documentFor, operationsFor } from './document.ts';
import { installSchemathesis, runSchemathesis, type Tally } from './schemathesis.ts';

const credentials = ['none', 'unknown', 'operator', ...kinds] as const;
type Credential = (typeof credentials)[number];
const schemeOf: Record<Credential, string | null> = {
  none: null,
  unknown: null,
  operator: 'rootToken',
  secret: 'secretKey',
  dashboard: 'dashboardSession',
  publishable: 'publishableKey',
  manage: 'manageSession',
  buyer: 'buyerSession',
  designer: 'designerSession',
  group: 'groupBuyerSession',
  season: 'seasonBuyerSession',
};

const { values: asked } = parseArgs({
  options: { examples: { type: 'string' }, seed: { type: 'string' }, credential: { type: 'string' } },
});
const examples = Number(asked.examples ?? 5);
const seed = Number(asked.seed ?? Math.floor(Math.random() * 2 ** 31));
const chosen = credentials.filter((credential) => (asked.credential ?? credential) === credential);
if (chosen.length === 0) throw new Error(`--credential is one of ${credentials.join(', ')}`);

const say = (line: string) => console.log(line);
const program = await installSchemathesis(say);
say(`seed ${seed}, ${examples} generated cases for each operation with each of ${chosen.length} credentials`);
const folder = await mkdtemp(join(tmpdir(), 'parterre-fuzz-'));
const shop = await openShop({ env: { PARTERRE_BUDGETS: 'off', PARTERRE_PASSWORD_COST: '10' } });
const abandoned = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => abandoned.abort());
let faults = 0;
try {
  for (const credential of chosen) faults += await fuzz(shop, credential);
  say(faults === 0 ? 'No fault.' : `${faults} faults.`);
} finally {
  await shop.stop();
  await rm(folder, { recursive: true, force: true });
}
process.exitCode = faults === 0 ? 0 : 1;

/** The number of faults with this credential. */
async function fuzz(opened: Shop, credential: Credential): Promise<number> {
  const [tenant] = await openTenants(opened);
  const world = createWorld(tenant!.shop);
  const home = { key: await world.of('heldEvent'), id: await world.of('draftChart') };
  const headers = await headersOf(credential, tenant!, home);
  const document = await documentFor(world, home);
  const { taking, ending, leaving, refusing } = operationsFor(schemeOf[credential]);
  const allPhases = 'examples,coverage,fuzzing,stateful';
  const parts = [
    { operations: refusing, phases: 'examples,fuzzing', name: 'operations that refuse the credential' },
    { operations: taking, phases: allPhases, name: 'operations that take it' },
    { operations: ending, phases: allPhases, name: 'operations that end objects' },
    { operations: leaving, phases: allPhases, name: 'the operation that ends it' },
  ];
  let found = 0;
  for (const { name, ...part } of parts) {
    if (part.operations.length === 0) continue;
    const run = { url: opened.url, document, headers, examples, seed, folder, signal: abandoned.signal, ...part };
    const tally = await runSchemathesis(program, run);
    say(`${credential}, ${name}: ${wordsFor(tally)}`);
    if (tally.faults > 0) say(tally.output);
    found += tally.faults;
  }
  return found;
}

async function headersOf(credential: Credential, tenant: Tenant, home: { key: string; id: string }): Promise<Headers> {
  switch (credential) {
    case 'none':
      return {};
    case 'unknown':
      return bearer('sk_test_0000000000000000000000');
    case 'operator':
      return bearer(tenant.shop.rootToken);
    case 'manage':
    case 'buyer':
      return onPage((await sessions[credential](tenant.shop, home.key)).token);
    case 'designer':
      return onPage((await sessions.designer(tenant.shop, home.id)).token);
    default:
      return tenant.credentials[credential];
  }
}

function wordsFor({ cases, faults: found, answers, opened, asked: operations }: Tally): string {
  const byStatus = [...answers].sort(([one], [other]) => one - other).map(([status, count]) => `${status}: ${count}`);
  return (
    `${cases} cases, ${found} faults, ${operations.size} operations, of which ${opened.size} succeeded. ` +
    `Answers by status: ${byStatus.join(', ')}`
  );
}
