/**
 * Desks of a box office. Each desk has a booking of two seats and exchanges them again and again for seats that other
 * desks want too. A call without a clear answer is repeated under its Idempotency-Key until the answer is clear, as a
 * clerk would. In the end every booking has the seats that its desk was told, and the journal has each exchange once.
 *
 * States of a call: asked → clear (200, or a conflict), or asked → unclear (503, a lost connection, a twin under way) →
 * asked again. A desk whose call stays unclear for `clearMsMax` is a violation.
 */
import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { FoldedEvent } from '../../support/partition/journal-fold.ts';
import { type Access, call } from './aftermath.ts';

/** The answer to an exchange, without items and money. */
type ExchangeAnswer = { exchangeId: string; from: string[]; to: string[] };

type Desk = { ref: string; seats: string[]; told: ExchangeAnswer[] };

type BoxOffice = {
  /** The exchanges so far. */
  exchanges(): number;
  stop(): Promise<void>;
  /** Violations in the folded journal of the event. */
  violationsIn(event: FoldedEvent): string[];
};

const SEATS_PER_DESK = 2;
const clearMsMax = 45_000;
const againMs = 50;
const thinkMsMax = 60;

/** `urls` are front doors; every try picks one of them. `eventKey` is the desks' own event. */
export async function openBoxOffice(
  urls: readonly string[],
  access: Access,
  { eventKey, seats, desks: count }: { eventKey: string; seats: readonly string[]; desks: number },
): Promise<BoxOffice> {
  const violations: string[] = [];
  const desks = Array.from({ length: count }, (_, n): Desk => {
    return { ref: `desk-${n}`, seats: seats.slice(n * SEATS_PER_DESK, (n + 1) * SEATS_PER_DESK), told: [] };
  });
  for (const { ref, seats: labels } of desks) {
    await call(access, 'POST', `/v1/events/${eventKey}/book`, { labels, bookingRef: ref });
  }
  const exchange = (key: string, body: object) => clearExchange(urls, access, eventKey, { key, body, violations });
  let running = true;

  async function work(desk: Desk): Promise<void> {
    for (let turn = 0; running && violations.length === 0; turn++) {
      const from = desk.seats.slice(0, randomInt(1, SEATS_PER_DESK + 1));
      const body = { bookingRef: desk.ref, from, to: targetOf(seats, desk.seats, from.length) };
      const key = `${desk.ref}-${turn}`;
      const told = await exchange(key, body);
      if (told === null) continue;
      desk.told.push(told);
      desk.seats = [...desk.seats.filter((label) => !told.from.includes(label)), ...told.to];
      const again = randomInt(4) === 0 ? await exchange(key, body) : told;
      if (JSON.stringify(again) !== JSON.stringify(told)) {
        violations.push(`${key} was told ${JSON.stringify(told)}, and then ${JSON.stringify(again)}`);
      }
      await pause(randomInt(thinkMsMax));
    }
  }

  const working = desks.map(work);
  return {
    exchanges: () => desks.reduce((sum, { told }) => sum + told.length, 0),
    async stop() {
      running = false;
      await Promise.all(working);
    },
    violationsIn: (event) => [...violations, ...event.violations, ...differences(event, desks)],
  };
}

/** The clear answer; null for a conflict. */
export async function clearExchange(
  urls: readonly string[],
  { token }: Access,
  eventKey: string,
  { key, body, violations }: { key: string; body: object; violations: string[] },
): Promise<ExchangeAnswer | null> {
  const until = performance.now() + clearMsMax;
  while (performance.now() < until) {
    const answer = await tryOnce(urls[randomInt(urls.length)]!, token, eventKey, key, body);
    if (answer?.status === 200) {
      const { exchangeId, from, to } = answer.body as ExchangeAnswer;
      return { exchangeId, from, to };
    }
    const { code, retryable } = (answer?.body ?? { retryable: true }) as { code?: string; retryable?: boolean };
    if (!retryable && code === 'conflict') return null;
    if (!retryable) {
      violations.push(`${key} was answered ${answer!.status} ${JSON.stringify(answer!.body)}`);
      return null;
    }
    await pause(againMs);
  }
  violations.push(`${key} had no clear answer for ${clearMsMax} ms`);
  return null;
}

/** Mostly named seats, which another desk may have; now and then the event chooses. */
function targetOf(seats: readonly string[], own: readonly string[], qty: number): object {
  if (randomInt(5) === 0) return { bestAvailable: { qty } };
  const others = seats.filter((label) => !own.includes(label));
  const first = randomInt(others.length - qty + 1);
  return { labels: others.slice(first, first + qty) };
}

/** Null for a try without an answer. */
async function tryOnce(
  url: string,
  token: string,
  eventKey: string,
  key: string,
  body: object,
): Promise<{ status: number; body: unknown } | null> {
  try {
    const response = await fetch(`${url}/v1/events/${eventKey}/exchange`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', 'Idempotency-Key': key },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(15_000),
    });
    return { status: response.status, body: await response.json() };
  } catch {
    return null;
  }
}

function differences({ state, entries }: FoldedEvent, desks: readonly Desk[]): string[] {
  const labelsOf = (units: readonly number[]): string =>
    units
      .map((unit) => state.plan.labels.at(unit))
      .sort()
      .join();
  const journaled = entries.flatMap(({ record }) => (record.type === 'exchanged' ? [record] : []));
  const wrong: string[] = [];
  for (const { ref, seats, told } of desks) {
    const has = labelsOf(state.bookings.get(ref)!.lines.map(({ unit }) => unit));
    if (has !== seats.toSorted().join()) wrong.push(`${ref} was told ${seats.toSorted()}, and the journal has ${has}`);
    if (seats.length !== SEATS_PER_DESK) wrong.push(`${ref} has ${seats.length} seats`);
    for (const { exchangeId, from, to } of told) {
      const sides = journaled
        .filter((record) => record.exchangeId === exchangeId)
        .map(({ units, lines }) => `${labelsOf(units)} for ${labelsOf(lines.map(({ unit }) => unit))}`);
      const asTold = `${from.toSorted()} for ${to.toSorted()}`;
      if (String(sides) !== asTold) wrong.push(`${exchangeId} was told as ${asTold}, the journal has ${sides}`);
    }
  }
  const acknowledged = desks.reduce((sum, { told }) => sum + told.length, 0);
  if (journaled.length !== acknowledged) wrong.push(`${journaled.length} exchanges stand for ${acknowledged} told`);
  return wrong;
}
