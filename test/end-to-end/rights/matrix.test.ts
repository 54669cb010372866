/**
 * The matrix of rights: two organisations with two modes each, every route of the route table, and every kind of
 * credential. No credential sees or changes an object that it does not own. Each route gets fresh objects of one tenant
 * (the victim). All other credentials call the route with these objects; then the right credentials do. Once a change
 * stands, all other standing credentials repeat it, with its Idempotency-Key: a repeat tells a stranger nothing either.
 *
 * Routes are asked beside each other, as many as the test runner allows at once. A route whose objects belong to an
 * organisation as a whole (webhooks, users, workspaces), or wait in one queue (imports), is asked alone.
 */
import type { NatsConnection } from '@nats-io/transport-node';
import { type CatalogClient, createCatalogClient } from '@parterre/shared/runtime/catalog-client';
import { createLog } from '@parterre/shared/runtime/log';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Row } from '../../../services/frontdoor/src/admission/admission.ts';
import { describedApi, endpoints } from '../../../services/frontdoor/src/api/api.ts';
import type { Example } from '../../../services/frontdoor/src/openapi/description.ts';
import { createJudge, type Json, operationsOf, type Received } from '../../support/openapi.ts';
import { connectTo } from '../../support/servers/nats.ts';
import { environments } from '../../support/servers/server.ts';
import { filled, type Sending, send } from '../openapi/send.ts';
import { createWorld } from '../openapi/world.ts';
import { openShop, origin, type Shop } from '../shop.ts';
import { type Attacker, attackersOf, endedCredentials, kindsOf, rightCredential, strangersOf } from './attackers.ts';
import { type Mix, namesIn, namesInText, pictureOf, withOneForeignName, withoutCredentials } from './objects.ts';
import {
  bearer,
  forgetWebhooks,
  type Headers,
  type Kind,
  logInAgain,
  type Mode,
  openTenants,
  type Tenant,
} from './tenants.ts';

const document: Json = JSON.parse(JSON.stringify(describedApi()));
const judge = createJudge(document);
const operations = operationsOf(document);

const modes = ['test', 'live'] as const;

let shop: Shop;
let nats: NatsConnection;
let catalog: CatalogClient;
let tenants: Tenant[];
const ended = new Map<Tenant, Attacker[]>();
/** The names of the objects that were made for each tenant. */
const made = new Map<Tenant, Set<string>>();
const calls = { refused: 0, repeated: 0, forOwnObjects: 0, withOneForeignName: 0, right: 0 };

beforeAll(async () => {
  shop = await openShop({ env: environments.unbounded });
  nats = await connectTo(shop.server.natsUrl);
  catalog = createCatalogClient(nats, createLog('test', 'silent'));
  tenants = await openTenants(shop);
  for (const tenant of tenants) {
    ended.set(tenant, await endedCredentials(tenant));
    const world = createWorld(tenant.shop, tenant.mode);
    const listed = ['event', 'draftChart', 'webhook', 'buyerSession', 'channel', 'hold', 'accessLink'] as const;
    made.set(tenant, new Set(await Promise.all(listed.map(world.of))));
  }
}, 120_000);
afterAll(async () => {
  await nats?.close();
  await shop?.stop();
});

/** Their objects are the organisation's own, or end the credentials of other calls. */
const isAskedAlone = (path: string) => /^\/v1\/(webhooks|workspaces|designer|admin|dashboard|chart-imports)/.test(path);
const together = endpoints.filter(({ row }) => !isAskedAlone(row.path));
const alone = endpoints.filter(({ row }) => isAskedAlone(row.path));

for (const { row, description } of [...together, ...alone]) {
  const { method, path } = row;
  const operation = operations.find((one) => one.method === method && one.path === path)!;
  const examples = description.examples.filter(({ answers }) => answers === undefined);

  const describeRoute = isAskedAlone(path) ? describe : describe.concurrent;
  describeRoute(row.signature, () => {
    const isOpen = row.credential === 'none';
    if (/\/(logout|password)$/.test(row.path)) afterEach(() => Promise.all(tenants.map(logInAgain)));
    const owned = path.endsWith('/duplicate-to-live') ? (['test'] as const) : modes;
    if (!isOpen) it.each(owned)('opens %s objects for their owner alone', ownerAlone);
    if (isOpen) it('answers every credential alike', everybodyAlike);
    const isPublic = isOpen && /\/(assets|charts|statuses)\//.test(path);
    const others = modes.filter((mode) => isOpen || !owned.some((one) => one === mode));
    if (!isPublic)
      it.each(others)('refuses a %s object of another organisation among own ones', async (mode) => {
        for (const example of examples) await foreignAmongOwn(mode, example);
      });
  });

  async function ownerAlone(mode: Mode): Promise<void> {
    const victim = tenantOf('Aria', mode);
    const sending = await objectsOf(victim);
    const attackers = await attackersOf(tenants, victim, row, sending, { catalog, ended: ended.get(victim)! });
    const before = await pictureOf(victim, row, sending);
    const faults = await Promise.all(
      attackers.map((attacker) => faultsOf(attacker, withOwnEmail(withOwnKey(sending)))),
    );
    expect(faults.flat()).toEqual([]);
    await foreignAmongOwn(mode, examples[0]!, sending);
    expect(await pictureOf(victim, row, sending)).toEqual(before);
    // The owner's credential opens the very objects that it refused to all others. A read leaves them as they are.
    const [first, ...others] = row.credential === 'operator' ? [null] : kindsOf(row);
    const sent = await expectToOpen(victim, first!, sending);
    if (row.method !== 'GET') expect(await faultsOfRepeat(victim, sent)).toEqual([]);
    for (const kind of others) await expectToOpen(victim, kind, row.method === 'GET' ? sending : undefined);
    for (const example of examples.slice(1)) await foreignAmongOwn(mode, example);
  }

  /**
   * The faults of strangers who repeat a call that stands. Strangers of one organisation repeat one after the other:
   * they share the names of calls, and a call under way would refuse the next.
   */
  async function faultsOfRepeat(victim: Tenant, sent: Sending): Promise<string[]> {
    const faults = ['Aria', 'Bolero'].map(async (organisation) => {
      const found: string[] = [];
      const ofOrganisation = tenants.filter(({ name }) => name.startsWith(organisation));
      for (const stranger of strangersOf(ofOrganisation, victim, row)) {
        calls.repeated++;
        found.push(...(await faultsOf(stranger, sent)));
      }
      return found;
    });
    return (await Promise.all(faults)).flat();
  }

  /**
   * Returns the call that was carried out. A manage session may do less than a key. So the credential must open an
   * example, not every example. `known`: the first example with objects of the victim; fresh objects without it.
   */
  async function expectToOpen(victim: Tenant, kind: Kind | null, known?: Sending): Promise<Sending> {
    const refusals: string[] = [];
    if (row.signature === 'POST /v1/webhooks') await forgetWebhooks(victim);
    for (const example of examples) {
      const objects = known && example === examples[0] ? known : await objectsOf(victim, example);
      const sending = named(row, objects);
      const answer = await send(shop, operation, sending, await rightHeaders(victim, kind, sending));
      calls.right++;
      expect(judge.answer(operation, answer)).toEqual([]);
      if (answer.status < 300) {
        // The copy of a test season is live, so live credentials see it.
        if (kind === 'secret' && !path.endsWith('/duplicate-to-live')) {
          for (const name of namesInText(answer.text)) made.get(victim)!.add(name);
        }
        return sending;
      }
      refusals.push(answer.text);
    }
    throw new Error(`${kind ?? 'the operator'} opens no example: ${refusals.join('; ')}`);
  }

  /** The faults of one call with a credential that does not open the named objects. */
  async function faultsOf({ name, headers, reaches, workspaceId }: Attacker, sending: Sending): Promise<string[]> {
    // Before the call: a list that is read meanwhile may show an object that this call makes.
    const hidden = workspaceId ? hiddenFromWorkspace(workspaceId) : reaches && hiddenFrom(reaches, headers);
    const answer = await send(shop, operation, sending, headers);
    const told = `${name}: ${answer.status} ${answer.text.slice(0, 300)}`;
    const faults = judge.answer(operation, answer).map((fault) => `${told}: ${fault}`);
    if (hidden && reaches !== null && namesIn(sending).length === 0) {
      calls.forOwnObjects++;
      const words = new Set(answer.text.split(/[^0-9A-Za-z_-]+/));
      const seen = hidden.filter((name) => words.has(name));
      return [...faults, ...seen.map((name) => `${told}: shows ${name}`)];
    }
    calls.refused++;
    return isRefusal(answer) || isJudgement(answer) ? faults : [...faults, `${told}: not refused`];
  }

  async function everybodyAlike(): Promise<void> {
    const victim = tenantOf('Aria', 'test');
    const sending = await objectsOf(victim);
    const attackers = await attackersOf(tenants, victim, row, sending, { catalog, ended: ended.get(victim)! });
    // A token of a reset works once.
    const isOnce = path.endsWith('/password-reset');
    const askAs = async ({ headers }: Attacker) =>
      send(shop, operation, isOnce ? await objectsOf(victim) : sending, { ...headers, Origin: origin });
    const answers: Received[] = [];
    // Logins at once would wait for each other, and some of them too long.
    if (isAskedAlone(path)) for (const attacker of attackers) answers.push(await askAs(attacker));
    else answers.push(...(await Promise.all(attackers.map(askAs))));
    expect(answers.flatMap((answer) => judge.answer(operation, answer))).toEqual([]);
    expect(new Set(answers.map(({ status }) => status)).size).toBe(1);
  }

  /**
   * The other organisation's own credentials and objects, but one object of the victim at a time. `theirs`: the
   * victim's objects of the example; fresh ones without it.
   */
  async function foreignAmongOwn(mode: Mode, example: Example, theirs?: Sending): Promise<void> {
    const victim = tenantOf('Aria', mode);
    const other = tenantOf('Bolero', mode);
    theirs ??= await objectsOf(victim, example);
    const own = await objectsOf(other, example);
    const mixed = withOneForeignName(own, theirs);
    // The matrix has called the route with the only name of this example. Further examples need no second round.
    if (mixed.length < 2 && example !== examples[0]) return;
    const before = await pictureOf(victim, row, theirs);
    const faults: string[] = [];
    for (const mix of mixed) faults.push(...(await faultsOfMix(other, own, mix)));
    expect(faults).toEqual([]);
    expect(await pictureOf(victim, row, theirs)).toEqual(before);
  }

  async function faultsOfMix(other: Tenant, own: Sending, { at, foreign, sending }: Mix): Promise<string[]> {
    const faults: string[] = [];
    for (const kind of row.credential === 'operator' || row.credential === 'none' ? [null] : kindsOf(row)) {
      // The operator may call the route for every organisation.
      if (row.credential === 'operator' && namesIn(own).length === 1) continue;
      const answer = await send(shop, operation, withOwnKey(sending), await rightHeaders(other, kind, own));
      calls.withOneForeignName++;
      const told = `${kind} with ${at}: ${answer.status} ${answer.text.slice(0, 300)}`;
      const isRefused = answer.status >= 400 || isJudgement(answer);
      if (ignoredPlaces.includes(at) ? answer.text.includes(foreign) : !isRefused) faults.push(`${told}: not refused`);
      faults.push(...judge.answer(operation, answer).map((fault) => `${told}: ${fault}`));
    }
    return faults;
  }

  async function objectsOf(tenant: Tenant, example = examples[0]!): Promise<Sending> {
    const objects = withoutCredentials(await filled(createWorld(tenant.shop, tenant.mode), operation, example));
    for (const name of namesIn(objects)) made.get(tenant)!.add(name);
    return withOwnEmail(objects);
  }

  async function rightHeaders(tenant: Tenant, kind: Kind | null, sending: Sending): Promise<Headers> {
    if (kind !== null) return rightCredential(tenant, kind, sending);
    return row.credential === 'operator' ? bearer(shop.rootToken) : { Origin: origin };
  }
}

it('Nearly every call names an object of another tenant', () => {
  console.log(`The matrix: ${endpoints.length} routes, ${JSON.stringify(calls)}`);
  const changes = endpoints.filter(({ row }) => row.method !== 'GET' && row.credential !== 'none');
  expect(calls.repeated).toBeGreaterThan(40 * changes.length);
  expect(calls.refused).toBeGreaterThan(60 * endpoints.length);
  expect(calls.withOneForeignName).toBeGreaterThan(4 * endpoints.length);
  expect(calls.forOwnObjects).toBeLessThan(calls.refused / 20);
});

function tenantOf(organisation: string, mode: Mode): Tenant {
  return tenants.find(({ name }) => name === `${organisation} ${mode}`)!;
}

/**
 * The route that judges a selection tells of a foreign event that there is none, with a 200. A batch over events tells
 * it of each change by itself.
 */
function isJudgement({ status, text }: Received): boolean {
  if (status !== 200) return false;
  const { valid, results } = JSON.parse(text);
  const ofChanges: { status: number }[] = Array.isArray(results) ? results : [];
  return valid === false || ofChanges.some((each) => [403, 404].includes(each.status));
}

/** An object that the call names beside others may also be refused as an invalid part of the call. */
function isRefusal({ status, text }: Received): boolean {
  return [401, 403, 404].includes(status) || refusalsOfParts.includes(JSON.parse(text).code);
}

/** The hold that a caller gives up. A hold that is not there counts for nothing, and so does another caller's. */
const ignoredPlaces = ['body.replaceHoldId', 'query.holdId'];

const refusalsOfParts = ['workspace_not_found_or_disabled', 'incompatible_events'];

/**
 * Names that no answer to a credential of the tenant may have. Charts and workspaces belong to an organisation, not to
 * a mode, and a dashboard session sees both modes.
 */
function hiddenFrom(tenant: Tenant, { Cookie: cookie }: Headers): string[] {
  return tenants.flatMap((other) => {
    const names = [...made.get(other)!];
    if (other.organisationId !== tenant.organisationId) return names;
    return other === tenant || cookie ? [] : names.filter((name) => !/^(cht|ws|org)_/.test(name));
  });
}

/** A key that is bound to this workspace sees nothing but the workspace, the organisation and its accounts. */
function hiddenFromWorkspace(workspaceId: string): string[] {
  const isHidden = (name: string) => name !== workspaceId && !/^(org|key|usr)_/.test(name);
  return [...made.values()].flatMap((names) => [...names].filter(isHidden));
}

/** A change with an Idempotency-Key, so that its repeat is known as one. */
let changes = 0;
function named({ method }: Row, sending: Sending): Sending {
  if (method === 'GET') return sending;
  return { ...sending, headers: { ...sending.headers, 'Idempotency-Key': `change-${++changes}` } };
}

/** A key of this call alone, where the call needs one: callers of one organisation share the names of calls. */
function withOwnKey(sending: Sending): Sending {
  const needsKey = sending.headers?.['Idempotency-Key'] !== undefined;
  return needsKey ? { ...sending, headers: { ...sending.headers, 'Idempotency-Key': `own-${++changes}` } } : sending;
}

/** An email names one user of a whole deployment. */
let emails = 0;
function withOwnEmail(sending: Sending): Sending {
  const body = sending.body as Json;
  if (!body?.email || !body.role) return sending;
  return { ...sending, body: { ...body, email: `user-${++emails}@tenants.example` } };
}
