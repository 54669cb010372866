/**
 * The seats of several events at once: for each seat the firmest of its states. Events are read one after the other, so
 * that the report of one event alone is in memory beside the result.
 *
 * Failure at each await: an event does not answer → the refusal, and nothing is judged. A sale behind this read is found
 * by the reservation: an import promises no seat.
 */
import type { UnitColumns } from '@parterre/shared/answers';
import type { Plan } from '@parterre/shared/chart/plan';
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import { unitStatus } from '@parterre/shared/records';
import { knownInTime } from '../../admission/admission.ts';
import { type Call, callerOf, inTime } from '../calls/calls.ts';
import { readPieces } from '../reports/reports.ts';
import type { SeatSight, Seats } from './row-judge.ts';

type ServerCall = Call<'server', unknown, null, unknown>;

const free: SeatSight = { status: unitStatus.free, bookedBy: null };

export async function seatsOf(call: ServerCall, eventKeys: readonly string[]): Promise<Outcome<Seats>> {
  const plans: Plan[] = [];
  const taken = new Map<string, SeatSight>();
  for (const [at, eventKey] of eventKeys.entries()) {
    const read = await readEvent(call, eventKey);
    if (!read.ok) return read;
    const { plan, pieces } = read.value;
    if (!plans.some(({ hash }) => hash === plan.hash)) plans.push(plan);
    const booked = new Set<string>();
    for (const piece of pieces) note(plan, piece, at === 0, taken, booked);
    // A seat that another event has sold, and this event has not, has no booking of its own in every event.
    for (const [label, sight] of taken) if (!booked.has(label)) taken.set(label, { ...sight, bookedBy: null });
  }
  return done((label) => {
    if (plans.some(({ labels }) => labels.unitOf(label) === undefined)) return null;
    return taken.get(label) ?? free;
  });
}

function note(
  { labels }: Plan,
  { from, statuses, ownerOf, owners }: UnitColumns,
  isFirst: boolean,
  taken: Map<string, SeatSight>,
  booked: Set<string>,
): void {
  for (const [index, status] of statuses.entries()) {
    if (status === unitStatus.free) continue;
    const label = labels.at(from + index);
    const before = taken.get(label);
    const owner = status === unitStatus.booked ? (owners[ownerOf[index]!] ?? null) : null;
    const isSame = isFirst || (before !== undefined && before.bookedBy === owner);
    if (owner !== null) booked.add(label);
    taken.set(label, { status: firmer(before?.status, status), bookedBy: isSame ? owner : null });
  }
}

/** Booked is firmer than blocked, and blocked than held. */
function firmer(one: number | undefined, other: number): number {
  const order = [unitStatus.free, unitStatus.held, unitStatus.blocked, unitStatus.booked] as readonly number[];
  return one !== undefined && order.indexOf(one) > order.indexOf(other) ? one : other;
}

async function readEvent(call: ServerCall, eventKey: string) {
  const { ports, request, principal } = call;
  const known = await knownInTime(ports, eventKey, request.deadlineAt);
  if (!known.ok) return known;
  const { event } = known.value;
  return readPieces({
    unitsFrom: (from, version) => {
      const command = { type: 'unit-columns' as const, from, ...(version !== undefined && { version }) };
      return ports.shards.submit(event, callerOf(principal), command, request.deadlineAt);
    },
    plan: (hash) => planOf(call, hash),
  });
}

async function planOf(call: ServerCall, hash: string): Promise<Outcome<Plan>> {
  try {
    return await inTime(call, call.ports.plans(hash).then(done));
  } catch (error) {
    call.ports.onFault(error, call.request.requestId);
    return refuse('catalog_unavailable', 'The chart cannot be read at present. Try again.', { retryable: true });
  }
}
