/**
 * A house in the middle of a season, for the pictures of the console: its people, a hall, events with sales, a presale,
 * releases and a season. All sales are calls to the running server.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { createApi } from '../launch/api.ts';

export const password = 'a long enough password';
const DAY_MS = 86_400_000;
/** Evenings from the sixteenth of October of the next year on. */
const evening = (inDays: number): number => Date.UTC(new Date().getUTCFullYear() + 1, 9, 16 + inDays, 17, 30);
const timezone = 'Europe/Vienna';

const people = { owner: 'ada', manager: 'ben', box_office: 'carla', marketing: 'dora', door: 'emil', viewer: 'finn' };
export type Role = keyof typeof people;
export const emailOf = (role: Role): string => `${people[role]}@civic-theatre.example`;

const others = [
  { name: 'The magic flute', inDays: 3, sold: 410 },
  { name: 'Chamber music I', inDays: 7, sold: 96 },
  { name: 'Winter songs', inDays: 10, sold: 233 },
  { name: 'An evening of operetta', inDays: 12, sold: 546 },
  { name: 'Piano recital', inDays: 14, sold: 12 },
] as const;

const parties = [2, 4, 2, 3, 2, 1, 2, 5, 2, 2];
const categories = [
  'premium',
  'stalls',
  'balcony',
  'rear-stalls',
  'stalls',
  'balcony',
  'stalls',
  'rear-stalls',
  'balcony',
];

type Json = Record<string, never> & { [field: string]: never };
export type PicturedHouse = Awaited<ReturnType<typeof openHouse>>;

export async function openHouse(url: string, rootToken: string) {
  const api = createApi(url);
  const admin = <T>(path: string, body: object) => api.make<T>(`/v1/admin/organisations${path}`, rootToken, body);
  const made = await admin<{ organisation: { id: string } }>('', {
    name: 'Civic theatre',
    currency: 'EUR',
    credits: 9_000,
  });
  const { id } = made.organisation;
  for (const role of Object.keys(people) as Role[]) {
    await admin(`/${id}/users`, { email: emailOf(role), password, role });
  }
  const { secret } = await admin<{ secret: string }>(`/${id}/keys`, { kind: 'secret', mode: 'live', origins: [] });
  const post = <T = Json>(path: string, body: object) => api.make<T>(`/v1${path}`, secret, body);
  const put = async (method: string, path: string, body: object): Promise<void> => {
    const answer = await api.ask(method, `/v1${path}`, secret, body);
    if (answer.status >= 300) throw api.failure(`${method} ${path}`, answer);
  };
  const get = async <T>(path: string): Promise<T> => (await api.ask('GET', `/v1${path}`, secret)).body as T;
  const { meta: chart } = await post<{ meta: { id: string } }>('/templates/theatre/instantiate', {
    name: 'Great hall',
  });
  await post(`/charts/${chart.id}/publish`, {});
  const makeEvent = async (name: string, inDays: number): Promise<string> => {
    const fields = { chartId: chart.id, name, startsAt: evening(inDays), timezone, venue: 'Great hall' };
    return (await post<{ meta: { key: string } }>('/events', fields)).meta.key;
  };
  let order = 1_040;
  return {
    post,
    put,
    get,
    makeEvent,
    /** Sells as buyers do: parties take the best seats of a category, and pay. One in ten is still in a basket. */
    async sell(event: string, count: number): Promise<void> {
      for (let nth = 0; nth < count; nth++) {
        order += 1;
        const qty = parties[order % parties.length]!;
        const categoryKey = categories[(order * 5) % categories.length]!;
        const { holdId } = await post<{ holdId: string }>(`/events/${event}/best-available`, { qty, categoryKey });
        if (order % 10 === 3) continue;
        await post(`/events/${event}/book`, { holdId, bookingRef: `web-${order}`, buyerRef: `guest-${order * 7}` });
        await pause(20);
      }
    },
  };
}

/** The event of most pictures, with a presale, blocks, a reservation, releases and a first day of sales. */
export async function openGala(house: PicturedHouse): Promise<string> {
  const gala = await house.makeEvent('Autumn gala', 0);
  const path = `/events/${gala}`;
  const labels = (row: string, from: number, to: number): string[] =>
    Array.from({ length: to - from + 1 }, (_, seat) => `${row}-${from + seat}`);
  const channels = [
    { name: 'Friends of the theatre', marker: 'FR', accessIntent: 'hosted_link', seats: labels('Stalls-E', 1, 24) },
    { name: 'Schools', marker: 'S', accessIntent: 'internal', seats: labels('Balcony-E', 1, 48) },
  ];
  for (const [version, { seats, ...channel }] of channels.entries()) {
    const made = await house.post<{ channel: { id: string } }>(`${path}/channels`, channel);
    const { assignmentVersion } = await house.get<{ assignmentVersion: number }>(`${path}/channels`);
    const assigned = { targetChannelId: made.channel.id, labels: seats, assignmentVersion };
    await house.post(`${path}/channels/assignments`, assigned);
    if (version > 0) continue;
    for (const label of ['Newsletter of November', 'Members by post']) {
      const link = { label, expiresAt: Date.now() + 20 * DAY_MS, maxRedemptions: 200, maxQuantity: 4 };
      await house.post(`${path}/channels/${made.channel.id}/access-links`, link);
    }
    const friends = { labels: labels('Stalls-E', 9, 15), channelIds: [made.channel.id], bookingRef: 'friends-12' };
    await house.post(`${path}/book`, friends);
  }
  await house.post(`${path}/block`, { labels: labels('Stalls-K', 14, 19), reason: 'Sound desk' });
  const school = { labels: labels('Balcony-D', 16, 30), name: 'School 7', until: Date.now() + 7 * DAY_MS };
  await house.post(`${path}/reservations`, school);
  const releases = [
    { name: 'Early birds', categoryKey: 'rear-stalls', price: 38, quota: 40, endsAt: Date.now() + 5 * DAY_MS },
    { name: 'Winter price', categoryKey: 'balcony', price: 25, quota: 60, startsAt: Date.now() + 3 * DAY_MS },
  ];
  await house.put('PUT', `${path}/releases`, { releases });
  await house.put('PATCH', path, { salesEndAt: evening(0) - 3_600_000 });
  await house.post(`${path}/book`, { labels: labels('Stalls-H', 14, 15), bookingRef: 'desk-1', buyerRef: 'guest-77' });
  await house.sell(gala, 60);
  return gala;
}

/** The other nights, some of them sold out or closed, and a season over three of them. */
export async function openSeason(house: PicturedHouse): Promise<string> {
  const nights: string[] = [];
  for (const { name, inDays, sold } of others) {
    const key = await house.makeEvent(name, inDays);
    nights.push(key);
    const { units } = await house.get<{ units: string[] }>(`/events/${key}/units?limit=1000`);
    // The season has its seats in the first rows.
    const labels = units.filter((label) => sold === units.length || !/^Stalls-[AB]-/.test(label)).slice(0, sold);
    for (let from = 0; from < labels.length; from += 100) {
      const body = { labels: labels.slice(from, from + 100), bookingRef: `web-${from}` };
      await house.post(`/events/${key}/book`, body);
    }
  }
  await house.post(`/events/${nights[4]}/close`, {});
  const eventKeys = [nights[0], nights[1], nights[2]];
  const { season } = await house.post<{ season: { key: string } }>('/seasons', { name: 'Winter season', eventKeys });
  const path = `/seasons/${season.key}`;
  const revision = async () => {
    const now = await house.get<{ season: { revision: number } }>(path);
    return { expectedRevision: now.season.revision };
  };
  await house.post(`${path}/activate`, await revision());
  const { plan } = await house.post<{ plan: { key: string } }>(`${path}/plans`, { name: 'Full pass' });
  const body = await revision();
  const published = await house.post<{ plan: { activationId: string } }>(`${path}/plans/${plan.key}/publish`, body);
  const rows = ['Stalls-A-1', 'Stalls-A-3', 'Stalls-A-5', 'Stalls-B-2'].map((label, nth) => ({
    rowId: String(nth),
    holderRef: `member-${17 + nth * 4}`,
    priorPlanActivationId: 'last-winter',
    priorContractRef: `sub-${17 + nth * 4}`,
    labels: [label, label.replace(/\d+$/, (seat) => String(Number(seat) + 1))],
  }));
  await house.post(`${path}/imports`, { successorPlanActivationId: published.plan.activationId, rows });
  await house.post(`${path}/sales/open`, await revision());
  return season.key;
}
