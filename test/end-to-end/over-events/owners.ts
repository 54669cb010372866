/** A group and a season of a shop, in one form: the tests of this folder assert the same of both. */
import { draftRun, openRun, pageWith } from '../groups/run.ts';
import { seasonPage, sellSeason } from '../seasons/sold-season.ts';
import type { Answer, Json, Shop } from '../shop.ts';

async function group(shop: Shop, count?: number) {
  const run = await openRun(shop, count);
  return { ...run, book: bookIn(run) };
}

/** A draft sells nothing. Its sessions and maps are those of an active group. */
async function draftGroup(shop: Shop, count?: number) {
  const run = await draftRun(shop, count);
  return { ...run, book: bookIn(run) };
}

function bookIn({ post }: Awaited<ReturnType<typeof draftRun>>) {
  return (operationId: string, bookActionId: string, bookingRef: string) =>
    post(`/holds/${operationId}/book`, { bookActionId, bookingRef });
}

async function season(shop: Shop, count?: number) {
  const sold = await sellSeason(shop, count);
  return { ...sold, delete: (what: string) => sold.call('DELETE', sold.path + what) };
}

type Page = { post(what: string, body: unknown): Promise<Answer> };

export type OwnerOnSale = Awaited<ReturnType<typeof group>> | Awaited<ReturnType<typeof season>>;

function planOf(sold: OwnerOnSale) {
  return 'planActivationId' in sold ? { planActivationId: sold.planActivationId } : {};
}

/** The words of each owner. */
export const owners = {
  group: {
    open: group,
    openForPages: draftGroup,
    pages: '/pub/performance-groups',
    descriptor: '/descriptor',
    map: '/objects',
    prefix: 'pghop',
    token: /^bgs_[0-9A-Za-z]{20,}$/,
    pageWith,
    session: ({ key }: OwnerOnSale) => ({ performanceGroupKey: key, partnerRef: null, accessSource: 'promoter' }),
    locked: 'performance_group_locked',
    release: (page: Page, operationId: string) => page.post(`/operations/${operationId}/release`, {}),
    /** The hold of in every event, as the platform sees it. */
    holdFields: ({ key, eventKeys }: OwnerOnSale, { hold }: Json) => ({
      groupId: key,
      holdId: hold.id,
      active: true,
      selectionMode: 'same_seat',
      currency: 'EUR',
      expiresAt: hold.expiresAt,
      allocations: eventKeys.map((eventKey, nth) => ({ eventKey, name: `Evening ${nth + 1}`, configuredValue: 40 })),
    }),
    bookedFields: { state: 'booked', active: false },
    bookingFields: ({ key }: OwnerOnSale, actionId: string) => ({
      bookActionId: actionId,
      groupId: key,
      totalPerformances: 3,
      bookedPerformances: 3,
      nextRetryAt: null,
      lastError: null,
    }),
  },
  season: {
    open: season,
    openForPages: season,
    pages: '/pub/seasons',
    descriptor: '',
    map: '/availability',
    prefix: 'sop',
    token: /^bss_[0-9A-Za-z]{20,}$/,
    pageWith: seasonPage,
    session: (sold: OwnerOnSale) => ({ seasonKey: sold.key, mode: 'test', environment: null, ...planOf(sold) }),
    locked: 'season_event_locked',
    release: (page: Page, operationId: string) =>
      page.post(`/holds/${operationId}/release`, { releaseActionId: 'release-1' }),
    holdFields: ({ key, eventKeys }: OwnerOnSale, { holdId, expiresAt, policy }: Json) => ({
      seasonKey: key,
      holdId,
      bookingRef: null,
      expiresAt,
      policy,
      allocations: eventKeys.map((eventKey) => ({ eventKey, labels: ['A-1', 'A-2'] })),
    }),
    bookedFields: { state: 'booked', bookingRef: 'order-10' },
    bookingFields: (sold: OwnerOnSale, actionId: string) => ({
      actionId,
      ...planOf(sold),
      lastError: null,
      cancellation: null,
      outcomes: sold.eventKeys.map((eventKey) => ({ eventKey, state: 'booked', code: null })),
    }),
  },
};
