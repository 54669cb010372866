/** `npx parterre …` as an operator types it, against a running deployment. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../../scripts/launch/root.ts';
import { type Json, openShop, type Shop } from '../shop.ts';

let shop: Shop;
let elsewhere: string;

beforeAll(async () => {
  shop = await openShop();
  elsewhere = await mkdtemp(join(tmpdir(), 'parterre-test-'));
}, 120_000);
afterAll(async () => {
  await shop?.stop();
  await rm(elsewhere, { recursive: true, force: true });
});

type Ran = { code: number; out: string; problem: string };

/** Runs the built command in a folder without a deployment, with only these environment variables. */
function run(args: string[], env: Record<string, string> = { PARTERRE_DATA: shop.dataDir }, input = ''): Promise<Ran> {
  return new Promise((resolve) => {
    const options = { cwd: elsewhere, env: { PATH: process.env.PATH, ...env } };
    const child = execFile(
      process.execPath,
      [join(root, 'dist/parterre.js'), ...args],
      options,
      (error, out, problem) => {
        resolve({ code: error ? Number(error.code) : 0, out, problem });
      },
    );
    child.stdin!.end(input);
  });
}

/** The JSON output of a command that must succeed. */
async function answerOf(...args: string[]) {
  const ran = await run([...args, '--json']);
  if (ran.code !== 0) throw new Error(ran.problem);
  return JSON.parse(ran.out);
}

it('projections show prints the progress of each partition', async () => {
  await expect.poll(async () => (await answerOf('projections', 'show')).partitions.length).toBeGreaterThan(0);
  const { out } = await run(['projections', 'show']);
  expect(out).toMatch(
    /^generation +\d+\nbuilding +-\n\npartitions:\nSTREAM +COUNTED +REBUILT +HALTED +BEHIND +OLDESTAT\nJOURNAL-\d+ +\d+ +- +false +\d+ +/,
  );
});

/** Each command listens for a second. */
describe.concurrent('a look at what runs', () => {
  it('status names versions, the owner of every partition and its copies, and ends with 1 only in trouble', async () => {
    const { code, out } = await run(['status']);
    expect(out).toMatch(/^parterre +\d+\.\d+\.\d+\nnats +\d+\.\d+\.\d+\nhaltedPartitions +0\nhaltedEvents +0\n/);
    expect(out).toMatch(/^halted +-$/m);
    expect(out).toMatch(/\npartitions:\nPARTITION +OWNER +EPOCH +STATE .*\n0 +shd_\w+ +\d+ +serving +0 +- +\d+ +1\/1/);
    for (const service of ['frontdoor', 'inventory-shard', 'catalog', 'notifier']) {
      expect(out).toMatch(new RegExp(`^${service} +\\w{3}_\\w+ +\\d+\\.\\d+\\.\\d+ `, 'm'));
    }
    // The disk of the machine may be fuller than a deployment's should be.
    expect(code).toBe(/^trouble +-$/m.test(out) ? 0 : 1);
  });

  it('version tells the command, every member and NATS, and whether they mix', async () => {
    const { command, nats, mixed, fits, members } = await answerOf('version');
    expect([mixed, fits]).toEqual([false, true]);
    expect(nats).toMatch(/^\d+\.\d+\.\d+$/);
    expect(members.map(({ service, version }: { service: string; version: string }) => [service, version])).toEqual(
      ['catalog', 'frontdoor', 'inventory-shard', 'notifier'].map((service) => [service, command]),
    );
    const alone = await run(['version', '--json'], {});
    expect([alone.code, JSON.parse(alone.out).command]).toEqual([0, command]);
  });

  it('event shows where an event lives, its counts and its place in the journal, and event list finds it', async () => {
    const event = await shop.event();
    expect((await event.post('hold', { labels: ['A-1', 'A-2'] })).status).toBe(200);
    const told = await answerOf('event', event.key);
    expect(told).toMatchObject({
      organisation: shop.own.id,
      mode: 'test',
      state: 'serving',
      loaded: true,
      halted: false,
    });
    expect(told).toMatchObject({
      held: 2,
      booked: 0,
      partition: expect.any(Number),
      owner: expect.stringMatching(/^shd_/),
    });
    const { events } = await answerOf('event', 'list', shop.own.id);
    expect(events).toContainEqual(expect.objectContaining({ key: event.key, places: 70 }));
    const unknown = await run(['event', 'nowhere']);
    expect([unknown.code, unknown.problem]).toEqual([1, expect.stringContaining('not_found')]);
  });

  it('webhook lists, shows, resumes and recovers a webhook of any organisation', async () => {
    const body = { url: 'https://receiver.example/hook', events: ['seat.booked'] };
    const { sub } = (await shop.call('POST', '/v1/webhooks', { token: shop.token, body })).body;
    await shop.call('PATCH', `/v1/webhooks/${sub.id}`, { token: shop.token, body: { disabled: true } });
    const { webhooks } = await answerOf('webhook', 'list', '--organisation', shop.own.id);
    expect(webhooks).toContainEqual(expect.objectContaining({ id: sub.id, state: 'paused (operator)', waiting: 0 }));
    expect(await answerOf('webhook', 'resume', sub.id)).toMatchObject({ organisation: shop.own.id, disabled: false });
    expect(await answerOf('webhook', 'show', sub.id)).toMatchObject({ id: sub.id, disabled: false, waiting: 0 });
    expect(await answerOf('webhook', 'recover', sub.id, '--since', '2h')).toMatchObject({ id: sub.id });
    const wrong = await run(['webhook', 'recover', sub.id, '--since', 'yesterday']);
    expect([wrong.code, wrong.problem]).toEqual([1, expect.stringContaining('"yesterday" is no duration')]);
    await shop.call('DELETE', `/v1/webhooks/${sub.id}`, { token: shop.token });
  });

  it('key show tells the budgets that a key has, its own and the usual ones', async () => {
    const shown = await answerOf('key', 'show', shop.own.id, shop.own.live.key.id);
    expect(shown).toMatchObject({ kind: 'secret', lastUsedAt: expect.anything() });
    expect(shown.budgets).toContainEqual({ budget: 'serverHolds', aMinute: 600, per: 'key', from: 'usual' });
  });

  it('doctor compares an event and the keys with the expected sale, opens it, and asks through the public address', async () => {
    const event = await shop.event();
    const ran = await run(['doctor', '--event', event.key, '--warm', event.key, '--expect', '5000/min', '--json']);
    expect(ran.code).toBe(1);
    const { findings } = JSON.parse(ran.out);
    const found = (check: string, severity: string) =>
      findings.filter((finding: Record<string, string>) => finding.check === check && finding.severity === severity);
    expect(found('budgets', 'bad')[0].todo).toContain(
      `npx parterre key budgets ${shop.own.id} ${shop.own.test.key.id}`,
    );
    expect(found('NATS sync', 'bad')[0].finding).toContain('syncs every 2m');
    expect(found('cold events', 'good')[0].finding).toBe(`${event.key} is loaded.`);
    expect(found('sale times', 'warning')).toHaveLength(1);
    expect(found('public address', 'good')[0].finding).toContain('lets WebSockets through');
    expect(findings.filter(({ severity }: { severity: string }) => severity === 'unknown')).toEqual([]);
    const wrong = await run(['doctor', '--expect', 'many']);
    expect([wrong.code, wrong.problem]).toEqual([1, '"many" is no rate. Write --expect 5000/min.\n']);
  });

  it('copies sets how many servers keep a stream, as far as there are servers', async () => {
    expect(await answerOf('copies', 'KV_CLUSTER', '1')).toEqual({
      stream: 'KV_CLUSTER',
      before: 1,
      copies: 1,
      upToDate: 1,
    });
    const tooMany = await run(['copies', 'KV_CLUSTER', '3']);
    expect([tooMany.code, tooMany.problem]).toEqual([1, expect.stringContaining('KV_CLUSTER keeps its copies (1):')]);
    const unknown = await run(['copies', 'KV_CLUSTERS', '1']);
    expect([unknown.code, unknown.problem]).toEqual([1, expect.stringContaining('There is no stream KV_CLUSTERS.')]);
  });

  it('rehearse sells a test event and takes everything back, and refuses a live one', async () => {
    const event = await shop.event();
    const report = await answerOf('rehearse', event.key, '--buyers', '4', '--seconds', '2');
    expect(report).toMatchObject({ event: event.key, buyers: 4, left: 'nothing' });
    expect(report.holds).toBeGreaterThan(0);
    expect(report.steps.map(({ step }: { step: string }) => step)).toEqual(
      expect.arrayContaining(['session', 'chart', 'statuses', 'ticket', 'socket', 'hold']),
    );
    expect(report.framesHeard).toBeGreaterThanOrEqual(4);
    expect(await answerOf('event', event.key)).toMatchObject({ held: 0, booked: 0 });
    const { keys } = await answerOf('key', 'list', shop.own.id);
    expect(keys.slice(-2).every(({ revokedAt }: { revokedAt: number | null }) => revokedAt !== null)).toBe(true);

    const body = { chartId: shop.chart.id };
    const { meta } = (await shop.call('POST', '/v1/events', { token: shop.own.live.secret, body })).body;
    const live = await run(['rehearse', meta.key]);
    expect([live.code, live.problem]).toEqual([1, expect.stringContaining('Give --copy to rehearse a copy.')]);
    const copied = await answerOf('rehearse', meta.key, '--copy', '--buyers', '2', '--seconds', '1');
    expect(copied).toMatchObject({ event: expect.stringMatching(/^rehearsal-/), left: 'nothing' });
    expect((await run(['event', copied.event])).out).toMatch(/^status +deleted$/m);
  });
});

it('why tells who was refused what, by the memory of the front doors and by a log', async () => {
  const event = await shop.event();
  const hold = (requestId: string) =>
    shop.call('POST', `/v1/events/${event.key}/hold`, {
      token: shop.own.test.secret,
      headers: { 'X-Request-ID': requestId },
      body: { labels: ['A-1'] },
    });
  expect((await hold('the-first')).status).toBe(200);
  expect((await hold('the-second')).status).toBe(409);
  const { code, out } = await run(['why', 'the-second']);
  expect(code).toBe(0);
  for (const words of [
    `key_`,
    `of organisation ${shop.own.id}`,
    `event ${event.key}`,
    '409 conflict',
    'Places      A-1',
  ]) {
    expect(out).toContain(words);
  }
  expect(out.match(/^When /gm)).toHaveLength(1);
  const log = join(shop.dataDir, 'logs/frontdoor.log');
  const logged = await run(['why', 'the-second', '--log', log], {});
  expect(logged.out).toContain('409 conflict');
  const unknown = await run(['why', 'the-first']);
  expect(unknown.code).toBe(1);
  expect(unknown.out).toMatch(/No refusal of the-first is known\.\n.* remembers every refusal since /);
});

it('The commands create an organisation, users and keys that work, and remove them again', async () => {
  const { organisation } = await answerOf('org', 'create', 'Puppet theatre', '--currency', 'EUR', '--credits', '5');
  expect(organisation).toMatchObject({ name: 'Puppet theatre', currency: 'EUR', credits: 5 });
  const { organisations } = await answerOf('org', 'list');
  expect(organisations).toContainEqual(organisation);

  const made = await answerOf(
    'key',
    'create',
    organisation.id,
    '--kind',
    'secret',
    '--mode',
    'test',
    '--environment',
    'staging',
  );
  const list = () => shop.call('GET', '/v1/charts', { token: made.secret });
  expect((await list()).status).toBe(200);
  expect(await answerOf('key', 'revoke', organisation.id, made.key.id)).toMatchObject({ ok: true });
  await expect.poll(async () => (await list()).status, { timeout: 1_000, interval: 20 }).toBe(401);
  const { keys } = await answerOf('key', 'list', organisation.id);
  expect(keys).toMatchObject([{ id: made.key.id, environment: 'staging', revokedAt: expect.any(Number) }]);

  const { user, password } = await answerOf(
    'user',
    'create',
    organisation.id,
    'ada@puppets.example',
    '--role',
    'admin',
  );
  await shop.logIn({ email: user.email, password });
  expect(await answerOf('user', 'delete', organisation.id, user.id)).toMatchObject({ ok: true });
  expect(await answerOf('user', 'list', organisation.id)).toEqual({ users: [] });

  await answerOf('credits', 'add', organisation.id, '10', '--reason', 'Invoice 1');
  const taken = await answerOf('credits', 'add', organisation.id, '-3', '--reason', 'Refund');
  expect(taken.organisation.credits).toBe(12);
  expect(await answerOf('org', 'show', organisation.id)).toEqual(taken);
  const { movements } = await answerOf('credits', 'list', organisation.id);
  expect(movements.map(({ delta, reason, balance }: Json) => [delta, reason, balance])).toEqual([
    [-3, 'Refund', 12],
    [10, 'Invoice 1', 15],
    [5, 'First balance', 5],
  ]);
  const file = await fetch(`${shop.url}/v1/admin/organisations/${organisation.id}/credits.csv`, {
    headers: { Authorization: `Bearer ${shop.rootToken}` },
  });
  expect((await file.text()).split('\r\n')[1]).toMatch(/^[\dT:.Z-]+,-3,12,Refund,root,,127\.0\.0\.1,mov_\w+$/);
});

it('key budgets sets what a key may do within a second, and key create --budget from the beginning', async () => {
  const kind = ['--kind', 'secret', '--mode', 'test'];
  const made = await answerOf('key', 'create', shop.own.id, ...kind, '--budget', 'holds=1', '--budget', 'seasons=off');
  expect(made.key.budgets).toEqual({ serverHolds: 1, seasons: null });
  const { path } = await shop.event();
  const hold = (label: string) => shop.call('POST', `${path}/hold`, { token: made.secret, body: { labels: [label] } });
  expect([(await hold('A-1')).status, (await hold('A-2')).status]).toEqual([200, 429]);
  const raised = await answerOf('key', 'budgets', shop.own.id, made.key.id, '--budget', 'holds=100');
  expect(raised.key.budgets).toEqual({ serverHolds: 100 });
  await expect.poll(async () => (await hold('A-3')).status, { timeout: 1_000, interval: 20 }).toBe(200);
  const { entries } = await answerOf('audit', '--organisation', shop.own.id, '--limit', '1');
  expect(entries).toMatchObject([{ action: 'key.change', subject: made.key.id, by: { kind: 'root' } }]);
  const { key } = await answerOf('key', 'budgets', shop.own.id, made.key.id);
  expect(key).not.toHaveProperty('budgets');
});

it('key revoke ends what the key gave to others, and with --keep-sessions lists it', async () => {
  const make = () => answerOf('key', 'create', shop.own.id, '--kind', 'secret', '--mode', 'test');
  const leaked = await make();
  const replaced = await make();
  for (const { secret } of [leaked, replaced]) {
    const webhook = { url: 'https://receiver.example/hook', events: ['seat.booked'] };
    expect((await shop.call('POST', '/v1/webhooks', { token: secret, body: webhook })).status).toBe(201);
  }
  const kept = await run(['key', 'revoke', shop.own.id, replaced.key.id, '--keep-sessions']);
  expect(kept.out).toMatch(/^Done\.\nended: nothing\n\nleft: webhooks 1\n\nID +URL\nwhk_\w+ +https:\/\/receiver/);
  const ended = await run(['key', 'revoke', shop.own.id, leaked.key.id]);
  expect(ended.out).toMatch(/^Done\.\n\nended: webhooks 1\n\nID +URL\nwhk_\w+ +https:.+\nleft: nothing\n$/);
});

it('user create reads a password from standard input and then prints none', async () => {
  const args = ['user', 'create', shop.own.id, 'grace@shop.example', '--role', 'member', '--password-stdin'];
  const made = await run(args, { PARTERRE_DATA: shop.dataDir }, 'a password of my own\n');
  expect(made.code).toBe(0);
  expect(made.out).not.toContain('password');
  await shop.logIn({ email: 'grace@shop.example', password: 'a password of my own' });
});

it('Tables are readable, and a secret is printed once', async () => {
  const made = await run([
    'key',
    'create',
    shop.own.id,
    '--kind',
    'publishable',
    '--mode',
    'live',
    '--origin',
    'https://a.example',
    '--origin',
    'https://b.example',
  ]);
  expect(made.out).toMatch(/^origins +https:\/\/a\.example,https:\/\/b\.example$/m);
  const [, secret] = /^secret +(pk_live_\w{32})$/m.exec(made.out)!;
  const listed = await run(['key', 'list', shop.own.id]);
  expect(listed.out).toMatch(/^ID +PREFIX +KIND +MODE/);
  expect(listed.out).toContain(secret!.slice(0, 12));
  expect(listed.out).not.toContain(secret);
});

it('The environment chooses the deployment, and a token is never sent to another deployment', async () => {
  const { rootToken: PARTERRE_ROOT_TOKEN, url: PARTERRE_URL } = shop;
  expect((await run(['org', 'list'], { PARTERRE_URL, PARTERRE_ROOT_TOKEN })).code).toBe(0);
  const unknown = await run(['org', 'list'], { PARTERRE_URL, PARTERRE_ROOT_TOKEN: 'x'.repeat(40) });
  expect([unknown.code, unknown.out]).toEqual([1, '']);
  expect(unknown.problem).toContain('does not know this root token');
  const foreign = await run(['org', 'list'], { PARTERRE_URL: 'http://127.0.0.1:9', PARTERRE_DATA: shop.dataDir });
  expect([foreign.code, foreign.problem]).toEqual([
    1,
    'Set PARTERRE_ROOT_TOKEN too: the token of http://127.0.0.1:9.\n',
  ]);
  const gone = await run(['org', 'list'], { PARTERRE_URL: 'http://127.0.0.1:9', PARTERRE_ROOT_TOKEN });
  expect([gone.code, gone.problem]).toEqual([1, expect.stringContaining('http://127.0.0.1:9 does not answer')]);
  const nowhere = await run(['org', 'list'], {});
  expect([nowhere.code, nowhere.problem]).toEqual([
    1,
    expect.stringContaining('No deployment of this machine was found'),
  ]);
});

describe('the output of a command', () => {
  it.each([
    [['org', 'show', 'org_0'], 'not_found: There is no such organisation. Check its id.'],
    [['org', 'create', 'x', '--currency', 'euro'], 'currency: Must be a currency code of three capital letters.'],
    [['credits', 'add', 'org_0', '9999999999', '--reason', 'x'], 'delta: '],
    [['credits', 'add', 'org_0', 'many', '--reason', 'x'], '"many" is not a whole number.'],
    [['org', 'create', 'x', '--currency', 'EUR', '--credits', '-5'], 'credits: '],
    [['key', 'create', 'org_0', '--kind', 'secret', '--mode', 'test', '--budget', 'reads=5'], '"reads=5" is no budget'],
  ])('explains a refusal: %j', async (args, words) => {
    const ran = await run(args);
    expect([ran.code, ran.out]).toEqual([1, '']);
    expect(ran.problem).toContain(words);
  });

  it.each([
    [['org', 'destroy'], 'There is no command "org destroy".'],
    [['org', 'create', '--currency', 'EUR'], '"org create" takes <name>.'],
    [['org', 'create', 'x'], '"org create" needs --currency.'],
    [['key', 'list', 'org_0', '--loud'], "Unknown option '--loud'"],
  ])('prints the usage for an unknown or incomplete command: %j', async (args, words) => {
    const ran = await run(args);
    expect([ran.code, ran.out]).toEqual([2, '']);
    expect(ran.problem).toContain(words);
    expect(ran.problem).toContain('Usage: npx parterre');
  });

  it('is only help when help is asked for', async () => {
    for (const args of [['--help'], ['key', '--help'], ['key', 'create', '-h'], ['help', 'doctor']]) {
      const { code, out } = await run(args);
      expect([code, out.startsWith('Usage: npx parterre')]).toEqual([0, true]);
    }
    expect((await run(['key', '-h'])).out).not.toContain('parterre org');
  });
});

it('npx finds parterre in a checkout without a registry', async () => {
  const env = { ...process.env, npm_config_registry: 'http://127.0.0.1:9', npm_config_offline: 'true' };
  const ran = await new Promise<Ran>((resolve) => {
    execFile('npx', ['parterre', 'credits', '--help'], { cwd: root, env }, (error, out, problem) => {
      resolve({ code: error ? Number(error.code) : 0, out, problem });
    });
  });
  expect(ran).toMatchObject({ code: 0, out: expect.stringContaining('parterre credits add') });
}, 60_000);
