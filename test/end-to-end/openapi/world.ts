/**
 * The data behind the examples of the description: for every stand-in a function that creates the real thing. Each
 * example gets its own world, so that examples need no order and do not affect one another.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { exampleHall } from '../../../services/frontdoor/src/api/charts.ts';
import { postersRoutes } from '../../../services/frontdoor/src/api/events.ts';
import { type StandInName, standIn, standInPassword } from '../../../services/frontdoor/src/openapi/stand-ins.ts';
import type { Json } from '../../support/openapi.ts';
import { openShop, type Shop } from '../shop.ts';
import { makeActiveGroup, makeDraftGroup } from './group-world.ts';
import { makeDraftSeason, makeHolder, makeRehearsedSeason, makeSeason, makeSoldSeason } from './season-world.ts';

/** A shop for the examples of groups and seasons, which take more calls than a minute allows. */
export async function openLargeShop(): Promise<Shop> {
  const shop = await openShop();
  const body = { kind: 'secret', mode: 'test', budgets: { seasons: null } };
  const keys = `/v1/admin/organisations/${shop.own.id}/keys`;
  shop.token = (await shop.call('POST', keys, { token: shop.rootToken, body })).body.secret;
  return shop;
}

export type World = { of(name: StandInName): Promise<Json>; fill<T>(value: T): Promise<T> };

const weekMs = 7 * 24 * 60 * 60_000;

let made = 0;

/** The wait until the delivery history shows a delivery that failed at once. */
const DELIVERY_LOOKS = 400;
const DELIVERY_LOOK_MS = 50;

/** `mode` is the mode of the shop's key. */
export function createWorld(shop: Shop, mode: 'test' | 'live' = 'test'): World {
  const { token } = shop;
  const known = new Map<StandInName, Promise<Json>>();
  const of = (name: StandInName): Promise<Json> => {
    if (!known.has(name)) known.set(name, make[name]());
    return known.get(name)!;
  };

  async function post(path: string, body?: unknown): Promise<Json> {
    const answer = await shop.call('POST', path, { token, ...(body === undefined ? {} : { body }) });
    if (answer.status >= 300) throw new Error(`POST ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }
  const read = async (chartId: string) => (await shop.call('GET', `/v1/charts/${chartId}`, { token })).body.meta;
  const draft = once(async () => (await post('/v1/charts', { name: 'Draft' })).meta);
  const copy = async () => (await post(`/v1/charts/${await chartOf(shop)}/duplicate`)).meta.id;
  const event = async (more: object = {}) => {
    const body = { chartId: await chartOf(shop), slug: `gala-${++made}`, ...more };
    return (await post('/v1/events', body)).meta.key as string;
  };
  const doTo = async (key: string, action: string, body?: unknown) => {
    await post(`/v1/events/${key}/${action}`, body);
    return key;
  };
  const organisation = once(() => shop.organisation(`Organisation ${++made}`));
  const user = once(async () => shop.user({ organisationId: (await organisation()).id, password: standInPassword }));
  const member = once(() => shop.user({ password: standInPassword }));
  const sessionOf = async (organisationId: string, account: Awaited<ReturnType<Shop['user']>>) => {
    await shop.logIn(account);
    const path = `/v1/admin/organisations/${organisationId}/users/${account.id}/sessions`;
    return (await shop.call('GET', path, { token: shop.rootToken })).body.sessions[0].id;
  };
  const files = async (key: string) => (await shop.buyer('GET', `${key}/chart?files=1`)).body;
  const held = once(async () => {
    const key = await event();
    return { key, holdId: (await post(`/v1/events/${key}/hold`, { labels: ['A-5', 'A-6'] })).holdId };
  });

  const released = once(async () => {
    const key = await event();
    const body = { releases: [{ name: 'Early bird', price: 12 }] };
    const answer = await shop.call('PUT', `/v1/events/${key}/releases`, { token, body });
    return { key, id: answer.body.releases[0].id };
  });
  const listing = once(async () => {
    const body = { labels: ['A-7'], bookingRef: 'order-1000' };
    const key = await doTo(await event(), 'book', body);
    return { key, id: (await post(`/v1/events/${key}/resale/list`, body)).listingId };
  });

  const reservation = once(async () => {
    const key = await event();
    const body = { labels: ['A-1', 'A-2', 'A-3'], name: 'Class 4b', until: Date.now() + weekMs };
    return { key, id: (await post(`/v1/events/${key}/reservations`, body)).reservation.id as string };
  });

  const channels = once(async () => {
    const key = await event();
    const club = (await post(`/v1/events/${key}/channels`, { name: 'Club members' })).channel;
    const gone = (await post(`/v1/events/${key}/channels`, { name: 'Last year' })).channel;
    const labels = ['A-1', 'A-2', 'A-3', 'A-4'];
    const archived = await post(`/v1/events/${key}/channels/${gone.id}/archive`, { destination: 'public' });
    const { assignmentVersion: version } = await post(`/v1/events/${key}/channels/assignments`, {
      targetChannelId: club.id,
      labels,
      assignmentVersion: archived.assignmentVersion,
    });
    return { key, id: club.id, archived: gone.id, version };
  });

  const sessions = once(async () => {
    const key = await event();
    const allowedOrigin = 'https://shop.example';
    const buyer = await post(`/v1/events/${key}/buyer-access-sessions`, { includePublic: true, allowedOrigin });
    const manage = await post(`/v1/events/${key}/manage-sessions`, { allowedOrigin });
    return { key, buyer: buyer.sessionId, manage: manage.id };
  });
  const link = once(async () => {
    const key = await event();
    const { channel } = await post(`/v1/events/${key}/channels`, { name: 'Newsletter' });
    const { link: made, capability } = await post(`/v1/events/${key}/channels/${channel.id}/access-links`, {});
    return { key, channel: channel.id, id: made.id, capability };
  });

  /**
   * Creates a subscription after it deletes those of other worlds, since an organisation has at most 10. No process
   * listens at its address.
   */
  const hookFor = async (name: string): Promise<string> => {
    const { subs } = (await shop.call('GET', '/v1/webhooks', { token })).body;
    for (const { id } of subs) await shop.call('DELETE', `/v1/webhooks/${id}`, { token });
    return (await post('/v1/webhooks', { url: 'http://127.0.0.1:9/', events: [name] })).sub.id;
  };
  const delivered = once(async () => {
    const id = await hookFor('event.created');
    await event();
    const path = `/v1/webhooks/${id}/deliveries`;
    for (let look = 0; look < DELIVERY_LOOKS; look++) {
      const [first] = (await shop.call('GET', path, { token })).body.deliveries;
      if (first) return { id, delivery: first.id };
      await pause(DELIVERY_LOOK_MS);
    }
    throw new Error('no delivery was attempted');
  });

  const imported = once(async () => {
    const key = await event();
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'text/csv' };
    const address = `${shop.url}/v1/events/${key}/imports/bookings`;
    const answer = await fetch(address, { method: 'POST', headers, body: 'label,bookingRef,price\nC-1,old-1,40' });
    return { key, id: ((await answer.json()) as Json).import.id as string };
  });

  const drawn = once(() => post('/demo/drafts', { template: 'classroom' }));
  const draftRun = once(async () => makeDraftGroup(post, await chartOf(shop)));
  const run = once(async () => makeActiveGroup(shop, post, await chartOf(shop)));
  const draftSeason = once(async () => makeDraftSeason(post, await chartOf(shop)));
  const season = once(async () => makeSeason(post, await chartOf(shop)));
  const openSeason = once(async () => makeSeason(post, await chartOf(shop), 'open'));
  const soldSeason = once(async () => makeSoldSeason(shop, post, await chartOf(shop)));
  const holders = once(async () => makeHolder(post, await season()));
  const soldHolders = once(async () => makeHolder(post, await soldSeason()));
  const liveEvening = async () => {
    const body = { chartId: await chartOf(shop) };
    return (await shop.call('POST', '/v1/events', { token: shop.own.live.secret, body })).body.meta.key as string;
  };

  const make: Record<StandInName, () => Promise<Json>> = {
    organisation: async () => (await organisation()).id,
    key: async () => (await organisation()).test.key.id,
    user: async () => (await user()).id,
    email: async () => (await user()).email,
    lockedEmail: async () => {
      const { email } = await user();
      const body = { email, password: 'a wrong guess' };
      await Promise.all(Array.from({ length: 5 }, () => shop.call('POST', '/v1/dashboard/login', { body })));
      return email;
    },
    userSession: async () => sessionOf((await organisation()).id, await user()),
    member: async () => (await member()).id,
    ownKey: async () => {
      const path = `/v1/admin/organisations/${shop.own.id}/keys`;
      const body = { kind: 'publishable', mode, origins: ['https://shop.example'] };
      return (await shop.call('POST', path, { token: shop.rootToken, body })).body.key.id;
    },
    memberSession: async () => sessionOf(shop.own.id, await member()),
    resetToken: async () => {
      const path = `/v1/admin/organisations/${shop.own.id}/users/${(await member()).id}/password-reset`;
      return (await shop.call('POST', path, { token: shop.rootToken })).body.token;
    },
    workspace: async () => shop.chart.workspaceId,
    chart: () => chartOf(shop),
    draftChart: async () => (await draft()).id,
    chartVersion: async () => (await draft()).updatedAt,
    demoDraft: async () => (await drawn()).chartId,
    demoDraftToken: async () => (await drawn()).token,
    unusedChart: copy,
    chartImport: async () => {
      const { write } = await shop.logIn(await shop.user({ organisationId: shop.own.id }));
      const headers = { ...write, 'Content-Type': 'text/csv' };
      const sent = { method: 'POST', headers, body: 'row,seat\nA,1\n' };
      const answer = (await (await fetch(`${shop.url}/v1/chart-imports`, sent)).json()) as Json;
      if (!answer.import) throw new Error(`import a chart: ${JSON.stringify(answer)}`);
      return answer.import.id;
    },
    archivedChart: async () => {
      const id = await copy();
      await post(`/v1/charts/${id}/archive`);
      return id;
    },
    chartOfDisabledWorkspace: async () => {
      const { workspace } = await post('/v1/workspaces', { name: 'Gone' });
      const { meta } = await post('/v1/charts', { name: 'Hall', doc: exampleHall, workspaceId: workspace.id });
      await post(`/v1/charts/${meta.id}/publish`);
      await shop.call('PATCH', `/v1/workspaces/${workspace.id}`, { token, body: { status: 'disabled' } });
      return meta.id;
    },
    event,
    chartFile: async () => (await files(await of('event'))).files[0].hash,
    audience: async () => /statuses\/([^?]+)/.exec((await files(await of('event'))).statusesUrl)![1],
    heldEvent: async () => (await held()).key,
    hold: async () => (await held()).holdId,
    soldEvent: async () => doTo(await event(), 'book', { labels: ['A-7', 'A-8'], bookingRef: 'order-1000' }),
    closedEvent: async () => doTo(await event(), 'close'),
    archivedEvent: async () => doTo(await event(), 'archive'),
    eventWithLostSeats: async () => {
      const { meta } = await post('/v1/charts', { name: 'Hall', doc: exampleHall });
      await post(`/v1/charts/${meta.id}/publish`);
      const key = await doTo(await event({ chartId: meta.id }), 'book', { labels: ['A-1'], bookingRef: 'order-1' });
      const [, ...objects] = exampleHall.objects;
      const body = { doc: { ...exampleHall, objects }, expectedUpdatedAt: (await read(meta.id)).updatedAt };
      await shop.call('PUT', `/v1/charts/${meta.id}`, { token, body });
      await post(`/v1/charts/${meta.id}/publish`);
      return key;
    },
    eventWithGuests: async () => doTo(await event(), 'book', { labels: ['T1-1'], bookingRef: 'order-1' }),
    managedEvent: async () => {
      const { write } = await shop.logIn(await shop.user());
      const body = { chartId: await chartOf(shop), mode };
      return (await shop.call('POST', '/v1/events', { headers: write, body })).body.meta.key;
    },
    eventWithReleases: async () => (await released()).key,
    eventWithSelectionRules: () => event({ selectionRules: { preventOrphans: true, tierLimits: { child: 2 } } }),
    release: async () => (await released()).id,
    eventWithListing: async () => (await listing()).key,
    listing: async () => (await listing()).id,
    eventWithReservation: async () => (await reservation()).key,
    reservation: async () => (await reservation()).id,
    reservedUntil: async () => Date.now() + weekMs,
    eventWithChannel: async () => (await channels()).key,
    channel: async () => (await channels()).id,
    assignmentVersion: async () => (await channels()).version,
    archivedChannel: async () => (await channels()).archived,
    eventWithSessions: async () => (await sessions()).key,
    buyerSession: async () => (await sessions()).buyer,
    manageSession: async () => (await sessions()).manage,
    designerSession: async () => {
      const { workspaceId, id: chartId } = shop.chart;
      const allowedOrigin = 'https://shop.example';
      return (await post('/v1/designer/sessions', { workspaceId, chartId, allowedOrigin })).id;
    },
    eventWithAccessLink: async () => (await link()).key,
    linkedChannel: async () => (await link()).channel,
    accessLink: async () => (await link()).id,
    capability: async () => (await link()).capability,
    asset: async () => {
      const { examples } = postersRoutes.find(({ method }) => method === 'PUT')!.description;
      const bytes = examples[0].bytes!;
      const headers = { Authorization: `Bearer ${token}` };
      const address = `${shop.url}/v1/events/${await event()}/poster`;
      const answer = await fetch(address, { method: 'PUT', headers, body: Buffer.from(bytes.base64, 'base64') });
      return ((await answer.json()) as Json).meta.posterAssetId;
    },
    endedEvent: async () => doTo(await event({ endsAt: 1 }), 'close'),
    liveEvent: liveEvening,
    publishableKey: async () => shop.own.publishable.secret,
    webhookWithDelivery: async () => (await delivered()).id,
    delivery: async () => (await delivered()).delivery,
    webhook: () => hookFor('ping'),
    evening: async () => (await draftRun()).eventKeys[0],
    nextEvening: async () => (await draftRun()).eventKeys[1],
    draftGroup: async () => (await draftRun()).key,
    group: async () => (await run()).key,
    groupEvent: async () => (await run()).eventKeys[0],
    groupLaterEvent: async () => (await run()).eventKeys[1],
    groupStep: async () => (await run()).step,
    groupSession: async () => (await run()).sessionId,
    groupSessionToken: async () => (await run()).token,
    groupHold: async () => 'pghop_order-2001',
    bookedAction: async () => 'book-2000',
    sourceGroup: async () => {
      const { key } = await makeDraftGroup(post, await chartOf(shop));
      await post(`/v1/performance-groups/${key}/activate`, { expectedRevision: 1 });
      return key;
    },
    eventWithImport: async () => (await imported()).key,
    bookingImport: async () => (await imported()).id,
    season: async () => (await season()).key,
    draftSeason: async () => (await draftSeason()).key,
    openSeason: async () => (await openSeason()).key,
    pausedSeason: async () => (await makeSeason(post, await chartOf(shop), 'paused')).key,
    closedSeason: async () => (await makeSeason(post, await chartOf(shop), 'closed')).key,
    planActivation: async () => (await season()).activation,
    seasonImport: async () => (await holders()).importId,
    offer: async () => (await holders()).offerId,
    soldOffer: async () => (await soldHolders()).offerId,
    soldSeason: async () => (await soldSeason()).key,
    rehearsedSeason: async () => makeRehearsedSeason(shop, post, await chartOf(shop)),
    soldActivation: async () => (await soldSeason()).activation,
    seasonSession: async () => (await soldSeason()).sessionId,
    seasonHold: async () => 'sop_order-3001',
    seasonBooking: async () => 'book-3000',
    seasonEvent: async () => (await season()).eventKeys[0],
    seasonStep: async () => (await season()).step,
    publishedPlan: async () => (await season()).published,
    draftPlan: async () => (await season()).draft,
    openPlan: async () => (await openSeason()).published,
    liveEvening,
    liveNextEvening: liveEvening,
    outboxOccurrence: async () => {
      const { key } = await season();
      const { outbox } = (await shop.call('GET', `/v1/seasons/${key}/outbox`, { token })).body;
      return outbox[0].occurrenceId;
    },
    amendment: async () => {
      const { key, eventKeys } = await season();
      const body = { eventKey: eventKeys[0], kind: 'replace', name: 'Tosca' };
      return (await post(`/v1/seasons/${key}/amendments`, body)).amendment.amendmentId;
    },
  };

  /** The value with every stand-in replaced by its real value. */
  async function fill<T>(value: T): Promise<T> {
    const name = nameOf.get(value);
    if (name !== undefined) return of(name);
    if (Array.isArray(value)) return (await Promise.all(value.map(fill))) as T;
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(async ([key, inner]) => [key, await fill(inner)] as const);
    return Object.fromEntries(await Promise.all(entries)) as T;
  }
  return { of, fill };
}

/** The published chart of the examples, one for all worlds of a shop. An event uses it. */
const charts = new WeakMap<Shop, Promise<string>>();
function chartOf(shop: Shop): Promise<string> {
  let chart = charts.get(shop);
  if (chart === undefined) {
    chart = publishHall(shop);
    charts.set(shop, chart);
  }
  return chart;
}

async function publishHall({ call, token }: Shop): Promise<string> {
  const { meta } = (await call('POST', '/v1/charts', { token, body: { name: 'Small hall', doc: exampleHall } })).body;
  await call('POST', `/v1/charts/${meta.id}/publish`, { token });
  await call('POST', '/v1/events', { token, body: { chartId: meta.id } });
  return meta.id;
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let making: Promise<T> | null = null;
  return () => {
    making ??= make();
    return making;
  };
}

const nameOf = new Map<unknown, StandInName>(
  Object.entries(standIn).map(([name, value]) => [value, name as StandInName]),
);
