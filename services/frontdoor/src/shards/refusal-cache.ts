/**
 * Refusals of sold units that this front door gives by itself. An owner that refuses a hold of a booked unit may pledge
 * that the refusal stands for some milliseconds: until then it carries out nothing that could change the refusal
 * (partition/intake/pledges.ts of the shard). The pledge holds for the event. The front door keeps the refused units of
 * an event, and refuses plain holds of these units while a pledge runs.
 *
 * States of an event: unknown → pledged (until `until`) → lapsed → pledged. Under the same epoch and number of changes
 * the known units stay known. Under another epoch or number the known units are forgotten, since a unit may have been
 * freed meanwhile.
 *
 * A hold gets its refusal here only at its first asking. A repetition under the same name goes to the owner, which may
 * have granted the hold before (I5).
 *
 * In the second half of a pledge, one hold asks the owner. Its answer brings the next pledge. All other holds are
 * refused here. If the answer is lost, the pledge lapses and all holds ask.
 *
 * The time counts from the arrival of the request that was answered, which is before the owner's decision. A front door
 * that was stopped finds the pledge lapsed when it looks at its clock. A caller is thus refused only with an answer
 * that the owner would give at the same moment.
 */
import type { Caller, Command, Stand } from '@parterre/shared/protocol/commands';
import type { Refusal } from '@parterre/shared/protocol/errors';
import { requestDeadlineMs, standingRefusalsMax } from '@parterre/shared/protocol/limits';
import { spellOnce } from '../answers/answers.ts';
import type { WaitingCommand } from './waiting-commands.ts';

export type Refused = { ok: false; refusal: Refusal };
/** By label. */
type Refusals = Map<string, Refused>;
/** Times are in `Clock.elapsed`. Callers of different sources may get different refusals. */
type RefusalsOfEvent = {
  epoch: number;
  changes: number;
  until: number;
  askAt: number;
  known: Partial<Record<Caller['source'], Refusals>>;
};

export class RefusalCache {
  readonly #events = new Map<string, RefusalsOfEvent>();
  #kept = 0;
  #told = 0;

  /** The number of refusals that `find` has given. */
  get told(): number {
    return this.#told;
  }

  /** The refusal of this hold, or null if its owner must be asked. */
  find(eventKey: string, caller: Caller, hold: Command & { type: 'hold' }, now: number): Refused | null {
    const event = this.#events.size === 0 ? undefined : this.#events.get(eventKey);
    if (event === undefined || now >= event.until || !isPlain(caller, hold)) return null;
    const refused = event.known[caller.source]?.get(hold.selections[0]!.label);
    if (refused === undefined) return null;
    if (now >= event.askAt) {
      event.askAt = Number.POSITIVE_INFINITY;
      return null;
    }
    this.#told++;
    return refused;
  }

  /** Takes the pledge that came with the refusal of a hold. */
  learn({ envelope, deadlineAt }: WaitingCommand, refusal: Refusal, [ms, epoch, changes]: Stand, now: number): void {
    const { eventKey, caller, command } = envelope;
    // No command waits longer than this, so the request came at this time or later.
    const askedAt = deadlineAt - requestDeadlineMs;
    if (now >= askedAt + ms || command.type !== 'hold') return;
    const event = this.#eventOf(eventKey, epoch, changes);
    if (askedAt + ms > event.until) {
      event.until = askedAt + ms;
      event.askAt = askedAt + ms / 2;
    }
    if (!isPlain(caller, command)) return;
    event.known[caller.source] ??= new Map();
    const known = event.known[caller.source]!;
    const { label } = command.selections[0]!;
    if (!known.has(label)) this.#kept++;
    known.set(label, { ok: false, refusal });
    spellOnce(refusal);
    if (this.#kept + this.#events.size > standingRefusalsMax) this.#forget();
  }

  #eventOf(eventKey: string, epoch: number, changes: number): RefusalsOfEvent {
    const found = this.#events.get(eventKey);
    if (found?.epoch === epoch && found.changes === changes) return found;
    if (found) for (const known of Object.values(found.known)) this.#kept -= known.size;
    const event: RefusalsOfEvent = { epoch, changes, until: 0, askAt: 0, known: {} };
    this.#events.set(eventKey, event);
    return event;
  }

  #forget(): void {
    this.#events.clear();
    this.#kept = 0;
  }
}

/**
 * Whether the refusal of the hold rests on its one label alone. A hold with a name of its caller may have an answer.
 */
function isPlain({ reach, override, session }: Caller, hold: Command & { type: 'hold' }): boolean {
  if (reach !== undefined || override !== undefined || session !== undefined) return false;
  const { selections, replaceHoldId, fingerprint } = hold;
  if (selections.length !== 1 || replaceHoldId !== undefined || fingerprint !== undefined) return false;
  const { tierId, quantity, times } = selections[0]!;
  return tierId === undefined && quantity === undefined && times === undefined;
}
