/**
 * An event whose chart changes again and again while its seats sell. In the end every acknowledged booking owns its
 * seats on the last chart, and front doors serve the event that the journal has. A call may get no answer, a conflict
 * or a retryable refusal, and a hold may name seats that the present chart lacks. Any other answer is a violation.
 */
import { heldLines } from '../../../services/inventory-shard/src/rules/state/holding.ts';
import type { FoldedEvent } from '../../support/partition/journal-fold.ts';
import { type Access, call } from './aftermath.ts';

const row = (label: string, seatCount: number) => ({
  type: 'row',
  id: `row-${label}`,
  label,
  origin: { x: 0, y: label.charCodeAt(0) },
  rotation: 0,
  curve: 0,
  seatCount,
  seatSpacing: 20,
  categoryKey: 'all',
});
const document = (...objects: unknown[]) => ({
  version: 1,
  name: 'Hall',
  venueType: 'SIMPLE',
  focalPoint: { x: 0, y: 0 },
  categories: [{ key: 'all', label: 'All', color: '#112233', price: 50 }],
  objects,
});
/** The second document lacks the seats of row A that are only ever held, and numbers the other units anew. */
const documents = [document(row('A', 60), row('B', 60)), document(row('B', 60), row('C', 5), row('A', 40))];

const sellers = 4;
/** Both charts have rows A (1 to 40) and B. Seats of the first chart are held for a moment only. */
const commonSeats = 40;
const momentMs = 30;

// biome-ignore lint/suspicious/noExplicitAny: a client reads answers without types.
type Answer = { status: number; body: any } | null;

export type ChangingChart = {
  eventKey: string;
  /** Publishes the next document, and gives it to the event. Whether the event took it. */
  change(): Promise<boolean>;
  /** The confirmed bookings so far. */
  bookings(): number;
  stop(): Promise<void>;
  violationsIn(event: FoldedEvent): Promise<string[]>;
};

/** `urls` are front doors; every call picks the next one. */
export async function openChangingChart(urls: readonly string[], access: Access): Promise<ChangingChart> {
  const violations: string[] = [];
  const booked = new Map<string, string>();
  const made = await call<{ meta: { id: string } }>(access, 'POST', '/v1/charts', { name: 'Hall', doc: documents[0] });
  const chart = `/v1/charts/${made.meta.id}`;
  await call(access, 'POST', `${chart}/publish`);
  const created = await call<{ meta: { key: string } }>(access, 'POST', '/v1/events', { chartId: made.meta.id });
  const eventKey = created.meta.key;
  const event = `/v1/events/${eventKey}`;
  let calls = 0;
  let isOver = false;

  async function ask(method: string, path: string, body?: unknown): Promise<Answer> {
    const headers = { Authorization: `Bearer ${access.token}`, 'Content-Type': 'application/json' };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    try {
      const response = await fetch(urls[calls++ % urls.length] + path, { method, headers, ...sent });
      const answer: NonNullable<Answer> = { status: response.status, body: await response.json() };
      const isAbsent = answer.body.code === 'unknown_labels' && path.endsWith('/hold');
      if (response.ok || isAbsent || [409, 503, 504].includes(answer.status)) return answer;
      violations.push(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer;
    } catch {
      return null;
    }
  }

  async function sell(seller: number): Promise<void> {
    for (let n = 0; !isOver; n++) {
      const seat = `${n % 2 === 0 ? 'A' : 'B'}-${1 + ((seller * 10 + (n >> 1)) % commonSeats)}`;
      const bookingRef = `order-${seller}-${n}`;
      const answer = await ask('POST', `${event}/book`, { labels: [seat], bookingRef });
      if (answer?.status === 200) for (const label of answer.body.booked) booked.set(label, bookingRef);
      await ask('POST', `${event}/hold`, { labels: [`A-${commonSeats + 1 + (n % 20)}`], ttlMs: momentMs });
    }
  }
  const selling = Array.from({ length: sellers }, (_, seller) => sell(seller));

  let changes = 0;
  return {
    eventKey,
    async change() {
      const stored = await ask('GET', chart);
      const expectedUpdatedAt = stored?.body.meta?.updatedAt;
      if (expectedUpdatedAt === undefined) return false;
      const doc = documents[++changes % documents.length];
      await ask('PUT', chart, { doc, expectedUpdatedAt });
      await ask('POST', `${chart}/publish`);
      return (await ask('POST', `${event}/update-chart`))?.status === 200;
    },
    bookings: () => booked.size,
    async stop() {
      isOver = true;
      await Promise.all(selling);
    },
    async violationsIn({ state, violations: folded }) {
      const owners = new Map<string, string>();
      for (const booking of state.bookings.values()) {
        for (const { unit } of heldLines(state, booking)) owners.set(state.plan.labels.at(unit), booking.ref);
      }
      const lost = [...booked].filter(([label, ref]) => owners.get(label) !== ref);
      const served = await call<{ counts: { booked: number } }>(access, 'GET', event);
      const shown = await call<{ doc: { objects: object[] } }>(access, 'GET', `${event}/chart`);
      const objects = state.plan.objects.length;
      return [
        ...violations,
        ...folded,
        ...lost.map(([label, ref]) => `${ref} has lost ${label} to ${owners.get(label)}`),
        ...(served.counts.booked === owners.size ? [] : [`${served.counts.booked} seats are served as booked`]),
        ...(shown.doc.objects.length === objects ? [] : [`the served chart has ${shown.doc.objects.length} objects`]),
      ];
    },
  };
}
