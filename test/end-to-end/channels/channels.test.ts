/** Sales channels through the built services: create, change, assign, preview, audit and archive. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Json, openShop, type Shop } from '../shop.ts';

let shop: Shop;

beforeAll(async () => {
  shop = await openShop();
}, 120_000);
afterAll(() => shop?.stop());

type Event = Awaited<ReturnType<Shop['event']>>;

const create = async (event: Event, name: string, more: object = {}): Promise<Json> =>
  (await event.post('channels', { name, ...more })).body.channel;
const versionOf = async (event: Event): Promise<number> => (await event.get('/channels')).body.assignmentVersion;
const assign = async (event: Event, targetChannelId: string | null, ...labels: string[]) => {
  const assignmentVersion = await versionOf(event);
  return (await event.post('channels/assignments', { targetChannelId, labels, assignmentVersion })).body;
};
const patch = (event: Event, id: string, body: object) =>
  shop.call('PATCH', `${event.path}/channels/${id}`, { token: shop.token, body });
const numbered = (row: string, from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, nth) => `${row}-${from + nth}`);

describe('a channel', () => {
  it('is created with all its fields, and listed with its counts beside public sale', async () => {
    const event = await shop.event();
    const said = { color: '#123456', marker: 'C', externalRef: 'club-26', accessIntent: 'server' };
    const priceOverrides = { balcony: { child: 9 }, stalls: 11 };
    const made = await event.post('channels', { name: ' Club ', ...said, priceOverrides, reason: 'Presale' });
    expect(made.status).toBe(201);
    const { channel } = made.body;
    expect(channel).toMatchObject({ name: 'Club', ...said, state: 'active', pricingVersion: 1, archivedAt: null });
    expect(channel.id).toMatch(/^chn_[0-9A-Za-z]{20,}$/);
    expect(channel.priceOverrides).toEqual([
      { categoryKey: 'stalls', tierId: null, price: 11 },
      { categoryKey: 'balcony', tierId: 'child', price: 9 },
    ]);
    await assign(event, channel.id, ...numbered('A', 1, 5));
    const { body } = await event.get('/channels');
    const none = { free: 0, held: 0, booked: 0, blocked: 0 };
    expect(body.publicSale).toEqual({
      id: 'public',
      name: 'Public sale',
      state: 'active',
      counts: { ...none, allocated: 65, units: 65, free: 65 },
    });
    expect(body.channels).toEqual([
      {
        ...channel,
        counts: { ...none, allocated: 5, units: 5, free: 5 },
        access: { intent: 'server', hasActiveGrants: false, lastMintAt: null },
      },
    ]);
  });

  it('is changed field by field; an outdated pricing version is a conflict; listed prices can be sent back', async () => {
    const event = await shop.event();
    const { id, createdAt } = await create(event, 'Club', { externalRef: 'club-26', color: 'red' });
    const list = [{ categoryKey: 'stalls', tierId: null, price: 12 }];
    const priced = await patch(event, id, { priceOverrides: list, expectedPricingVersion: 1, color: null });
    expect(priced.body.channel).toMatchObject({ createdAt, color: null, externalRef: 'club-26', pricingVersion: 2 });
    expect(priced.body.channel.priceOverrides).toEqual(list);
    for (const version of [{ expectedPricingVersion: 1 }, { pricingVersion: 1 }]) {
      const stale = await patch(event, id, { priceOverrides: { stalls: 1 }, ...version });
      expect([stale.status, stale.body.code, stale.body.pricingVersion]).toEqual([409, 'channel_pricing_conflict', 2]);
    }
    expect((await patch(event, id, { priceOverrides: {}, pricingVersion: 2 })).body.channel.priceOverrides).toEqual([]);
    expect((await patch(event, id, {})).body.code).toBe('nothing_to_update');
    expect((await patch(event, 'chn_00000000000000000000', { name: 'X' })).status).toBe(404);
  });

  it.each([
    ['an unknown category', { boxes: 5 }],
    ['an unknown tier', { balcony: { senior: 5 } }],
    ['a tiered category as a whole', { balcony: 5 }],
    ['a fractional price', { stalls: 5.5 }],
    ['a price as text', { stalls: '5' }],
    ['a negative price', [{ categoryKey: 'stalls', tierId: null, price: -1 }]],
    ['a key of Object.prototype', JSON.parse('{"__proto__": 5}')],
  ])('cannot have a price for %s', async (_, priceOverrides) => {
    const event = await shop.event();
    const refused = await event.post('channels', { name: 'Club', priceOverrides });
    expect([refused.status, refused.body.code]).toEqual([422, 'invalid_request']);
    expect(refused.body.issues).not.toEqual([]);
    expect((await event.get('/channels')).body.channels).toEqual([]);
  });

  it('has a unique name, whatever its case', async () => {
    const event = await shop.event();
    const club = await create(event, 'Club');
    const other = await create(event, 'Partners');
    expect((await event.post('channels', { name: 'club' })).body.code).toBe('channel_name_taken');
    expect((await patch(event, other.id, { name: 'CLUB' })).status).toBe(409);
    expect((await patch(event, club.id, { name: 'Club' })).status).toBe(200);
  });
});

describe('assigning seats', () => {
  it('skips held and sold seats, and counts each seat in one bucket', async () => {
    const event = await shop.event();
    const club = await create(event, 'Club');
    const partners = await create(event, 'Partners');
    await event.post('hold', { labels: ['A-1'] });
    await event.post('book', { labels: ['A-2'], bookingRef: 'order-1' });
    await assign(event, partners.id, 'A-3');
    await assign(event, club.id, 'A-4');
    const assignmentVersion = await versionOf(event);
    const labels = [...numbered('A', 1, 6), 'Z-1'];
    const answer = await event.post('channels/assignments', { targetChannelId: club.id, labels, assignmentVersion });
    expect(answer.body).toMatchObject({ ok: true, targetChannelId: club.id, requested: 7, applied: 3 });
    expect(answer.body.assignmentVersion).toBeGreaterThan(assignmentVersion);
    expect(answer.body.buckets).toEqual({
      changedFromPublic: { count: 2 },
      movedFromOtherChannel: { count: 1, channels: [{ channelId: partners.id, name: 'Partners', count: 1 }] },
      alreadyInTarget: { count: 1 },
      skippedHeld: { count: 1, labels: ['A-1'], truncated: false },
      skippedBooked: { count: 1, labels: ['A-2'], truncated: false },
      notFound: { count: 1, labels: ['Z-1'], truncated: false },
    });
    const stale = await event.post('channels/assignments', { targetChannelId: null, labels, assignmentVersion });
    expect([stale.status, stale.body.code]).toEqual([409, 'channel_assignment_conflict']);
    expect(stale.body.assignmentVersion).toBe(answer.body.assignmentVersion);
    const unknown = { targetChannelId: 'chn_0', labels, assignmentVersion: answer.body.assignmentVersion };
    expect((await event.post('channels/assignments', unknown)).body.code).toBe('invalid_channel_scope');
  });

  it('lists them page by page in chart order, and can return them to public sale', async () => {
    const event = await shop.event();
    const club = await create(event, 'Club');
    await assign(event, club.id, 'A-9', 'B-1', 'A-2', 'A-5');
    const page = async (query: string) => (await event.get(`/channels/allocation?${query}`)).body;
    const first = await page('limit=3');
    expect(first.allocations).toEqual(['A-2', 'A-5', 'A-9'].map((label) => ({ label, channelId: club.id })));
    expect(first).toMatchObject({ nextAfterLabel: 'A-9', assignmentVersion: await versionOf(event) });
    const second = await page('limit=3&afterLabel=A-9');
    expect(second).toMatchObject({ allocations: [{ label: 'B-1', channelId: club.id }], nextAfterLabel: null });
    expect((await page('limit=3&afterLabel=gone')).allocations).toEqual(first.allocations);
    await assign(event, 'public', 'A-2', 'A-5', 'A-9');
    expect((await page('')).allocations).toEqual([{ label: 'B-1', channelId: club.id }]);
  });
});

describe('a preview of a scope', () => {
  it("shows only the scope, in buyers' statuses", async () => {
    const event = await shop.event();
    const club = await create(event, 'Club');
    await event.post('block', { labels: ['A-4'] });
    await assign(event, club.id, ...numbered('A', 1, 4));
    await event.post('hold', { labels: ['B-1'] });
    const preview = async (query: string) => (await event.get(`/channels/preview?${query}`)).body;
    const alone = await preview(`channelIds=${club.id}&includePublic=0`);
    expect(alone).toMatchObject({ eligible: numbered('A', 1, 3), unavailable: ['A-4'], includePublic: false });
    expect(alone.counts).toEqual({ eligible: 3, free: 3, held: 0, booked: 0, not_for_sale: 67 });
    expect(alone).toMatchObject({ default: 'not_for_sale', seats: { 'A-1': 'free', 'A-2': 'free', 'A-3': 'free' } });
    const publicSale = await preview('');
    expect(publicSale).toMatchObject({ includePublic: true, default: 'free', unavailable: ['B-1'] });
    expect(publicSale.seats).toMatchObject({ 'A-1': 'not_for_sale', 'A-4': 'not_for_sale', 'B-1': 'held' });
    expect(publicSale.counts).toMatchObject({ eligible: 65, held: 1, not_for_sale: 4 });
    const both = await preview(`channelIds=${club.id}&includePublic=true`);
    expect(both.counts).toMatchObject({ eligible: 68, held: 1, not_for_sale: 1 });
    expect(await preview(`channelIds=${club.id}&includePublic=`)).toEqual(alone);
  });

  it('shows no free seat of a paused channel, and refuses an unknown or archived channel', async () => {
    const event = await shop.event();
    const club = await create(event, 'Club');
    await assign(event, club.id, 'A-1', 'A-2');
    expect((await event.post(`channels/${club.id}/pause`, { reason: 'Wait' })).body.channel.state).toBe('paused');
    const paused = (await event.get(`/channels/preview?channelIds=${club.id}`)).body;
    expect(paused).toMatchObject({ eligible: [], unavailable: ['A-1', 'A-2'], default: 'not_for_sale', seats: {} });
    expect((await event.post(`channels/${club.id}/unpause`)).body.channel.state).toBe('active');
    expect((await event.get(`/channels/preview?channelIds=${club.id}`)).body.eligible).toEqual(['A-1', 'A-2']);
    await event.post(`channels/${club.id}/archive`, { destination: null });
    for (const id of [club.id, 'chn_0']) {
      const refused = await event.get(`/channels/preview?channelIds=${id}`);
      expect([refused.status, refused.body.code]).toEqual([422, 'invalid_channel_scope']);
      expect(refused.body.channelIds).toEqual([id]);
    }
  });
});

describe('archiving a channel', () => {
  it('moves its seats to the destination, and hides it from the default list', async () => {
    const event = await shop.event();
    const club = await create(event, 'Club');
    const partners = await create(event, 'Partners');
    await event.post('block', { labels: ['A-3'] });
    await assign(event, club.id, 'A-1', 'A-2', 'A-3');
    const archived = await event.post(`channels/${club.id}/archive`, { destination: partners.id, reason: 'Over' });
    expect(archived.body).toMatchObject({ ok: true, moved: { free: 2, blocked: 1, booked: 0, units: 3 } });
    expect(archived.body).toMatchObject({
      revokedSessions: 0,
      channel: { state: 'archived', archiveDestination: partners.id },
    });
    expect(archived.body.channel.archivedAt).toBeGreaterThan(0);
    expect((await event.get('/channels')).body.channels.map(({ name }: Json) => name)).toEqual(['Partners']);
    const all = (await event.get('/channels?includeArchived=1')).body.channels;
    expect(all.map(({ name, counts }: Json) => [name, counts.units])).toEqual([
      ['Club', 0],
      ['Partners', 3],
    ]);
    const again = await event.post(`channels/${club.id}/archive`, { destination: partners.id });
    expect(again.body).toMatchObject({ ok: true, moved: { units: 0 } });
    expect((await event.post(`channels/${club.id}/archive`, { destination: 'public' })).status).toBe(409);
    expect((await event.post(`channels/${club.id}/pause`)).body.reason).toBe('channel_archived');
    expect((await event.post(`channels/${partners.id}/archive`, {})).status).toBe(422);
  });
});

describe('the channel audit', () => {
  it('lists only channel changes, newest first, page by page', async () => {
    const event = await shop.event();
    const club = await create(event, 'Club', { reason: 'Presale' });
    await event.post('hold', { labels: ['B-1'] });
    await assign(event, club.id, 'A-1', 'A-2');
    await patch(event, club.id, { name: 'Members', reason: 'Clearer' });
    await event.post('book', { labels: ['B-2'], bookingRef: 'order-1' });
    await event.post(`channels/${club.id}/pause`, { reason: 'Wait' });
    await event.post(`channels/${club.id}/archive`, { destination: 'public' });
    const { body } = await event.get('/channels/audit');
    const told = body.entries.map(({ action, channelId, labels, reason }: Json) => [action, channelId, labels, reason]);
    expect(told).toEqual([
      ['archive_channel', club.id, ['A-1', 'A-2'], null],
      ['pause_channel', club.id, [], 'Wait'],
      ['change_channel', club.id, [], 'Clearer'],
      ['assign_channel', club.id, ['A-1', 'A-2'], null],
      ['create_channel', club.id, [], 'Presale'],
    ]);
    expect(body.entries[2].details).toEqual({ channel: { name: 'Members' } });
    expect(body).toMatchObject({ nextBefore: null });
    expect(body.entries[0]).toMatchObject({ actor: shop.own.test.key.id, source: 'server' });
    const pages: number[] = [];
    for (let before = ''; before !== 'null'; ) {
      const page = (await event.get(`/channels/audit?limit=2${before && `&before=${before}`}`)).body;
      pages.push(...page.entries.map(({ id }: Json) => id));
      before = String(page.nextBefore);
    }
    expect(pages).toEqual(body.entries.map(({ id }: Json) => id));
  });

  it('lists access links with the reasons of their creation and end', async () => {
    const event = await shop.event();
    const club = await create(event, 'Club');
    const links = `channels/${club.id}/access-links`;
    const { link, capability } = (await event.post(links, { label: 'Fans', reason: 'Newsletter' })).body;
    const rotated = await event.post(`${links}/${link.id}/rotate`, { endActiveSessions: true, reason: 'Leaked' });
    const { link: next } = rotated.body;
    const end = (reason: string) =>
      shop.call('DELETE', `${event.path}/${links}/${next.id}?reason=${reason}`, { token: shop.token });
    expect((await end('x'.repeat(501))).body.code).toBe('invalid_request');
    expect((await end('Over')).status).toBe(200);
    const { body } = await event.get('/channels/audit');
    const of = { channelId: club.id, actor: shop.own.test.key.id, source: 'server', labels: [], ref: null };
    expect(body.entries).toMatchObject([
      { ...of, action: 'revoke_access_link', reason: 'Over', details: { linkId: next.id } },
      {
        ...of,
        action: 'rotate_access_link',
        reason: 'Leaked',
        details: { linkId: link.id, rotatedTo: next.id, sessionsEnded: true },
      },
      { ...of, action: 'create_access_link', reason: 'Newsletter', details: { linkId: link.id } },
      { action: 'create_channel' },
    ]);
    expect(JSON.stringify(body)).not.toContain(capability.slice(4));
  });
});
