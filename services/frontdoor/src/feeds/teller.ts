/**
 * Tells the viewers of one event what changed (I7), changes of up to FOLD_MS folded into one frame. Whoever hears the same is a crowd, and
 * a crowd sits in rows of a bounded size: a row is told in one turn of the loop, and the loop goes on between rows. So telling ten
 * thousand keeps no request waiting, and each row hears of all that has happened by its own turn, not by that of the first.
 *
 * States of a row: level → behind → level. It is behind with the first change after its last telling; what it is told is everything
 * since then, made once for all rows that stand alike. Where what is hidden, who may select what, or the chart changed since, or that is
 * longer ago than is known, it begins again with a snapshot. The row that was told longest ago is next.
 * States of the telling: quiet → due → quiet; due from the first row that is behind, until the timer. Nothing is awaited.
 * A viewer that joins is brought to `toldVersion`, which its row may not have heard of yet: what it is sent may show statuses that are newer still,
 * and the next frame of the row repeats them. So its first frame is made once for all who join between two turns.
 */
import type { Clock } from '@parterre/shared/clock';
import { viewersPerTurn } from '@parterre/shared/limits';
import type { Audience } from '../pictures/audience.ts';
import { Changes } from '../pictures/changes.ts';
import type { Picture } from '../pictures/picture.ts';
import { encoders, type Frame, type Presence } from './frames.ts';
import type { History } from './history.ts';
import type { Wire } from './protocols.ts';
import type { Place } from './shelf.ts';

/** Everybody who hears the same of an event, in the same way. */
export type Crowd = { audience: Audience; wire: Wire };

/** What a row has heard, and when (`Clock.elapsed`); the teller alone writes it. */
export type Heard = { version: number; at: number; presence: Presence | null };
export type Row = Crowd & { readonly size: number; readonly heard: Heard };

export type TellerPorts = {
  clock: Clock;
  /** Those who watch the event just now. */
  rows(): Iterable<Row>;
  publish(row: Row, frame: Frame): void;
};

/** The longest that changes are gathered before viewers hear of them. The first after a quiet time is told at once. */
export const FOLD_MS = 50;
/** A snapshot may serve those who come later, with what changed since, for a millisecond per so many units: making one of many units takes long. */
export const UNITS_PER_KEPT_MS = 50;
/** Frames of what changed since some version, kept from one turn to the next. */
const DELTAS_MAX = 256;
/** The longest that the loop waits for frames to be made, but for the last of them. */
const SLICE_MS = 20;

type Since = { units: ReadonlySet<number>; buyer: Changes | null; server: Changes | null };

export class Teller {
  toldVersion = 0;
  private version = 0;
  private settledAt = 0;
  private presence: Presence | null = null;
  private isDue = false;
  private closed = false;
  /** The versions at which what is hidden or closed, and who may select what, last changed: buyers from before begin again. */
  private scopesSince = 0;
  private allocationSince = 0;
  private readonly deltas = new Map<string, Frame>();
  private readonly changes = new Map<number, Since>();

  constructor(
    private readonly picture: Picture,
    private readonly history: History,
    private readonly kept: Place,
    private readonly ports: TellerPorts,
  ) {}

  /** What changed is in the history already. */
  note(version: number, changed: { scopes: boolean; allocation: boolean }): void {
    this.version = version;
    if (changed.scopes) this.scopesSince = version;
    if (changed.allocation) this.allocationSince = version;
    this.arm();
  }

  /** Another chart, or the first one: everybody begins again with a snapshot, at once. */
  startOver(version: number, changed: { allocation: boolean }): void {
    if (changed.allocation && this.version > 0) this.allocationSince = version;
    this.version = version;
    this.kept.clear();
    for (const { heard } of this.ports.rows()) heard.at = 0;
    this.turn();
  }

  /** Told with what else a row is told next. */
  tellPresence(presence: Presence): void {
    this.presence = presence;
    this.arm();
  }

  /** What a row has heard of whose first viewer joins now. */
  heardAtFirst(): Heard {
    return { version: this.toldVersion, at: 0, presence: this.presence };
  }

  private isBehind({ heard }: Row): boolean {
    return heard.version < this.version || heard.presence !== this.presence;
  }

  /** Where nobody watches, those who come are brought to later versions all the same. */
  private arm(): void {
    if (this.isDue || this.closed) return;
    let since = this.toldVersion < this.version ? this.settledAt : Number.POSITIVE_INFINITY;
    for (const row of this.ports.rows()) if (this.isBehind(row)) since = Math.min(since, row.heard.at);
    if (since === Number.POSITIVE_INFINITY) return;
    this.isDue = true;
    this.ports.clock.after(Math.max(0, FOLD_MS - (this.ports.clock.elapsed() - since)), () => {
      this.isDue = false;
      this.turn();
    });
  }

  private turn(): void {
    if (this.closed) return;
    this.settle();
    const startedAt = this.settledAt;
    const behind = [...this.ports.rows()].filter((row) => this.isBehind(row)).sort((a, b) => a.heard.at - b.heard.at);
    let viewers = 0;
    for (const row of behind) {
      if (row.heard.at + FOLD_MS > startedAt) break;
      this.tell(row);
      viewers += row.size;
      if (viewers >= viewersPerTurn || this.ports.clock.elapsed() - startedAt >= SLICE_MS) break;
    }
    this.arm();
  }

  /** All that a row has not heard. */
  private tell(row: Row): void {
    const { audience, wire, heard } = row;
    const encoder = encoders[wire];
    const since = heard.version;
    heard.version = this.toldVersion;
    heard.at = this.ports.clock.elapsed();
    if (this.presence !== null && heard.presence !== this.presence) {
      heard.presence = this.presence;
      this.ports.publish(row, encoder.presence(this.presence));
    }
    if (since === this.toldVersion) return;
    const isBuyer = audience.words === 'buyer';
    const [scopes, allocation] = [this.scopesSince > since, this.allocationSince > since];
    if (scopes) this.ports.publish(row, encoder.hidden(this.picture.scopes));
    if (allocation) this.ports.publish(row, encoder.allocation(this.picture.channels.version));
    if (allocation || (scopes && isBuyer) || since < this.history.knownSince) {
      this.ports.publish(row, this.snapshot(row));
      return;
    }
    // When something is done to what buyers do not see is not told either.
    if (isBuyer && this.changesTo(audience, since).isEmpty(audience)) return;
    this.ports.publish(row, this.delta(row, since, false));
  }

  private settle(): void {
    this.settledAt = this.ports.clock.elapsed();
    if (this.toldVersion === this.version) return;
    this.toldVersion = this.version;
    this.deltas.clear();
    this.changes.clear();
  }

  /** Who knows an older version, or was made for one, begins again. */
  knownSince(): number {
    return Math.max(this.history.knownSince, this.scopesSince, this.allocationSince);
  }

  /** What a viewer is sent first: what changed since the version it had, where that is known, else everything. */
  firstFrames(crowd: Crowd, resumeFrom: number | null): Frame[] {
    // One that comes from another front door may know more than was told here.
    if (resumeFrom !== null && resumeFrom > this.toldVersion) this.settle();
    const since = this.knownSince();
    if (resumeFrom !== null && resumeFrom >= since && resumeFrom <= this.toldVersion) {
      return [this.delta(crowd, resumeFrom, true)];
    }
    const kept = this.kept.get(this.nameOf(crowd));
    const keptFor = this.ports.clock.elapsed() - (kept?.at ?? 0);
    const isFit = kept && kept.version >= since && keptFor <= this.picture.plan.unitCount / UNITS_PER_KEPT_MS;
    if (!isFit) return [this.snapshot(crowd)];
    return kept.version === this.toldVersion ? [kept.body] : [kept.body, this.delta(crowd, kept.version, false)];
  }

  private snapshot(crowd: Crowd): Frame {
    const name = this.nameOf(crowd);
    const known = this.kept.get(name);
    if (known?.version === this.toldVersion) return known.body;
    const body = encoders[crowd.wire].snapshot(this.picture, this.toldVersion, crowd.audience);
    this.kept.set(name, { version: this.toldVersion, at: this.ports.clock.elapsed(), body });
    return body;
  }

  /** What changed after a version. */
  private delta(crowd: Crowd, since: number, resumed: boolean): Frame {
    const name = `${this.nameOf(crowd)} ${since} ${resumed}`;
    const known = this.deltas.get(name);
    if (known) return known;
    const changes = this.changesTo(crowd.audience, since);
    const frame = encoders[crowd.wire].delta(this.picture, this.toldVersion, crowd.audience, changes, resumed);
    if (this.deltas.size < DELTAS_MAX) this.deltas.set(name, frame);
    return frame;
  }

  private changesTo({ words }: Audience, since: number): Changes {
    let known = this.changes.get(since);
    if (!known) {
      known = { buyer: null, server: null, units: this.history.since(since) };
      if (this.changes.size < DELTAS_MAX) this.changes.set(since, known);
    }
    known[words] ??= new Changes(this.picture, words, known.units);
    return known[words];
  }

  /** The same for all crowds that are sent the same frames. */
  private nameOf({ audience, wire }: Crowd): string {
    return `${wire} ${audience.words} ${this.picture.inReach(audience).key}`;
  }

  close(): void {
    this.closed = true;
  }
}
