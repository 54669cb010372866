/**
 * The operator opens an event without the records that its journal has lost (I9). Only the owner appends, so the owner
 * does this. Versions and sequences never run backwards: whoever saw the lost history sees only higher ones behind the
 * break.
 *
 * States: occupied → salvaged → filled → appended → noted → loaded.
 *
 * - Occupied: the event's actor loads nothing, and nobody else appends for the event. Its callers get
 *   `journal_lost_records`, or wait in the mailbox where nobody knew of the loss yet.
 * - Salvaged: the journal is read up to the gap, and every evidence is judged anew. An event that lacks nothing is
 *   loaded as ever.
 *   Parts behind the gap are given up only at the operator's word: their seats would be sold again.
 * - Filled: where the stream ends before the highest sequence that evidence names, commits without a part fill it up.
 *   The sales of other events go first.
 * - Appended: a part with the `accepted` record follows the last part before the gap. Of an event without a part the
 *   settings come from its snapshot. Without that too, the event's next `create` makes it anew.
 * - Noted: the evidence of the lost history is overruled (journal/accepted-losses.ts).
 * - Loaded: the event sells. Its next snapshot replaces the one of the lost history.
 *
 * Failure: until the part is durable nothing has changed but the length of the stream, and the event stays halted. If
 * the part is durable and the note fails, the event stays halted too, and the command is given again. If the load
 * fails, the event is in trouble like any other. When the term ends meanwhile, the caller asks the next owner.
 */
import { linkOf } from '@parterre/shared/protocol/journal/links';
import { acceptFillersMax } from '@parterre/shared/protocol/limits';
import type { AcceptedLoss, LossToAccept } from '@parterre/shared/protocol/loss-acceptance';
import type { JournalRecord, Part } from '@parterre/shared/protocol/records';
import { type Clock, pause } from '@parterre/shared/runtime/clock';
import type { Logger } from '@parterre/shared/runtime/log';
import {
  type AcceptedLosses,
  type EventLoader,
  freeze,
  type Journal,
  type Remembered,
  type SalvagedEvent,
} from '../journal/journal.ts';
import { type Actor, isSettled } from './actor.ts';
import type { ActorPool } from './actor-pool.ts';
import {
  acceptanceLoadMs,
  acceptanceLookMs,
  acceptanceNoteTries,
  acceptanceSayMs,
  acceptanceWaitMs,
} from './bounds.ts';
import type { Pipeline } from './pipeline/pipeline.ts';
import type { TroubledEvents } from './troubled-events.ts';

export type Acceptance = AcceptedLoss | { refused: string };

/** The progress of the fillers. */
export type SayFilled = (filled: number, of: number) => void;

export type AcceptancePorts = {
  clock: Clock;
  log: Logger;
  loader: Pick<EventLoader, 'salvage'>;
  accepted: AcceptedLosses;
  remembered: Remembered;
  troubles: TroubledEvents;
  pool: ActorPool;
  pipeline: Pipeline;
  journal: Journal;
  hasEnded(): boolean;
};

type FillPorts = Pick<AcceptancePorts, 'clock' | 'journal' | 'pipeline' | 'hasEnded'>;

export const giveUpHint =
  ', which cannot be read without the lost ones. Their seats would be sold again. Restore a backup, or add --give-up.';
export const ended = { refused: 'The owner of the partition has changed meanwhile. Give the command again.' };
export const nothingLost = { refused: 'The journal has every record of this event that anybody knows of.' };

export function acceptLoss(ports: AcceptancePorts, loss: LossToAccept, say: SayFilled): Promise<Acceptance> {
  return decideOn(ports, loss.eventKey, (occupant) => acceptIn(ports, occupant, loss, say));
}

/** Keeps the event occupied until the decision has ended. */
export async function decideOn<T>(
  ports: Pick<AcceptancePorts, 'clock' | 'pool' | 'hasEnded'>,
  eventKey: string,
  decide: (occupant: Actor) => Promise<T>,
): Promise<T | { refused: string }> {
  const occupant = await occupy(ports, eventKey);
  if ('refused' in occupant) return occupant;
  occupant.isHeld = true;
  try {
    return await decide(occupant);
  } finally {
    occupant.isHeld = false;
    // Whatever came of it: the event is loaded anew, and halts again where the loss stands.
    if (ports.pool.has(occupant) && occupant.groupsInFlight === 0) ports.pool.reload(occupant);
  }
}

/** An event that is served has lost nothing. */
async function occupy(
  { clock, pool, hasEnded }: Pick<AcceptancePorts, 'clock' | 'pool' | 'hasEnded'>,
  eventKey: string,
) {
  const isBusy = (actor: Actor | undefined): boolean => (actor?.groupsInFlight ?? 0) > 0 || !!actor?.anchor;
  while (isBusy(pool.find(eventKey)) && !hasEnded()) await pause(clock, acceptanceLookMs);
  if (hasEnded()) return ended;
  return pool.find(eventKey)?.phase === 'ready' ? nothingLost : pool.occupy(eventKey);
}

async function acceptIn(
  ports: AcceptancePorts,
  occupant: Actor,
  { eventKey, reason, above, givesUp }: LossToAccept,
  say: SayFilled,
): Promise<Acceptance> {
  const { clock, loader, log } = ports;
  const salvaged = await loader.salvage(eventKey);
  if (salvaged.lost.length === 0) return nothingLost;
  if (!salvaged.state && !salvaged.stored && salvaged.passedOver.length > 0) {
    return { refused: 'The first records of the event are lost, and no snapshot has its settings. Restore a backup.' };
  }
  if (salvaged.passedOver.length > 0 && !givesUp) {
    return {
      refused: `Behind the gap the journal has later changes of ${eventKey} (${salvaged.passedOver.length})${giveUpHint}`,
    };
  }
  const filled = await fill(ports, Math.max(salvaged.lostTo, above), say);
  if ('refused' in filled) return filled;
  const lostTo = Math.max(salvaged.lostTo, above);
  const lostFrom = (salvaged.state?.version ?? 0) + 1;
  const part = partOf(eventKey, salvaged, { lostFrom, lostTo, reason, at: clock.now() });
  const written = part && (await append(ports, occupant, part));
  if (part && !written) return ended;
  const version = written?.sequence ?? 0;
  const accepted = { version, lostFrom, lostTo, passedOver: salvaged.passedOver.length, fillers: filled.fillers };
  log.warn({ eventKey, reason, ...accepted }, 'an operator opens the event without the records that the journal lost');
  return (await open(ports, occupant, lostTo)) ?? accepted;
}

/** Overrules the evidence of the lost history, and loads the event. */
export async function open(
  ports: AcceptancePorts,
  occupant: Actor,
  lostTo: number,
): Promise<{ refused: string } | null> {
  const { remembered, troubles, pool } = ports;
  const { eventKey } = occupant;
  if (!(await note(ports, eventKey, lostTo))) {
    return { refused: 'The journal has the decision, but NATS does not keep the note. Give the command again.' };
  }
  remembered.forget(eventKey);
  troubles.clear(eventKey);
  if (!pool.has(occupant)) return null;
  pool.reload(occupant);
  if (occupant.acknowledged) await loaded(ports, eventKey);
  return null;
}

/** Until the stream ends behind `to`. The sales of other events go first. */
export async function fill(
  { clock, journal, pipeline, hasEnded }: FillPorts,
  to: number,
  say: SayFilled,
): Promise<{ fillers: number; last: number } | { refused: string }> {
  const from = journal.nextSequence;
  const fillers = Math.max(0, to - from + 1);
  if (fillers > acceptFillersMax) {
    return {
      refused: `The stream ends ${fillers} messages before ${to}: more than ${acceptFillersMax} are not filled.`,
    };
  }
  let sayAt = clock.elapsed();
  while (!pipeline.fill(to)) {
    if (hasEnded()) return ended;
    if (clock.elapsed() >= sayAt) {
      say(journal.nextSequence - from, fillers);
      sayAt = clock.elapsed() + acceptanceSayMs;
    }
    await pause(clock, acceptanceLookMs);
  }
  return { fillers, last: journal.nextSequence - 1 };
}

type Break = { lostFrom: number; lostTo: number; reason: string; at: number };

/** Null for an event without a record and without settings. */
function partOf(eventKey: string, salvaged: SalvagedEvent, { at, ...loss }: Break): Part | null {
  const by = { source: 'operator', actor: null } as const;
  const accepted: JournalRecord = { type: 'accepted', ...loss, by };
  const { state, link, stored } = salvaged;
  if (state) {
    const { version, plan } = state;
    return { event: eventKey, from: version, at: Math.max(at, state.at), plan: plan.hash, link, records: [accepted] };
  }
  if (!stored) return null;
  const { config } = stored.snapshot;
  const records: JournalRecord[] = [{ type: 'created', config, by }, accepted];
  return { event: eventKey, from: 0, at, plan: config.planHash, link: linkOf(eventKey), records };
}

/** The place of the durable part; null when the term has ended or another owner has appended. */
export async function append(
  { clock, pool, pipeline, hasEnded }: AcceptancePorts,
  occupant: Actor,
  part: Part,
): Promise<Actor['acknowledged']> {
  if (!pool.has(occupant)) return null;
  const before = occupant.acknowledged;
  occupant.anchor = part;
  pipeline.wake(occupant);
  const endsAt = clock.elapsed() + acceptanceWaitMs;
  while (occupant.acknowledged === before) {
    if (hasEnded() || !pool.has(occupant) || clock.elapsed() >= endsAt) return null;
    await pause(clock, acceptanceLookMs);
  }
  return occupant.acknowledged;
}

async function note({ accepted, clock, log }: AcceptancePorts, eventKey: string, lostTo: number): Promise<boolean> {
  for (let tries = 1; tries <= acceptanceNoteTries; tries++) {
    try {
      await accepted.note(eventKey, lostTo);
      return true;
    } catch (error) {
      log.warn({ err: error, eventKey }, 'the accepted loss cannot be noted yet');
      await pause(clock, acceptanceSayMs);
    }
  }
  return false;
}

/** Waits for the event, and stores a snapshot of it. A load that takes longer goes on by itself. */
async function loaded({ clock, pool, hasEnded }: AcceptancePorts, eventKey: string): Promise<void> {
  const endsAt = clock.elapsed() + acceptanceLoadMs;
  while (!hasEnded() && clock.elapsed() < endsAt) {
    const actor = pool.get(eventKey);
    if (isSettled(actor)) {
      await pool.store(actor, freeze(actor.state!, actor.link));
      return;
    }
    await pause(clock, acceptanceSayMs);
  }
}
