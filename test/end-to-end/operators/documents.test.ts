/** The commands of the pages in docs/, as a reader pastes them, against all of Parterre. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../../scripts/launch/root.ts';
import { type Parterre, sharedParterre } from '../../support/servers/server.ts';

let parterre: Parterre;

beforeAll(async () => {
  parterre = await sharedParterre({});
}, 120_000);
afterAll(() => parterre?.stop());

/** A page's blocks as one script, from the block that sources examples/demo.sh to the end or to the heading `end`. */
function commandsOf(page: string, end?: string): string {
  const [text = ''] = readFileSync(join(root, page), 'utf8').split(end ?? '\0');
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block!);
  return blocks.slice(blocks.findIndex((block) => block.includes('. examples/demo.sh'))).join('');
}

/** npx takes seconds to start; commands.test.ts shows that it finds the command, and builds it. */
const command = `node ${join(root, 'dist', 'parterre.js')}`;

/** Runs a script in the repository. Any command that fails ends the script. */
async function paste(script: string): Promise<{ code: number | null; output: string }> {
  const child = spawn('bash', ['-euo', 'pipefail', '-c', script.replaceAll('npx parterre', command)], {
    cwd: root,
    env: { ...process.env, PARTERRE_DATA: parterre.dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  return { code, output };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}

describe('the commands of a page', { timeout: 120_000 }, () => {
  test('import a chart and sell it: docs/importing.md', async () => {
    const { code, output } = await paste(commandsOf('docs/importing.md'));
    expect([code, output]).toEqual([0, expect.stringContaining('"state":"done"')]);
    expect(output).toContain('"label":"Balcony-A-1"');
    expect(output).toMatch(/Left-Out: 2 outlines of sections, 2 colours of categories, 1 focal point/);
  });

  test('make an organisation, a chart and an event, and sell: docs/first-event.md', async () => {
    const { code, output } = await paste(commandsOf('docs/first-event.md'));
    expect([code, output]).toEqual([0, expect.stringContaining('{"ok":true,"booked":["Stalls-A-1","Stalls-A-2"],')]);
    expect(output).toMatch(/^organisationName +Municipal theatre$/m);
    expect(output).toMatch(/^booked +2$/m);
  });

  test('sell, open a presale and cancel: docs/tutorial.md', async () => {
    const { code, output } = await paste(commandsOf('docs/tutorial.md'));
    expect([code, output]).toEqual([0, expect.stringContaining('{"ok":true,"booked":["C-3","C-4"],')]);
    expect(output).toContain('{"ok":true,"booked":[],"labels":["C-3","C-4"],');
    expect(output.match(/"code":"\w+"/g)).toEqual(['"code":"channel_access_denied"']);
    expect(output).toMatch(/"unitPrice":45,.*"channelId":"chn_/);
    expect(output).toContain('{"ok":true,"unbooked":["C-3","C-4"]}');
  });

  test('repeat a hold, read a refusal and the feed: docs/api.md', async () => {
    const { code, output } = await paste(commandsOf('docs/api.md'));
    expect([code, output]).toEqual([0, expect.stringMatching(/^(hld_\w+)\n\1$/m)]);
    expect(output.match(/"code":"\w+"/g)).toEqual(['"code":"unknown_labels"']);
    expect(output).toContain('"name":"Row E, seat 5"');
    expect(output).toMatch(/^data: \{"type":"snapshot"/m);
  });

  test('sell, be paid too late, and refund: docs/checkout.md', async () => {
    const { code, output } = await paste(commandsOf('docs/checkout.md'));
    expect([code, output]).toEqual([0, expect.stringMatching(/^G-1 \d+, G-2 \d+\n(?:\w+-\d+ \w+-\d+(?:, )?){3}\n1\n/)]);
    expect(output).toMatch(/^\{"ok":true,"booked":\[\],"labels":\["G-1","G-2"\]/m);
    expect(output).toMatch(/^hold_expired\n\d+\n\[ 'G-2' \]\n\[ 'G-1' \]$/m);
  });

  test('price by ticket releases: docs/releases.md', async () => {
    const { code, output } = await paste(commandsOf('docs/releases.md'));
    const lines = [
      'Early bird active, Advance active',
      '2 at 10, 1 at 12',
      'Early bird 0 sold_out, Advance null active',
      'closed',
      '0',
      '\\d{13}',
      '1',
      'null',
    ];
    expect([code, output]).toEqual([0, expect.stringMatching(new RegExp(`^${lines.join('\n')}\n$`))]);
  });

  test('sell at 12.50 with a fee: docs/money.md', async () => {
    const { code, output } = await paste(commandsOf('docs/money.md'));
    const lines = ['minor', '1250 1400 EUR minor, 1250 1400 EUR minor', '2800', 'Service 2 300', 'priceUnit'];
    expect([code, output]).toEqual([0, `${lines.join('\n')}\n`]);
  });

  test('sell seats on: docs/resale.md', async () => {
    const { code, output } = await paste(commandsOf('docs/resale.md'));
    expect([code, output]).toEqual([0, expect.stringMatching(/^\[ 'G-7', 'G-8' \]\n0\n(lst_\w+)\ntrue$/m)]);
  });

  test('let a member in: docs/buyer-sessions.md', async () => {
    const { code, output } = await paste(commandsOf('docs/buyer-sessions.md'));
    expect([code, output]).toEqual([0, 'true\nB-11\nbuyer_access_origin_mismatch\ntrue\n']);
  });

  test('bound what visitors hold: docs/seat-squatting.md', async () => {
    const { code, output } = await paste(commandsOf('docs/seat-squatting.md'));
    expect([code, output]).toEqual([0, expect.stringMatching(/^8\n\{"ok":true,"holdTtlMs":300000\}\nnull\n6$/m)]);
  });

  test('sell at a counter and exchange: docs/box-office.md', async () => {
    const { code, output } = await paste(commandsOf('docs/box-office.md'));
    const told =
      /^\{"ok":true,"exchangeId":"exc_\w+","bookingRef":"desk-1","from":\["E-1","E-2"\],"to":\["F-1","F-2"\].*$/gm;
    expect([code, output]).toEqual([0, expect.stringMatching(/^exc_\w+$/m)]);
    const [first, again] = output.match(told)!;
    expect(again).toBe(first);
    expect(output.match(/"reason":"\w+"/g)).toEqual(['"reason":"not_owned_by_booking_ref"']);
    expect(output).toMatch(/"from":\["F-2"\],"to":\["H-5"\]/);
    const lines = output.trimEnd().split('\n');
    expect(lines.slice(-5, -3)).toEqual(['reconcile', 'H-8']);
    expect(lines.at(-1)).toMatch(/"action":"block","status":200,"blocked":\["E-9","E-10"\]/);
    expect(output).toContain('{"ok":true,"released":["H-6"]}');
  });

  test('keep seats for a class: docs/reservations.md', async () => {
    const { code, output } = await paste(commandsOf('docs/reservations.md'));
    const lines = [
      'Class 4b',
      'D-1 D-2 D-4',
      'D-1',
      'D-2 D-4',
      'booked',
      "[ 'D-7' ]",
      'House seats',
      'end_reservation',
    ];
    expect([code, output]).toEqual([0, `${lines.join('\n')}\n`]);
  });

  test('move an order to another night, and swap two: docs/exchange.md', async () => {
    const { code, output } = await paste(commandsOf('docs/exchange.md'));
    const lines = ['2', '1', '5', '5', "[ 'G-1', 'G-2' ]", 'cancelled', 'G-1', "[ 'G-3' ]", '5'];
    expect([code, output]).toEqual([0, `${lines.join('\n')}\n`]);
  });

  test('sell two evenings at once: docs/groups.md', async () => {
    const { code, output } = await paste(commandsOf('docs/groups.md'));
    expect([code, output]).toEqual([0, expect.stringMatching(/^active$/m)]);
    expect(output.match(/"code":"(\w+)"/g)?.filter((each) => !each.includes('event_not_found'))).toEqual([
      '"code":"incompatible_events"',
      '"code":"performance_group_locked"',
    ]);
    expect(output.match(/^committed$/gm)).toHaveLength(4);
    expect(output).toMatch(/^partially_cancelled$/m);
    expect(output).toMatch(/"bookingRef":"order-3001","state":"booked","totalPerformances":2,"bookedPerformances":2/);
    expect(output).toMatch(/^booked$/m);
    expect(output).toMatch(/^closed$/m);
  });

  test('make, open, amend and close a season: docs/seasons.md', async () => {
    const { code, output } = await paste(commandsOf('docs/seasons.md'));
    expect(code).toBe(0);
    for (const line of ['active', 'season_event_locked', 'published', 'open', 'applied', '1900086400000', 'closed']) {
      expect(output.split('\n')).toContain(line);
    }
    expect(output).toMatch(/event_not_found/);
    expect(output).toMatch(/^occ_\w+ season\.occurrence\.amended /m);
  });

  test('import holders, offer and renew: docs/season-holders.md', async () => {
    const { code, output } = await paste(commandsOf('docs/season-holders.md'));
    expect([code, output]).toEqual([0, expect.stringMatching(/^active$/m)]);
    for (const line of ['label_not_found', 'offered', 'intent_received', '4000000060000', 'committing']) {
      expect(output.split('\n')).toContain(line);
    }
    expect(output).toMatch(/^(committing|renewed)$/m);
    expect(output).toContain(["[ 'B-1' ]", "[ 'B-1', 'A-2' ]", "[ 'B-1' ]", "[ 'B-1', 'A-2' ]"].join('\n'));
  });

  test('take bookings over from another system: docs/moving.md', async () => {
    const { code, output } = await paste(commandsOf('docs/moving.md'));
    expect([code, output.split('\n')]).toEqual([
      0,
      expect.arrayContaining(['closed', 'rejected', 'label_not_found', '3', 'booked', '4', 'active']),
    ]);
  });

  test('receive, lose and recover an occurrence: docs/webhooks.md', async () => {
    const script = commandsOf('docs/webhooks.md').replaceAll('9000', String(await freePort()));
    const { code, output } = await paste(script);
    expect([code, output]).toEqual([0, expect.stringMatching(/seat\.booked demo-night \{"bookingRef":"order-2"/)]);
    expect(output).toContain('"retryState":"scheduled"');
    expect(output).toMatch(/seat\.booked demo-night \{"bookingRef":"order-3"/);
    expect(output).toContain('"test":{"delivered":true');
  });

  test('make an organisation with users, keys and credits, and read metrics: docs/operations.md', async () => {
    const script = commandsOf('docs/operations.md', '## Run a cluster').replaceAll(
      './.parterre/',
      `${parterre.dataDir}/`,
    );
    const { code, output } = await paste(script);
    expect([code, output]).toEqual([0, expect.stringMatching(/^org_\w+ +Municipal theatre +EUR +600 /m)]);
    expect(output).toMatch(/^password +\S{24}$/m);
    expect(output).toContain('\nDone.\n');
    expect(output).toMatch(/^inventory_partitions_owned [1-9]/m);
    expect(output).toMatch(/^JOURNAL-0 +\d+/m);
  });

  test('back up, restore and drill: docs/operations.md', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parterre-test-backup-'));
    const [, section] = readFileSync(join(root, 'docs/operations.md'), 'utf8').split('## Back up and restore\n');
    const blocks = [...section!.split('\n## ')[0]!.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block!);
    const script = blocks.join('').replaceAll(/\.?parterre-(backup|restored)/g, (name) => join(folder, name));
    try {
      const { code, output } = await paste(script);
      expect([code, output]).toEqual([0, expect.stringMatching(/^cutAt +2\d{3}-/m)]);
      expect(output).toContain('Everything that was restored equals the backup.');
      expect(output).toMatch(/^different +0$/m);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  test('make a publishable key: docs/picker.md', async () => {
    const { code, output } = await paste(commandsOf('docs/picker.md'));
    expect([code, output]).toEqual([0, expect.stringMatching(/^secret +pk_live_\w+$/m)]);
  });

  test('hold and book, as `npx parterre try` prints them', async () => {
    const { code, output } = await paste('npx parterre try | grep ^curl | bash');
    const [hold, book] = output.split('\n').filter((line) => line.startsWith('{'));
    expect([code, JSON.parse(hold!)]).toMatchObject([0, { ok: true, holdId: expect.stringMatching(/^hld_/) }]);
    expect(JSON.parse(book!)).toMatchObject({ ok: true, booked: JSON.parse(hold!).labels });
  });
});
