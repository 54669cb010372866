/**
 * Tells the viewers of one event what changed (I7): one frame for all who hear the same, changes of up to FOLD_MS folded into it.
 *
 * States: told → due → told. Due begins with the first change after the last telling and ends with the timer; nothing is awaited.
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
const UNITS_PER_KEPT_MS = 50;
/** Frames of what changed since some version, kept from one telling to the next. */
const DELTAS_MAX = 256;
const SNAPSHOTS_MAX = 64;

type Since = { units: ReadonlySet<number>; buyer: Changes | null; server: Changes | null };

export class Teller {
  toldVersion = 0;
  private version = 0;
  /** Units changed since viewers were last told. */
  private untold = new Set<number>();
  private toldAt = 0;
  private isDue = false;
  private closed = false;
  /** The versions at which what is hidden or closed, and who may select what, last changed: buyers from before begin again. */
  private scopesSince = 0;
  private allocationSince = 0;
  private readonly deltas = new Map<string, Frame>();
  private readonly changes = new Map<number | 'news', Since>();
  private readonly snapshots = new Map<string, { version: number; at: number; frame: Frame }>();

  constructor(
    private readonly picture: Picture,
    private readonly history: History,
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
    this.snapshots.clear();
    for (const crowd of this.ports.crowds()) {
      if (allocation) this.ports.publish(crowd, this.allocation(crowd));
      this.ports.publish(crowd, this.snapshot(crowd));
    }
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
      if (news.allocation) this.ports.publish(crowd, this.allocation(crowd));
      if (news.scopes) this.ports.publish(crowd, encoders[crowd.wire].hidden(this.picture.scopes));
      const beginsAgain = news.allocation || (news.scopes && crowd.audience.words === 'buyer');
      this.ports.publish(crowd, beginsAgain ? this.snapshot(crowd) : this.delta(crowd, 'news', false));
    }
  }

  private settle(): void {
    this.toldAt = this.ports.clock.elapsed();
    this.toldVersion = this.version;
    this.untold.clear();
    this.deltas.clear();
    this.changes.clear();
  }

  private allocation({ wire }: Crowd): Frame {
    return encoders[wire].allocation(this.picture.channels.version);
  }

  /** What a viewer is sent first: what changed since the version it had, where that is known, else everything. */
  firstFrames(crowd: Crowd, resumeFrom: number | null): Frame[] {
    // One that comes from another front door may know more than was told here.
    if (resumeFrom !== null && resumeFrom > this.toldVersion) this.tell();
    const since = Math.max(this.history.knownSince, this.scopesSince, this.allocationSince);
    if (resumeFrom !== null && resumeFrom >= since && resumeFrom <= this.toldVersion) {
      return [this.delta(crowd, resumeFrom, true)];
    }
    const kept = this.snapshots.get(this.nameOf(crowd));
    const keptFor = this.ports.clock.elapsed() - (kept?.at ?? 0);
    const isFit = kept && kept.version >= since && keptFor <= this.picture.plan.unitCount / UNITS_PER_KEPT_MS;
    if (!isFit) return [this.snapshot(crowd)];
    return kept.version === this.toldVersion ? [kept.frame] : [kept.frame, this.delta(crowd, kept.version, false)];
  }

  private snapshot(crowd: Crowd): Frame {
    const name = this.nameOf(crowd);
    const known = this.snapshots.get(name);
    if (known?.version === this.toldVersion) return known.frame;
    const frame = encoders[crowd.wire].snapshot(this.picture, this.toldVersion, crowd.audience);
    this.snapshots.delete(name);
    this.snapshots.set(name, { version: this.toldVersion, at: this.ports.clock.elapsed(), frame });
    if (this.snapshots.size > SNAPSHOTS_MAX) this.snapshots.delete(this.snapshots.keys().next().value!);
    return frame;
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
