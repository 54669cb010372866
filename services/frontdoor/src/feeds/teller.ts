/**
 * Tells the viewers of one event what changed (I7): one frame for all who hear the same, changes of up to FOLD_MS folded into it.
 *
 * States: told → due → told. Due begins with the first change after the last telling and ends with the timer; nothing is awaited.
 * States of a crowd: level → owed a snapshot → level. Where what is hidden, who may select what, or the chart changed, all begin again,
 * and of many units that takes long: they are owed their snapshot, which they get a few at a time while the loop goes on. What a crowd is told
 * before its snapshot is published with it in one turn. A change that comes meanwhile is in the snapshots of those that are still owed
 * one, who get no delta; the others get theirs. Whoever joins a crowd that is owed one has it told first, and gets its own.
 * A viewer that joins is brought to `toldVersion`: what it is sent may show statuses that are newer than that, which the next frame
 * repeats. So its first frame is made once for all who join between two tellings.
 */
import type { Clock } from '@parterre/shared/clock';
import type { Audience } from '../rules/audience.ts';
import type { Wire } from '../rules/protocols.ts';
import { Changes } from './changes.ts';
import { encoders, type Frame } from './frames.ts';
import type { History } from './history.ts';
import type { Picture } from './picture.ts';
import type { Place } from './shelf.ts';

/** Everybody who hears the same of an event, in the same way. */
export type Crowd = { audience: Audience; wire: Wire };

export type TellerPorts = {
  clock: Clock;
  /** Those who watch the event just now. */
  crowds(): Iterable<Crowd>;
  publish(crowd: Crowd, frame: Frame): void;
};

/** The longest that changes are gathered before viewers hear of them. The first after a quiet time is told at once. */
export const FOLD_MS = 50;
/** A snapshot may serve those who come later, with what changed since, for a millisecond per so many units: making one of many units takes long. */
export const UNITS_PER_KEPT_MS = 50;
/** Frames of what changed since some version, kept from one telling to the next. */
const DELTAS_MAX = 256;
/** The longest that the loop waits for crowds that begin again, but for the last of them. */
const SLICE_MS = 20;

/** A crowd that begins again, and what it is told before its snapshot. */
type Owed = { crowd: Crowd; scopes: boolean; allocation: boolean };
type Since = { units: ReadonlySet<number>; buyer: Changes | null; server: Changes | null };

export class Teller {
  toldVersion = 0;
  private version = 0;
  /** Units changed since viewers were last told. */
  private untold = new Set<number>();
  private toldAt = 0;
  private isDue = false;
  private readonly owed = new Map<string, Owed>();
  private isGoingOn = false;
  private closed = false;
  /** The versions at which what is hidden or closed, and who may select what, last changed: buyers from before begin again. */
  private scopesSince = 0;
  private allocationSince = 0;
  private readonly deltas = new Map<string, Frame>();
  private readonly changes = new Map<number | 'news', Since>();

  constructor(
    private readonly picture: Picture,
    private readonly history: History,
    private readonly kept: Place,
    private readonly ports: TellerPorts,
  ) {}

  note(version: number, units: readonly number[], changed: { scopes: boolean; allocation: boolean }): void {
    this.version = version;
    if (changed.scopes) this.scopesSince = version;
    if (changed.allocation) this.allocationSince = version;
    for (const unit of units) this.untold.add(unit);
    if (this.isDue) return;
    this.isDue = true;
    const quietFor = this.ports.clock.elapsed() - this.toldAt;
    this.ports.clock.after(Math.max(0, FOLD_MS - quietFor), () => this.tell());
  }

  /** Another chart, or the first one: everybody begins again with a snapshot. */
  startOver(version: number, changed: { allocation: boolean }): void {
    if (changed.allocation) this.allocationSince = version;
    const allocation = changed.allocation && this.toldVersion > 0;
    this.version = version;
    this.settle();
    this.kept.clear();
    for (const crowd of this.ports.crowds()) this.owe(crowd, { scopes: false, allocation });
    this.goOn();
  }

  /** All that viewers have not heard. */
  tell(): void {
    this.isDue = false;
    if (this.closed || this.toldVersion === this.version) return;
    const before = this.toldVersion;
    const news = { scopes: this.scopesSince > before, allocation: this.allocationSince > before };
    const units = new Set(this.untold);
    this.settle();
    this.changes.set('news', { buyer: null, server: null, units });
    for (const crowd of this.ports.crowds()) {
      const { audience, wire } = crowd;
      const isBuyer = audience.words === 'buyer';
      if (news.allocation || (news.scopes && isBuyer) || this.owed.has(keyOf(crowd))) {
        this.owe(crowd, news);
        continue;
      }
      if (news.scopes) this.ports.publish(crowd, encoders[wire].hidden(this.picture.scopes));
      // When something is done to what buyers do not see is not told either.
      if (isBuyer && this.changesTo(audience, 'news').isEmpty(audience)) continue;
      this.ports.publish(crowd, this.delta(crowd, 'news', false));
    }
    this.goOn();
  }

  private owe(crowd: Crowd, { scopes, allocation }: { scopes: boolean; allocation: boolean }): void {
    const key = keyOf(crowd);
    const known = this.owed.get(key);
    this.owed.set(key, {
      crowd,
      scopes: scopes || (known?.scopes ?? false),
      allocation: allocation || (known?.allocation ?? false),
    });
  }

  /** Crowds that are owed a snapshot get it, for SLICE_MS at a time. */
  private goOn(): void {
    const startedAt = this.ports.clock.elapsed();
    for (const key of [...this.owed.keys()]) {
      this.beginAgain(key);
      if (this.ports.clock.elapsed() - startedAt >= SLICE_MS) break;
    }
    if (this.owed.size === 0 || this.isGoingOn) return;
    this.isGoingOn = true;
    this.ports.clock.after(0, () => {
      this.isGoingOn = false;
      if (!this.closed) this.goOn();
    });
  }

  private beginAgain(key: string): void {
    const owed = this.owed.get(key);
    if (!owed) return;
    this.owed.delete(key);
    const { crowd, scopes, allocation } = owed;
    const encoder = encoders[crowd.wire];
    if (scopes) this.ports.publish(crowd, encoder.hidden(this.picture.scopes));
    if (allocation) this.ports.publish(crowd, encoder.allocation(this.picture.channels.version));
    this.ports.publish(crowd, this.snapshot(crowd));
  }

  private settle(): void {
    this.toldAt = this.ports.clock.elapsed();
    this.toldVersion = this.version;
    this.untold.clear();
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
    if (resumeFrom !== null && resumeFrom > this.toldVersion) this.tell();
    // Before it is one of them: they hear what it is sent itself.
    this.beginAgain(keyOf(crowd));
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

  /** What changed after a version, or since viewers were last told. */
  private delta(crowd: Crowd, since: number | 'news', resumed: boolean): Frame {
    const name = `${this.nameOf(crowd)} ${since} ${resumed}`;
    const known = this.deltas.get(name);
    if (known) return known;
    const changes = this.changesTo(crowd.audience, since);
    const frame = encoders[crowd.wire].delta(this.picture, this.toldVersion, crowd.audience, changes, resumed);
    if (this.deltas.size < DELTAS_MAX) this.deltas.set(name, frame);
    return frame;
  }

  private changesTo({ words }: Audience, since: number | 'news'): Changes {
    let known = this.changes.get(since);
    if (!known) {
      known = { buyer: null, server: null, units: this.history.since(since as number) };
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

function keyOf({ audience, wire }: Crowd): string {
  return `${wire} ${audience.id}`;
}
