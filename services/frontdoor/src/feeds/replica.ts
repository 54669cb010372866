/**
 * A copy of one event's statuses, kept by listening (I7): a view of the actor, and every change after it. Statuses,
 * version and what viewers were last told stand together here and change in one turn; nothing in here is awaited but
 * the view.
 *
 * States: loading → live ⇄ catching up → closed. A change whose `from` is not our version means that one was missed:
 * changes are then kept back, the view is asked again, and viewers get the difference as one delta. Failure of that
 * await: the replica stays as it is, says so to nobody, and the next change or resync tries again. A view older than
 * ours is not taken: versions only grow. A change that says that the event moved to another chart is treated as one that was
 * missed: only the view tells where the new chart's units stand, and viewers begin again with a snapshot of them.
 */

import type { EventView } from '@parterre/shared/answers';
import type { Plan } from '@parterre/shared/chart/plan';
import { noScopes, type ScopesInForce, scopeStatesOf } from '@parterre/shared/chart/scopes';
import type { Clock } from '@parterre/shared/clock';
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import { resumeDeltasKept } from '@parterre/shared/limits';
import { type EventStatus, type FeedChange, type Offered, unpackStatuses } from '@parterre/shared/records';
import { type Audience, jsonWithSeats, objectsOf } from '../rules/objects.ts';
import { deltaFrame, hiddenFrame, type Scopes, snapshotFrame } from './frames.ts';

export type ReplicaPorts = {
  clock: Clock;
  viewOf(eventKey: string): Promise<Outcome<EventView>>;
  planOf(hash: string): Promise<Plan>;
  /** Sends one frame to every viewer of the event with that audience. */
  publish(eventKey: string, audience: Audience, frame: string): void;
  hasViewers(eventKey: string, audience: Audience): boolean;
  onEventStatus(eventKey: string, status: EventStatus): void;
  onFault(error: unknown): void;
};

/** The longest that changes are gathered before viewers hear of them. The first after a quiet time is told at once. */
const FOLD_MS = 50;
/** Changes kept back while the view is on its way; past it the view is asked once more. */
const KEPT_BACK_MAX = 4_096;
/** Units in all the changes kept for viewers that come back; past it a snapshot is smaller anyway. */
const HISTORY_UNITS_MAX = 250_000;
const audiences: readonly Audience[] = ['buyer', 'server'];

export class Replica {
  plan!: Plan;
  version = 0;
  updatedAt = 0;
  status: EventStatus = 'active';
  salesPaused = false;
  scopes: Scopes = { ...noScopes, byObject: null };
  private statuses: Uint8Array = new Uint8Array(0);
  /** As buyers see them: the same, but for what is listed for resale. Null while nothing was listed since the last view. */
  private toBuyers: Uint8Array | null = null;
  /** The version at which what is hidden or closed last changed: buyers from before it begin again with a snapshot. */
  private scopesSince = 0;
  private scopesTold = true;
  /** Units changed since viewers were last told. */
  private untold = new Set<number>();
  private toldVersion = 0;
  private toldAt = 0;
  private tellDue = false;
  /** Every change after this version is in `history`. */
  private knownSince = 0;
  private historyUnits = 0;
  private history: { to: number; units: readonly number[] }[] = [];
  private keptBack: FeedChange[] | null = null;
  private catchingUp: Promise<Outcome<true>> | null = null;
  private readonly snapshots = new Map<string, string>();
  private closed = false;

  constructor(
    readonly eventKey: string,
    private readonly ports: ReplicaPorts,
  ) {}

  /** Asks for the view and takes it; callers at the same time share one. */
  catchUp(): Promise<Outcome<true>> {
    this.catchingUp ??= this.fetchView().finally(() => {
      this.catchingUp = null;
    });
    return this.catchingUp;
  }

  private async fetchView(): Promise<Outcome<true>> {
    this.keptBack ??= [];
    const view = await this.ports.viewOf(this.eventKey);
    if (!view.ok) return this.resume(view);
    try {
      this.take(view.value, await this.ports.planOf(view.value.planHash));
      return this.resume(done(true));
    } catch (error) {
      this.ports.onFault(error);
      return this.resume(refuse('catalog_unavailable', 'The chart cannot be read just now.', { retryable: true }));
    }
  }

  /** Ends keeping back: what came meanwhile is applied in order, and asks for another view where it does not fit. */
  private resume(outcome: Outcome<true>): Outcome<true> {
    const changes = this.keptBack ?? [];
    this.keptBack = null;
    for (const [index, change] of changes.entries()) {
      if (change.to <= this.version) continue;
      if (!this.continues(change)) {
        this.keptBack = changes.slice(index);
        this.ports.clock.after(FOLD_MS, () => this.retryCatchUp());
        return outcome;
      }
      this.apply(change);
    }
    return outcome;
  }

  private retryCatchUp(): void {
    if (this.closed) return;
    this.catchUp().catch(this.ports.onFault);
  }

  private take(view: EventView, plan: Plan): void {
    const known = this.plan !== undefined;
    if (known && view.version <= this.version) return;
    const statuses = unpackStatuses(view.statuses, view.unitCount);
    const toBuyers = overlaid(statuses, view.offered);
    const samePlan = this.plan?.hash === plan.hash;
    const changed: number[] = [];
    if (samePlan) {
      const [shown, before] = [toBuyers ?? statuses, this.statusesTo('buyer')];
      for (let unit = 0; unit < statuses.length; unit++) {
        if (statuses[unit] !== this.statuses[unit] || shown[unit] !== before[unit]) changed.push(unit);
      }
    }
    this.plan = plan;
    this.statuses = statuses;
    this.toBuyers = toBuyers;
    this.updatedAt = view.updatedAt;
    if (known && view.status !== this.status) this.ports.onEventStatus(this.eventKey, view.status);
    this.status = view.status;
    this.salesPaused = view.salesPaused;
    this.version = view.version;
    this.takeScopes(view.scopes ?? noScopes, view.version);
    this.snapshots.clear();
    if (samePlan) this.note(view.version, changed);
    else this.startOver();
  }

  /** Another chart: viewers begin again with a snapshot. */
  private startOver(): void {
    this.knownSince = this.version;
    this.toldVersion = this.version;
    this.history = [];
    this.historyUnits = 0;
    this.untold.clear();
    this.scopesTold = true;
    for (const audience of audiences) {
      if (this.ports.hasViewers(this.eventKey, audience)) {
        this.ports.publish(this.eventKey, audience, this.snapshot(audience));
      }
    }
  }

  onChange(change: FeedChange): void {
    if (this.closed) return;
    if (change.eventStatus !== undefined) this.ports.onEventStatus(this.eventKey, change.eventStatus);
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

  private continues({ from, plan }: FeedChange): boolean {
    return from === this.version && (plan === undefined || plan === this.plan.hash);
  }

  private apply(change: FeedChange): void {
    for (let index = 0; index < change.units.length; index++) {
      this.statuses[change.units[index]!] = change.statuses[index]!;
      if (this.toBuyers) this.toBuyers[change.units[index]!] = change.statuses[index]!;
    }
    this.toBuyers = overlaid(this.statuses, change.offered, this.toBuyers);
    this.version = change.to;
    this.updatedAt = change.at;
    this.status = change.eventStatus ?? this.status;
    this.salesPaused = change.salesPaused ?? this.salesPaused;
    if (change.scopes) this.takeScopes(change.scopes, change.to);
    this.snapshots.clear();
    this.note(change.to, change.units);
  }

  private takeScopes({ hidden, closed }: ScopesInForce, version: number): void {
    const byObject = scopeStatesOf(this.plan, { hidden, closed });
    const isSame = String(hidden) === String(this.scopes.hidden) && String(closed) === String(this.scopes.closed);
    this.scopes = { hidden, closed, byObject };
    if (isSame) return;
    this.scopesSince = version;
    this.scopesTold = false;
  }

  private note(to: number, units: readonly number[]): void {
    for (const unit of units) this.untold.add(unit);
    this.history.push({ to, units });
    this.historyUnits += units.length;
    while (this.history.length > resumeDeltasKept || this.historyUnits > HISTORY_UNITS_MAX) {
      const oldest = this.history.shift()!;
      this.historyUnits -= oldest.units.length;
      this.knownSince = oldest.to;
    }
    if (this.tellDue) return;
    this.tellDue = true;
    const quietFor = this.ports.clock.now() - this.toldAt;
    this.ports.clock.after(Math.max(0, FOLD_MS - quietFor), () => this.tell());
  }

  /** Tells viewers all that they have not heard, as one frame an audience. */
  tell(): void {
    this.tellDue = false;
    if (this.closed || this.toldVersion === this.version) return;
    this.toldAt = this.ports.clock.now();
    this.toldVersion = this.version;
    for (const audience of audiences) {
      if (this.ports.hasViewers(this.eventKey, audience)) this.tellAudience(audience);
    }
    this.scopesTold = true;
    this.untold.clear();
  }

  /** With other scopes hidden or closed what buyers see of many units has changed: they get all of it. */
  private tellAudience(audience: Audience): void {
    const publish = (frame: string): void => this.ports.publish(this.eventKey, audience, frame);
    if (!this.scopesTold) publish(hiddenFrame(this.scopes));
    if (!this.scopesTold && audience === 'buyer') publish(this.snapshot(audience));
    else publish(deltaFrame(this.plan, this.statusesTo(audience), this.version, audience, this.untold, this.scopes));
  }

  /** The first frame of a viewer: what changed since the version it had, where that is known, else everything. */
  firstFrame(audience: Audience, resumeFrom: number | null): string {
    const since = Math.max(this.knownSince, this.scopesSince);
    if (resumeFrom === null || resumeFrom < since || resumeFrom > this.version) return this.snapshot(audience);
    const units = new Set<number>();
    for (const change of this.history) {
      if (change.to > resumeFrom) for (const unit of change.units) units.add(unit);
    }
    return deltaFrame(this.plan, this.statusesTo(audience), this.version, audience, units, this.scopes, true);
  }

  private snapshot(audience: Audience): string {
    return this.cached(`snapshot ${audience}`, () =>
      snapshotFrame(this.plan, this.statusesTo(audience), this.version, audience, this.scopes),
    );
  }

  /** The body of `GET .../objects`. */
  objectsJson(audience: Audience, compact: boolean): string {
    return this.cached(`objects ${audience} ${compact}`, () => {
      const objects = objectsOf(this.plan, this.statusesTo(audience), audience, compact, this.scopes.byObject);
      const { version: snapshotVersion, updatedAt } = this;
      const { hidden, closed } = this.scopes;
      const fields = { default: objects.default, hidden, closed, ga: objects.ga, snapshotVersion, updatedAt };
      return jsonWithSeats(fields, objects);
    });
  }

  private statusesTo(audience: Audience): Uint8Array {
    return audience === 'buyer' ? (this.toBuyers ?? this.statuses) : this.statuses;
  }

  private cached(name: string, make: () => string): string {
    const known = this.snapshots.get(name);
    if (known !== undefined) return known;
    const made = make();
    this.snapshots.set(name, made);
    return made;
  }

  close(): void {
    this.closed = true;
  }
}

/** What buyers see of these statuses: `shown` where they have an array of their own already, else a copy where one is needed. */
function overlaid(
  statuses: Uint8Array,
  offered: Offered | undefined,
  shown: Uint8Array | null = null,
): Uint8Array | null {
  if (!offered) return shown;
  const overlay = shown ?? statuses.slice();
  for (const [index, unit] of offered.units.entries()) overlay[unit] = offered.statuses[index]!;
  return overlay;
}
