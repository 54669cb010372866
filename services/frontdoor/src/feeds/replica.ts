/**
 * A copy of one event's inventory (I7): a view from the actor, and every change after it. The picture (picture.ts) has
 * each audience's view of it. The teller (teller.ts) tells viewers the changes. Picture and teller take a change within
 * the same turn. The only awaits are for the view, and for the event's latest version.
 *
 * States: loading → live ⇄ catching up → closed. A change whose `from` differs from the replica's version means that a
 * change was missed. The replica then keeps changes back, asks for the view again, and viewers get the difference as
 * one delta. If the view fails, the replica stays as it is, tells viewers nothing, and asks again while changes are
 * kept back. The pause doubles each time, up to RETRY_MS_MAX. A check (`check`) also asks again. The replica ignores a
 * view older than itself, since versions only grow. A change that moves the event to another chart, or that assigns
 * units anew, counts as missed: only the view has the new state, and viewers begin again with a snapshot.
 *
 * A reader may expect the version of an answer (actor-version.ts). If the announcement is lost, the replica asks for
 * the view. If this fails, the reader gets the state of before.
 *
 * Stale: the event is halted (I9), as a check or a view tells. The replica stays at its last known state, or takes the
 * older state of a snapshot if it had none, and viewers get a snapshot that says so. A check that succeeds ends this:
 * the replica asks for the view, and viewers get a snapshot without the mark.
 *
 * If the actor does not tell its version, the replica assumes that it misses nothing, and the next check asks again. A
 * caller that waits to catch up learns that this failed.
 */

import type { Plan } from '@parterre/shared/charts/plan';
import { noScopes, type ScopesInForce } from '@parterre/shared/charts/scopes';
import type { EventView } from '@parterre/shared/protocol/answers';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import type { FeedChange } from '@parterre/shared/protocol/feed-change';
import { unitOf } from '@parterre/shared/protocol/money';
import { unpackStatuses } from '@parterre/shared/protocol/packed-statuses';
import type { EventStatus } from '@parterre/shared/protocol/records';
import {
  type Audience,
  channelMapOf,
  HeldTimes,
  jsonWithSeats,
  type Objects,
  objectsOf,
  Picture,
  staleMark,
  type WithSeats,
} from '../pictures/pictures.ts';
import { ActorVersion, ANNOUNCED_MS } from './actor-version.ts';
import type { Frame, Presence } from './frames/frame.ts';
import { History } from './history.ts';
import type { EventShelf, ShelvedBody } from './shelf.ts';
import { type Batch, type BatchVersion, type Crowd, Teller, type TellerPorts, UNITS_PER_KEPT_MS } from './teller.ts';

export type ReplicaPorts = TellerPorts & {
  viewOf(): Promise<Outcome<EventView>>;
  /** The version of the event's last change. The question costs the actor almost nothing. */
  versionOf(): Promise<Outcome<number>>;
  planOf(hash: string): Promise<Plan>;
  onEventStatus(status: EventStatus): void;
  /** The version has grown. */
  onNews(): void;
  onFault(error: unknown): void;
};

/**
 * The most changes kept back while the view is on its way. Beyond this bound changes are dropped, and the replica asks
 * for the view once more.
 */
const KEPT_BACK_MAX = 4_096;
/** The longest pause before a failed view is asked for again. */
const RETRY_MS_MAX = 2_000;
/** The most views that a caller waits for to catch up. A view under way may be older than the wanted version. */
const CATCH_UPS_MAX = 3;
/** How long the body of `GET .../objects` serves for a large event. A viewer resumes from the body's version. */
const OBJECTS_KEPT_MS_MAX = 250;
const LARGE_EVENT_UNITS = 1_000;
/** Reaches whose held units are counted. Past this bound the counts are made anew. */
const HELD_COUNTS_MAX = 64;
/** A count of so many held units serves for a millisecond, at most for OBJECTS_KEPT_MS_MAX. */
const HELD_UNITS_PER_KEPT_MS = 100;

type ObjectsJson = WithSeats<{
  default: Objects['default'];
  hidden: readonly string[];
  closed: readonly string[];
  ga: Record<string, { free: number }>;
  snapshotVersion: number;
  updatedAt: number;
  stale?: true;
}>;

/** `at` is in `Clock.elapsed`. */
type HeldCount = { sight: number; at: number; total: number; byMark: ReadonlyMap<string, number> };

export class Replica {
  version = 0;
  /**
   * Grows whenever an audience may see something new. An answer that was made of one sight serves until the next sight.
   */
  sight = 0;
  updatedAt = 0;
  status: EventStatus = 'active';
  salesPaused = false;
  activeHolds = 0;
  /** How long the last change took from its commit to here; 0 before the first. */
  lagMs = 0;
  /** The event is halted: this is its last known state. */
  isStale = false;
  readonly picture = new Picture();
  private readonly history = new History();
  private readonly teller: Teller;
  private keptBack: FeedChange[] | null = null;
  private catchingUp: Promise<Outcome<true>> | null = null;
  private retryMs = ANNOUNCED_MS;
  private isRetryDue = false;
  private readonly actor: ActorVersion;
  private closed = false;
  readonly held = new HeldTimes();
  private readonly heldIn = new Map<string, HeldCount>();
  /** The time at which the last hold was found to be over (`Clock.elapsed`). */
  private freedAt = Number.NEGATIVE_INFINITY;

  constructor(
    readonly eventKey: string,
    private readonly ports: ReplicaPorts,
    private readonly kept: EventShelf,
  ) {
    this.teller = new Teller(this.picture, this.history, kept, ports);
    this.actor = new ActorVersion(ports.clock, ports.versionOf);
  }

  get plan(): Plan {
    return this.picture.plan;
  }

  get scopes(): ScopesInForce {
    return this.picture.scopes;
  }

  /** Asks for the view and takes it. Concurrent callers share one request. */
  catchUp(): Promise<Outcome<true>> {
    this.catchingUp ??= this.fetchView().finally(() => {
      this.catchingUp = null;
    });
    return this.catchingUp;
  }

  /** The actor has this version. */
  expect(version: number): void {
    if (version > this.actor.expected) this.actor.expected = version;
  }

  isBehind(): boolean {
    return this.version < this.actor.expected;
  }

  async reachExpected(): Promise<void> {
    await this.actor.announced();
    if (this.isBehind()) await this.catchUpNow(this.actor.expected);
  }

  /** Asks for the view if the event's version shows that a change was missed. */
  async check(): Promise<void> {
    const latest = await this.ports.versionOf();
    if (this.closed) return;
    if (isHalted(latest) && this.version > 0) this.turnStale(true);
    if (!latest.ok) return;
    if (this.isStale) await this.catchUp();
    if (latest.value <= this.version || this.closed) return;
    // The announcements of those changes may still be on their way.
    this.ports.clock.after(ANNOUNCED_MS, () => {
      if (latest.value > this.version) this.retryCatchUp();
    });
  }

  /**
   * Catches up at once, to `wanted` if the actor has this version, else to the actor's latest version. Returns whether
   * it reached the version.
   */
  async catchUpNow(wanted = Number.POSITIVE_INFINITY): Promise<boolean> {
    const latest = await this.actor.now(wanted);
    if (!latest.ok) return false;
    const goal = Math.min(wanted, latest.value);
    for (let views = 0; this.version < goal; views++) {
      if (views === CATCH_UPS_MAX || this.closed || !(await this.catchUp()).ok) return false;
    }
    return true;
  }

  private async fetchView(): Promise<Outcome<true>> {
    this.keptBack ??= [];
    const view = await this.ports.viewOf();
    if (isHalted(view) && this.version > 0) {
      this.turnStale(true);
      return this.resume(done(true));
    }
    if (!view.ok) return this.resume(view);
    try {
      this.take(view.value, await this.ports.planOf(view.value.planHash));
      this.turnStale(view.value.stale === true);
      return this.resume(done(true));
    } catch (error) {
      this.ports.onFault(error);
      return this.resume(
        refuse('catalog_unavailable', 'The chart cannot be read at present. Try again.', { retryable: true }),
      );
    }
  }

  /**
   * Stops keeping changes back: applies the kept changes in order, and asks for another view if a change does not fit.
   */
  private resume(outcome: Outcome<true>): Outcome<true> {
    const changes = this.keptBack ?? [];
    this.keptBack = null;
    const retryMs = outcome.ok ? ANNOUNCED_MS : this.retryMs;
    this.retryMs = outcome.ok ? ANNOUNCED_MS : Math.min(2 * retryMs, RETRY_MS_MAX);
    for (const [index, change] of changes.entries()) {
      if (change.to <= this.version) continue;
      if (!this.continues(change)) {
        this.keptBack = changes.slice(index);
        this.retryAfter(retryMs);
        return outcome;
      }
      this.apply(change);
      // A viewer that came in meanwhile does not know the event's new status.
      if (change.eventStatus !== undefined) this.ports.onEventStatus(change.eventStatus);
    }
    return outcome;
  }

  private retryAfter(delayMs: number): void {
    if (this.isRetryDue) return;
    this.isRetryDue = true;
    this.ports.clock.after(delayMs, () => {
      this.isRetryDue = false;
      this.retryCatchUp();
    });
  }

  private retryCatchUp(): void {
    if (this.closed) return;
    this.catchUp().catch(this.ports.onFault);
  }

  private take(view: EventView, plan: Plan): void {
    const known = this.version > 0;
    if (known && view.version <= this.version) return;
    const { picture, history, teller } = this;
    const { status, version, offered, scopes = noScopes } = view;
    const samePlan = known && plan.hash === picture.plan.hash;
    const before = { scopes: picture.scopes, allocation: picture.channels.version };
    const channels = channelMapOf(view.allocation);
    const statuses = unpackStatuses(view.statuses, view.unitCount);
    const units = picture.take(plan, statuses, offered, scopes, channels);
    if (known && status !== this.status) this.ports.onEventStatus(status);
    this.status = status;
    this.salesPaused = view.salesPaused;
    this.activeHolds = view.activeHolds ?? 0;
    picture.bookedValue = view.bookedValue ?? null;
    picture.priceUnit = unitOf(view);
    this.held.startOver(view.heldUntil ?? []);
    this.version = version;
    this.sight++;
    this.updatedAt = view.updatedAt;
    const changed = { scopes: !isSame(before.scopes, scopes), allocation: before.allocation !== channels.version };
    if (samePlan) {
      history.note(version, units);
      teller.note(version, changed);
    } else {
      history.startOver(version);
      teller.startOver(version, changed);
    }
    this.actor.onReached(this.version);
    this.ports.onNews();
  }

  private turnStale(isStale: boolean): void {
    if (this.isStale === isStale) return;
    this.isStale = isStale;
    this.sight++;
    this.kept.clear();
    this.teller.turnStale(isStale);
  }

  onChange(change: FeedChange): void {
    if (this.closed) return;
    if (change.eventStatus !== undefined) this.ports.onEventStatus(change.eventStatus);
    if (this.keptBack !== null) {
      if (this.keptBack.length < KEPT_BACK_MAX) this.keptBack.push(change);
      return;
    }
    if (change.to <= this.version) return;
    if (this.continues(change)) {
      this.apply(change);
      return;
    }
    this.keptBack = [change];
    this.retryCatchUp();
  }

  private continues({ from, plan, allocation }: FeedChange): boolean {
    if (this.version === 0 || from !== this.version || (plan !== undefined && plan !== this.plan.hash)) return false;
    return allocation === undefined || allocation === this.picture.channels.version;
  }

  private apply(change: FeedChange): void {
    const { picture, history, teller } = this;
    picture.set(change.units, change.statuses, change.offered);
    const heldAgain = this.noteHolds(change);
    const scopes = change.scopes !== undefined && !isSame(picture.scopes, change.scopes);
    if (scopes) picture.takeScopes(change.scopes!);
    this.version = change.to;
    this.sight++;
    this.updatedAt = change.at;
    this.lagMs = Math.max(0, this.ports.clock.now() - change.at);
    this.status = change.eventStatus ?? this.status;
    this.salesPaused = change.salesPaused ?? this.salesPaused;
    this.activeHolds = change.activeHolds ?? this.activeHolds;
    picture.bookedValue = change.bookedValue ?? picture.bookedValue;
    history.note(change.to, heldAgain.length === 0 ? change.units : [...change.units, ...heldAgain]);
    teller.note(change.to, { scopes, allocation: false });
    this.actor.onReached(this.version);
    this.ports.onNews();
  }

  /** Returns the units that were shown as free, and whose hold was extended before its end. */
  private noteHolds({ units, heldUntil = [] }: FeedChange): number[] {
    for (const unit of units) this.held.forget(unit);
    const heldAgain = heldUntil.flatMap((hold) => this.held.note(hold));
    this.picture.holdAgain(heldAgain);
    return heldAgain;
  }

  /** A hold that is past its end reads as free, whether or not its expiry has arrived. */
  private freeOver(): void {
    const { clock } = this.ports;
    const over = this.held.due(clock.now());
    if (over.length === 0) return;
    this.picture.free(over);
    this.sight++;
    this.freedAt = clock.elapsed();
  }

  /** The first frames of a viewer. They end at the version that all viewers were told last. */
  firstFrames(crowd: Crowd, resumeFrom: number | null): Frame[] {
    this.freeOver();
    return this.teller.firstFrames(crowd, resumeFrom);
  }

  /** Tells a batch everything at once, also if its turn has not come. A replica that is not loaded tells nothing. */
  bringUp(batch: Batch): void {
    if (this.version > 0) this.teller.bringUp(batch);
  }

  heardAtFirst(): BatchVersion {
    return this.teller.heardAtFirst();
  }

  tellPresence(presence: Presence): void {
    this.teller.tellPresence(presence);
  }

  /** The status of each unit as the audience sees it now. Callers must not write to it. */
  seenBy(audience: Audience): Uint8Array {
    this.freeOver();
    return this.picture.shownTo(audience);
  }

  /**
   * The units that others hold, for a caller whose own holds have these marks. The holds are counted once for each
   * sight and reach: an event may have tens of thousands of held units. For a caller who does not ask live, a count of
   * many serves for a moment longer.
   */
  heldByOthers(audience: Audience, marks: ReadonlySet<string>, isLive: boolean): number {
    this.freeOver();
    const reach = `${audience.words} ${this.picture.inReach(audience).key}`;
    let held = this.heldIn.get(reach);
    if (!held || (held.sight !== this.sight && (isLive || !this.isRecent(held)))) {
      const at = this.ports.clock.elapsed();
      held = { sight: this.sight, at, ...this.held.countByMark(this.picture.shownTo(audience)) };
      if (this.heldIn.size >= HELD_COUNTS_MAX) this.heldIn.clear();
      this.heldIn.set(reach, held);
    }
    let others = held.total;
    for (const mark of marks) others -= held.byMark.get(mark) ?? 0;
    return others;
  }

  private isRecent({ at, total }: HeldCount): boolean {
    const keptFor = this.ports.clock.elapsed() - at;
    return at >= this.freedAt && keptFor < Math.min(OBJECTS_KEPT_MS_MAX, total / HELD_UNITS_PER_KEPT_MS);
  }

  /** The body of `GET .../objects`. Callers get the same object as long as it is kept. */
  objects(audience: Audience, compact: boolean): ShelvedBody<ObjectsJson> {
    this.freeOver();
    const { picture, version: snapshotVersion, updatedAt } = this;
    const name = `objects ${audience.words} ${picture.inReach(audience).key} ${compact}`;
    const known = this.kept.get<ObjectsJson>(name);
    if (known && this.isCurrent(known)) return known;
    const objects = objectsOf(picture.plan, picture.shownTo(audience), audience, compact);
    const { hidden, closed } = picture.scopes;
    const ga = picture.freePlaces(audience);
    const fields = {
      default: objects.default,
      hidden,
      closed,
      ga,
      snapshotVersion,
      updatedAt,
      ...(this.isStale && staleMark),
    };
    const body = jsonWithSeats(fields, objects);
    const made = { version: snapshotVersion, at: this.ports.clock.elapsed(), body };
    this.kept.set(name, made);
    return made;
  }

  private isCurrent({ version, at }: ShelvedBody<string>): boolean {
    if (version === this.version && at >= this.freedAt) return true;
    const { unitCount } = this.plan;
    if (unitCount < LARGE_EVENT_UNITS || version < this.teller.knownSince()) return false;
    const keptFor = this.ports.clock.elapsed() - at;
    return keptFor <= Math.min(OBJECTS_KEPT_MS_MAX, unitCount / UNITS_PER_KEPT_MS);
  }

  close(): void {
    this.closed = true;
    this.teller.close();
    this.kept.clear();
  }
}

function isHalted(outcome: Outcome<unknown>): boolean {
  return !outcome.ok && outcome.refusal.code === 'journal_lost_records';
}

function isSame(a: ScopesInForce, b: ScopesInForce): boolean {
  return String(a.hidden) === String(b.hidden) && String(a.closed) === String(b.closed);
}
