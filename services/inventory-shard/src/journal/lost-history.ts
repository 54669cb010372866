/**
 * The history that an event lost (I9), as far as the catalog's parts, the parts behind a gap and a snapshot prove it.
 * Links tell which parts follow each other, so a part of another history is never taken for one of these.
 *
 * - `parts` follow the journal's last part, one after the other. They are restored as they were.
 * - `proven` is the last state that evidence proves otherwise: behind a snapshot, or in a history that parted from the
 *   journal's. Only its bookings are restored.
 */
import type { Plan } from '@parterre/shared/charts/plan';
import type { PlanSource } from '@parterre/shared/charts/plans/plans';
import { Fault } from '@parterre/shared/protocol/errors';
import { isSameLink, type Link, linkOf, textOfLink } from '@parterre/shared/protocol/journal/links';
import { linkAfter, readGroup, readPartHead } from '@parterre/shared/protocol/journal/messages';
import type { EventGroup } from '@parterre/shared/protocol/records';
import { type EventState, newState } from '../rules/state/state.ts';
import { foldGroupInSteps, fromSnapshotInSteps, type Snapshot } from '../rules/turn/turn.ts';
import type { PlacedData } from './journal-reader.ts';
import type { Evidence } from './lost-records.ts';
import { inSlices, type Turn } from './slices.ts';

/** A place in an event's history: the sequence of a part, and the event's link behind it. */
export type EventPlace = { version: number; link: Link };

/**
 * The event as the journal has it, up to the first gap, and its evidence that the journal lacks. `origin`: the place of
 * the state's last part in the lost history; of a restored part the place that the lost part had. `passedOver`: the
 * parts behind the gap. `lostTo`: the highest sequence that a part or evidence names. `stored`: the newest snapshot.
 */
export type SalvagedEvent = {
  state: EventState | null;
  link: Link;
  origin: EventPlace;
  lost: Evidence[];
  passedOver: PlacedData[];
  lostTo: number;
  stored: { snapshot: Snapshot; link: Link } | null;
};

/** `state`: the salvaged state with the parts. Null where neither the journal nor a part has the event. */
export type LostHistory = { parts: PlacedData[]; state: EventState | null; proven: EventState | null };

export type LostHistoryPorts = { plans: PlanSource; turn: Turn };

/** Folds the parts into the salvaged state. `counted`: all parts of the event that the catalog has. */
export async function lostHistoryOf(
  ports: LostHistoryPorts,
  eventKey: string,
  salvaged: SalvagedEvent,
  counted: readonly PlacedData[],
): Promise<LostHistory> {
  const known = knownParts([...counted, ...salvaged.passedOver]);
  const parts = partsBehind(salvaged.origin, known);
  const state = await foldAll(ports, eventKey, salvaged.state, parts);
  const end = endOf(salvaged.origin, parts);
  return { parts, state, proven: await provenBeside(ports, eventKey, salvaged, known, end) };
}

/** By the link that each part names: the parts that may follow. */
type KnownParts = ReadonlyMap<string, PlacedData>;

function knownParts(parts: readonly PlacedData[]): KnownParts {
  const known = new Map<string, PlacedData>();
  for (const part of parts) {
    const before = textOfLink(readPartHead(part.data).link);
    if (!known.has(before)) known.set(before, part);
  }
  return known;
}

/** The parts that follow this place, one after the other. A link names the whole history before it. */
function partsBehind(place: EventPlace, known: KnownParts): PlacedData[] {
  const parts: PlacedData[] = [];
  let part = known.get(textOfLink(place.link));
  while (part) {
    parts.push(part);
    part = known.get(textOfLink(linkAfter(part.data)));
  }
  return parts;
}

function endOf(place: EventPlace, parts: readonly PlacedData[]): EventPlace {
  const last = parts.at(-1);
  return last ? { version: last.sequence, link: linkAfter(last.data) } : place;
}

/** Null where all evidence of the loss ends at `end`, in the restored parts. */
async function provenBeside(
  ports: LostHistoryPorts,
  eventKey: string,
  { lost, stored }: SalvagedEvent,
  known: KnownParts,
  end: EventPlace,
): Promise<EventState | null> {
  const isLost = (source: string) => lost.some((evidence) => evidence.source === source);
  const fromSnapshot = stored && isLost('snapshot') ? { version: stored.snapshot.version, link: stored.link } : null;
  const fromFirst = isLost('catalog') ? { version: 0, link: linkOf(eventKey) } : null;
  const beginnings = [fromSnapshot, fromFirst].filter((place) => place !== null);
  const histories = beginnings.map((place) => ({ place, parts: partsBehind(place, known) }));
  const ends = histories.map(({ place, parts }) => endOf(place, parts));
  if (ends.some(({ version, link }) => version === end.version && isSameLink(link, end.link))) return null;
  const newest = Math.max(...ends.map(({ version }) => version));
  const chosen = histories[ends.findIndex(({ version }) => version === newest && version > 0)];
  if (!chosen) return null;
  const { plans, turn } = ports;
  const isBehindSnapshot = chosen.place === fromSnapshot;
  const begun = isBehindSnapshot
    ? await inSlices(turn, fromSnapshotInSteps(stored!.snapshot, await plans(stored!.snapshot.config.planHash)))
    : null;
  return foldAll(ports, eventKey, begun, chosen.parts);
}

async function foldAll(
  { plans, turn }: LostHistoryPorts,
  eventKey: string,
  from: EventState | null,
  parts: readonly PlacedData[],
): Promise<EventState | null> {
  let state = from;
  for (const { sequence, data } of parts) {
    const group = readGroup(data);
    const plan: Plan = state?.plan.hash === group.plan ? state.plan : await plans(group.plan);
    state ??= beginState(group, eventKey, plan);
    // The sequence of a restored part may be above the lost ones.
    await inSlices(turn, foldGroupInSteps(state, group, Math.max(sequence, state.version + 1), plan));
  }
  return state;
}

export function beginState({ records }: EventGroup, eventKey: string, plan: Plan): EventState {
  const first = records[0]?.type === 'restored' ? records[1] : records[0];
  if (first?.type !== 'created') throw new Fault(`replay ${eventKey}: its first record is not a created record`);
  return newState(first.config, plan);
}
