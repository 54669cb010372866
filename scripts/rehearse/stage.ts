/**
 * The stage of a rehearsal: two keys in test mode without budgets, and the event or its copy. `end` takes all of it
 * back: bookings are cancelled, the copy is deleted, the keys are revoked with everything that they gave. Each step of
 * the end is tried whatever came of the step before; the sentences name what is left.
 */

import type { EventRecord } from '../../shared/src/protocol/catalog/events.ts';
import { randomText } from '../../shared/src/protocol/ids.ts';
import { Refused } from '../backup/refused.ts';
import type { AdminApi, Json } from '../operate/admin-api.ts';
import { call, type Sale } from './buyer.ts';

/** In test mode a key may have this origin. */
const origin = 'http://localhost';
const unbooksAtOnce = 16;
const nameLength = 8;

export type Stage = { sale: Sale; end(bookings: readonly string[]): Promise<string[]> };

export async function openStage(api: AdminApi, url: string, event: EventRecord, isCopy: boolean): Promise<Stage> {
  const path = `/organisations/${event.organisationId}/keys`;
  const made: Json[] = [];
  let copy: string | null = null;
  const end = async (bookings: readonly string[]): Promise<string[]> => {
    const left: string[] = [];
    const secret = made[0]?.secret;
    const key = copy ?? event.key;
    // A deleted copy takes its bookings along.
    if (copy === null) left.push(...(await cancel(url, key, secret, bookings)));
    else if ((await call(url, 'DELETE', `/v1/events/${copy}`, secret)).status >= 300) left.push(`the event ${copy}`);
    for (const { key: info } of made) {
      const isRevoked = await api.call('DELETE', `${path}/${info.id}?endSessions=1`).catch(() => null);
      if (isRevoked === null) left.push(`the key ${info.id}`);
    }
    return left;
  };
  try {
    const common = { mode: 'test', workspaceId: event.workspaceId };
    made.push(
      await api.call('POST', path, { ...common, kind: 'secret', budgets: { serverHolds: null, seasons: null } }),
    );
    const budgets = { buyerHolds: null, buyerReads: null, buyerCalls: null };
    made.push(await api.call('POST', path, { ...common, kind: 'publishable', origins: [origin], budgets }));
    const [secret, publishable] = made.map((each) => each.secret as string) as [string, string];
    if (isCopy) copy = await copyOf(url, secret, event);
    const key = copy ?? event.key;
    return { sale: { url, event: key, secret, publishable, origin, labels: await freeLabels(url, key, secret) }, end };
  } catch (error) {
    await end([]);
    throw error;
  }
}

/** The chart as it is published now, and nothing of the event's sales settings. */
async function copyOf(url: string, secret: string, event: EventRecord): Promise<string> {
  const { chartId, name, currency, timezone, locale } = event;
  const body = {
    chartId,
    name: `Rehearsal of ${name}`.slice(0, 200),
    slug: `rehearsal-${randomText(nameLength).toLowerCase()}`,
  };
  const answer = await call(url, 'POST', '/v1/events', secret, { ...body, currency, timezone, locale });
  if (answer.status === 201) return answer.body.meta.key as string;
  throw new Refused(`No copy of ${event.key} could be made. ${answer.body?.code}: ${answer.body?.message}`);
}

/** An answer names only the seats that are not free. */
async function freeLabels(url: string, key: string, secret: string): Promise<string[]> {
  const [units, objects] = await Promise.all([
    call(url, 'GET', `/v1/events/${key}/units`, secret),
    call(url, 'GET', `/v1/events/${key}/objects`, secret),
  ]);
  const taken = (objects.body?.seats ?? {}) as Record<string, string>;
  const labels = ((units.body?.units ?? []) as string[]).filter((label) => (taken[label] ?? 'free') === 'free');
  if (labels.length > 0) return labels;
  const code = units.body?.code ?? objects.body?.code;
  throw new Refused(`${key} has no free seat to rehearse with${code === undefined ? '' : ` (${code})`}.`);
}

async function cancel(url: string, key: string, secret: string, bookings: readonly string[]): Promise<string[]> {
  const left: string[] = [];
  const waiting = bookings.values();
  const work = async (): Promise<void> => {
    for (const bookingRef of waiting) {
      const answer = await call(url, 'POST', `/v1/events/${key}/unbook`, secret, { bookingRef }).catch(() => null);
      if (answer?.status !== 200) left.push(`the booking ${bookingRef}`);
    }
  };
  await Promise.all(Array.from({ length: unbooksAtOnce }, work));
  return left;
}
