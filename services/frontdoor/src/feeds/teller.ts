/**
 * Tells the viewers of one event the changes (I7). Changes within FOLD_MS are folded into one frame. A crowd is all
 * viewers that get the same frames. It is split into batches of bounded size. One turn of the event loop tells some
 * batches, and the loop goes on between turns. So telling ten thousand viewers keeps no request waiting, and a batch is
 * told all changes up to its own turn, not up to the first batch's turn.
 *
 * States of a batch: level → behind → level. The first change after its last telling puts a batch behind. The batch is
 * then told all changes since its version, in a frame that is made once for all batches at this version. The batch
 * begins again with a snapshot if the chart, the hidden divisions or the assignments to channels have changed since, or
 * if its version is older than the history. The batch that was told longest ago is next.
 *
 * States of the telling: quiet → due → quiet. The telling is due from the moment when a batch falls behind until its
 * turn. It asks for the turn when the fold is over. The turn comes at once, or later if the tellings of all events take
 * their share of the loop (telling-turns.ts). So the frames of a crowd are fewer and larger while changes come all the
 * time. Nothing is awaited.
 *
 * A viewer that joins is brought to `toldVersion`, even if its batch was not told this version yet. The viewer's first
 * frame may show still newer statuses, and the next frame of the batch repeats them. So one first frame serves all
 * viewers that join between two turns.
 */
import type { Clock } from '@parterre/shared/runtime/clock';
import { type Audience, Changes, hasMoney, type Picture } from '../pictures/pictures.ts';
import { encoders } from './frames/encoders.ts';
import type { Frame, Presence, Wire } from './frames/frame.ts';
import type { History } from './history.ts';
import type { EventShelf } from './shelf.ts';
import { SLICE_MS, type TellingTurns, type ToldViewers } from './telling-turns.ts';

/** All viewers of an event that get the same frames: one audience in one encoding. */
export type Crowd = { audience: Audience; wire: Wire };

/**
 * The last version that a batch was told, whether it was stale, and the time of the telling (`Clock.elapsed`). Only the
 * teller writes it.
 */
export type BatchVersion = { version: number; at: number; presence: Presence | null; stale: boolean };
export type Batch = Crowd & { readonly size: number; readonly heard: BatchVersion };

export type TellerPorts = {
  clock: Clock;
  /** The batches of viewers that watch the event now. */
  batches(): Iterable<Batch>;
  publish(batch: Batch, frame: Frame): void;
  /** Shared by all events of the front door. */
  turns: TellingTurns;
};

/**
 * The least time between two frames of a batch. A viewer thus gets at most 30 frames a second, and fewer in a crowd
 * (telling-turns.ts).
 */
export const FOLD_MS = 33;
/**
 * The first change after a quiet time waits for this time. A page that holds seats then reads the answer to its hold
 * before the frame that shows these seats as held. Without the wait, the page would show its own seats as another
 * buyer's for a moment.
 */
export const FIRST_CHANGE_MS = 20;
/**
 * A kept snapshot, with the changes since, serves later viewers for one millisecond per this many units. A snapshot of
 * many units takes long to make.
 */
export const UNITS_PER_KEPT_MS = 50;
/** The most delta frames kept from one turn to the next. */
const DELTAS_MAX = 256;
/** The most versions whose next change has its time kept. */
const TIMES_MAX = 256;

type Since = { units: ReadonlySet<number>; buyer: Changes | null; server: Changes | null };

export class Teller {
  toldVersion = 0;
  private version = 0;
  private settledAt = 0;
  private presence: Presence | null = null;
  /** Viewers get snapshots alone, marked as stale. */
  private stale = false;
  private isDue = false;
  private closed = false;
  /**
   * The versions at which divisions, and the assignments to channels, last changed. Buyers with an older version begin
   * again.
   */
  private scopesSince = 0;
  private allocationSince = 0;
  private readonly deltas = new Map<string, Frame>();
  private readonly changes = new Map<number, Since>();
  /** By a version that viewers were told: the time of the first change after it. */
  private readonly changedAt = new Map<number, number>();

  constructor(
    private readonly picture: Picture,
    private readonly history: History,
    private readonly kept: EventShelf,
    private readonly ports: TellerPorts,
  ) {}

  /** The change is in the history already. */
  note(version: number, changed: { scopes: boolean; allocation: boolean }): void {
    this.version = version;
    if (!this.changedAt.has(this.toldVersion)) this.changedAt.set(this.toldVersion, this.ports.clock.elapsed());
    if (changed.scopes) this.scopesSince = version;
    if (changed.allocation) this.allocationSince = version;
    this.arm(FIRST_CHANGE_MS);
  }

  /** The event has a new chart. All viewers begin again with a snapshot, at once. */
  startOver(version: number, changed: { allocation: boolean }): void {
    if (changed.allocation && this.version > 0) this.allocationSince = version;
    this.version = version;
    this.kept.clear();
    for (const { heard } of this.ports.batches()) heard.at = 0;
    this.ports.turns.ask(this);
  }

  /** Viewers get the presence with the next telling. */
  tellPresence(presence: Presence): void {
    this.presence = presence;
    this.arm(FIRST_CHANGE_MS);
  }

  /** The event is halted, or goes on. All viewers begin again with a snapshot. */
  turnStale(stale: boolean): void {
    this.stale = stale;
    this.arm(FIRST_CHANGE_MS);
  }

  /** The starting state of a batch whose first viewer joins now. */
  heardAtFirst(): BatchVersion {
    return { version: this.toldVersion, at: 0, presence: this.presence, stale: this.stale };
  }

  private isBehind({ heard }: Batch): boolean {
    return heard.version < this.version || heard.presence !== this.presence || heard.stale !== this.stale;
  }

  /** Where nobody watches, `toldVersion` moves on all the same, for viewers that join. */
  private arm(leastMs = 0): void {
    if (this.isDue || this.closed) return;
    let since = this.toldVersion < this.version ? this.settledAt : Number.POSITIVE_INFINITY;
    for (const batch of this.ports.batches()) if (this.isBehind(batch)) since = Math.min(since, batch.heard.at);
    if (since === Number.POSITIVE_INFINITY) return;
    this.isDue = true;
    this.ports.clock.after(Math.max(leastMs, FOLD_MS - (this.ports.clock.elapsed() - since)), () => {
      this.ports.turns.ask(this);
    });
  }

  /** Called by the turns of the front door. */
  turn(room: number): ToldViewers {
    this.isDue = false;
    const told = { viewers: 0, waitedMs: 0 };
    if (this.closed) return told;
    this.settle();
    const startedAt = this.settledAt;
    const behind = [...this.ports.batches()]
      .filter((batch) => this.isBehind(batch))
      .sort((a, b) => a.heard.at - b.heard.at);
    for (const batch of behind) {
      if (batch.heard.at + FOLD_MS > startedAt) break;
      const changedAt = this.changedAt.get(batch.heard.version) ?? startedAt;
      if (this.tell(batch)) {
        told.viewers += batch.size;
        told.waitedMs = Math.max(told.waitedMs, startedAt - changedAt);
      }
      if (told.viewers >= room || this.ports.clock.elapsed() - startedAt >= SLICE_MS) break;
    }
    this.arm();
    return told;
  }

  /** Tells a batch everything at once. */
  bringUp(batch: Batch): void {
    this.settle();
    this.tell(batch);
  }

  /** Tells a batch everything that it was not told yet. False if nothing of it concerns the batch. */
  private tell(batch: Batch): boolean {
    const { audience, wire, heard } = batch;
    const encoder = encoders[wire];
    const since = heard.version;
    heard.version = this.toldVersion;
    heard.at = this.ports.clock.elapsed();
    const hasPresence = this.presence !== null && heard.presence !== this.presence;
    if (hasPresence) {
      heard.presence = this.presence;
      this.ports.publish(batch, encoder.presence(this.presence!));
    }
    const turned = heard.stale !== this.stale;
    heard.stale = this.stale;
    if (since === this.toldVersion && !turned) return hasPresence;
    const isBuyer = audience.words === 'buyer';
    const scopes = this.scopesSince > since;
    const allocation = this.allocationSince > since;
    if (scopes) this.ports.publish(batch, encoder.hidden(this.picture.scopes));
    if (allocation) this.ports.publish(batch, encoder.allocation(this.picture.channels.version));
    if (turned || allocation || (scopes && isBuyer) || since < this.history.knownSince) {
      this.ports.publish(batch, this.snapshot(batch));
      return true;
    }
    // Buyers must not even learn the time of a change to units that they do not see.
    if (isBuyer && this.changesTo(audience, since).isEmpty(audience)) return hasPresence;
    this.ports.publish(batch, this.delta(batch, since, false));
    return true;
  }

  private settle(): void {
    this.settledAt = this.ports.clock.elapsed();
    if (this.toldVersion === this.version) return;
    this.toldVersion = this.version;
    this.deltas.clear();
    this.changes.clear();
    if (this.changedAt.size > TIMES_MAX) this.changedAt.delete(this.changedAt.keys().next().value!);
  }

  /** The oldest version that a delta can continue, for a viewer or a kept frame. */
  knownSince(): number {
    return Math.max(this.history.knownSince, this.scopesSince, this.allocationSince);
  }

  /** The first frames of a viewer: the changes since its version if they are known, else a snapshot. */
  firstFrames(crowd: Crowd, resumeFrom: number | null): Frame[] {
    // A viewer that comes from another front door may know more than was told here.
    if (resumeFrom !== null && resumeFrom > this.toldVersion) this.settle();
    const since = this.knownSince();
    if (!this.stale && resumeFrom !== null && resumeFrom >= since && resumeFrom <= this.toldVersion) {
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
    const body = encoders[crowd.wire].snapshot(this.picture, this.toldVersion, crowd.audience, this.stale);
    this.kept.set(name, { version: this.toldVersion, at: this.ports.clock.elapsed(), body });
    return body;
  }

  /** The changes after a version. */
  private delta(crowd: Crowd, since: number, resumed: boolean): Frame {
    const name = `${this.nameOf(crowd)} ${since} ${resumed} ${hasMoney(crowd.audience)}`;
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

  /** One name for all crowds that get the same frames. */
  private nameOf({ audience, wire }: Crowd): string {
    return `${wire} ${audience.words} ${this.picture.inReach(audience).key}`;
  }

  close(): void {
    this.closed = true;
    this.ports.turns.forget(this);
  }
}
