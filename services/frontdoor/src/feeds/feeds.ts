/**
 * Owns the replicas of the events that are watched or read at this front door, and their viewers (viewers.ts). An event
 * has one replica, however many viewers. A replica lives while it has viewers, and `replicaIdleMs` after its last use.
 * Every `feedCheckMs`, and after a loss of the link to NATS, each replica in use asks for the event's latest version.
 * So viewers get a change even if its announcement was lost with its sender, and the owner knows that the event is
 * watched (shared/src/runtime/feed-watch.ts).
 *
 * A front door keeps a bounded number of events (`PARTERRE_WATCHED_EVENTS`), which all organisations share (shares.ts).
 * At the bound an event without viewers makes room. If every event has viewers, the largest organisation gives way: its
 * event with the fewest viewers goes, and these viewers are told to come back. New events of the largest organisation
 * itself are refused.
 *
 * States of an event here: absent → loading → live → absent. If the first view fails (the only await), the callers that
 * wait for it get the refusal, and nothing is kept.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EventRecord } from '@parterre/shared/protocol/catalog/events';
import { entryId } from '@parterre/shared/protocol/catalog/history';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import type { FeedChange } from '@parterre/shared/protocol/feed-change';
import { randomText } from '@parterre/shared/protocol/ids';
import type { EventStatus } from '@parterre/shared/protocol/records';
import { pause } from '@parterre/shared/runtime/clock';
import { feedCheckMs, replicaIdleMs } from '@parterre/shared/runtime/feed-watch';
import type { Durations } from '@parterre/shared/runtime/measures';
import type { EventAddress } from '@parterre/shared/runtime/placement';
import type { StreamReader } from '../answers/answers.ts';
import { keptFramesBytesMax, replicasPerFrontDoorMax } from '../feed-limits.ts';
import { consoleAudience, isAlike, isConsole } from '../pictures/pictures.ts';
import { EventActivity, type LatestEntries } from './activity.ts';
import { encoders } from './frames/encoders.ts';
import type { Frame, Presence, Wire } from './frames/frame.ts';
import { KeyChecks, type KeyChecksPorts } from './key-checks.ts';
import { EventPresence, type Share } from './presence.ts';
import { Replica, type ReplicaPorts } from './replica.ts';
import { Shares } from './shares.ts';
import { Shelf } from './shelf.ts';
import type { Batch, Crowd } from './teller.ts';
import { SLICE_MS, TellingTurns } from './telling-turns.ts';
import { type ViewerPlace, ViewerPlaces } from './viewer-places.ts';
import { type End, ends, streamed, type Viewer, type ViewerSocket, Viewers, type Way } from './viewers.ts';

export { ends, type Replica, type Viewer, type ViewerPlace as Place, type ViewerSocket, type Wire };

export type FeedsPorts = Pick<ReplicaPorts, 'planOf' | 'onFault'> &
  KeyChecksPorts & {
    viewOf(event: EventAddress): ReturnType<ReplicaPorts['viewOf']>;
    versionOf(event: EventAddress): ReturnType<ReplicaPorts['versionOf']>;
    /** Calls `onChange` for every announced change of an event. The returned function stops the listening. */
    listen(event: EventAddress, onChange: (change: FeedChange) => void): () => void;
    /** Sends a frame to every socket that joined the topic. */
    publish(topic: string, frame: Frame): void;
    /** Sends this front door's share of presence to the other front doors; `listenToShares` receives their shares. */
    share(eventKey: string, share: Share): void;
    listenToShares(eventKey: string, onShare: (share: Share) => void): () => void;
    onEventStatus(eventKey: string, status: EventStatus): void;
    /** The latest entries of an event's log, newest first. Waits until the log has this version. */
    latestLog(eventKey: string, version: number, limit: number): Promise<LatestEntries>;
  };

const SWEEP_MS = 1_000;
const DOOR_NAME_LENGTH = 12;
/** How long other front doors may take to send their shares of presence. */
const PRESENCE_WAIT_MS = 200;

type Watched = {
  organisationId: string;
  replica: Replica;
  presence: EventPresence;
  activity: EventActivity;
  ready: Promise<Outcome<true>>;
  /** The outcome for callers of a live replica; null before. */
  live: Outcome<Replica> | null;
  stops: (() => void)[];
  lastUsedAt: number;
};

export const tooManyViewers = refuse('overloaded', 'This front door has too many viewers. Try again.', {
  retryable: true,
});

const tooManyEvents = refuse(
  'overloaded',
  'This organisation has its share of the events that this front door keeps in view. Try again. The operator may raise ' +
    'PARTERRE_WATCHED_EVENTS or start another front door.',
  { retryable: true },
);

export class Feeds {
  readonly places = new ViewerPlaces();
  private readonly shares: Shares;
  private readonly events = new Map<string, Watched>();
  private readonly viewers: Viewers;
  /** This front door's name among all front doors. */
  private readonly door = randomText(DOOR_NAME_LENGTH);
  private readonly keys: KeyChecks;
  private readonly shelf = new Shelf(keptFramesBytesMax);
  private readonly turns: TellingTurns;
  private isClosed = false;

  constructor(
    private readonly ports: FeedsPorts,
    eventsMax = replicasPerFrontDoorMax,
  ) {
    this.shares = new Shares(eventsMax);
    this.viewers = new Viewers(ports.publish, (eventKey, viewer) => this.onGone(eventKey, viewer));
    this.keys = new KeyChecks(this.viewers, ports);
    this.turns = new TellingTurns(ports.clock);
    this.armUpkeep();
    this.armSweep();
  }

  /** Returns without a promise if the replica is live and misses no known change. */
  replicaOf(event: EventRecord): Outcome<Replica> | Promise<Outcome<Replica>> {
    const watched = this.events.get(event.key) ?? this.watch(event);
    if (watched === null) return tooManyEvents;
    watched.lastUsedAt = this.ports.clock.now();
    return watched.live && !watched.replica.isBehind() ? watched.live : this.reach(watched);
  }

  private async reach({ ready, replica }: Watched): Promise<Outcome<Replica>> {
    const loaded = await ready;
    if (!loaded.ok) return loaded;
    if (replica.isBehind()) await replica.reachExpected();
    return done(replica);
  }

  /** The event has reached this version. Later readers of its replica see it, or a later one. */
  expect(eventKey: string, version: number): void {
    this.events.get(eventKey)?.replica.expect(version);
  }

  /** Whether one more viewer of the organisation finds room. */
  hasRoom(organisationId: string): boolean {
    return this.viewers.hasRoom(organisationId);
  }

  /** Frames are made once for each audience, so the number of audiences of an event is bounded, too. */
  hasRoomFor({ eventKey }: Replica, crowd: Crowd): boolean {
    return this.viewers.hasRoomFor(eventKey, crowd);
  }

  /**
   * The refusal of a viewer for which no room is left; null if it may come in. `address` is null if none is counted.
   */
  refusalOf(replica: Replica, viewer: Viewer, address: string | null): Outcome<never> | null {
    const watched = this.events.get(replica.eventKey);
    if (!watched || !this.hasRoom(watched.organisationId) || !this.hasRoomFor(replica, viewer)) return tooManyViewers;
    return this.places.refusal(address, viewer);
  }

  /**
   * Counts the buyers and holds of an event. If this front door did not watch the event before, it waits
   * PRESENCE_WAIT_MS for the shares of other front doors.
   */
  async presence(event: EventRecord): Promise<Outcome<Presence>> {
    const isNew = !this.events.has(event.key);
    const replica = await this.replicaOf(event);
    if (!replica.ok) return replica;
    if (isNew) await pause(this.ports.clock, PRESENCE_WAIT_MS);
    const watched = this.events.get(event.key);
    return done(watched?.presence.now() ?? { shoppingSessions: 0, activeHolds: replica.value.activeHolds });
  }

  /** The answer to a viewer's ping. */
  pong(wire: Wire): Frame {
    return encoders[wire].pong;
  }

  viewerCount(): number {
    return this.viewers.count;
  }

  /** Viewers that get no frame, because they have not taken the frames before. */
  sparedViewerCount(): number {
    return this.viewers.sparedCount;
  }

  /** How long the oldest change of a telling has waited. */
  get gathered(): Durations {
    return this.turns.gathered;
  }

  /** The events with the most viewers here, the most first. */
  mostViewed(count: number): [eventKey: string, viewers: number][] {
    const all = this.viewers.eventKeys().map((key): [string, number] => [key, this.viewers.countOf(key)]);
    return all.sort(([, a], [, b]) => b - a).slice(0, count);
  }

  private watch(event: EventAddress): Watched | null {
    const { key: eventKey, region, organisationId } = event;
    if (this.shares.isFull() && !this.makeRoom(organisationId)) return null;
    const address = { key: eventKey, region, organisationId };
    const ports: ReplicaPorts = {
      ...this.ports,
      viewOf: () => this.ports.viewOf(address),
      versionOf: () => this.ports.versionOf(address),
      batches: () => this.viewers.batches(eventKey),
      publish: (batch, frame) => this.viewers.publish(batch, frame),
      turns: this.turns,
      onEventStatus: (status) => this.onEventStatus(eventKey, status),
      onNews: () => {
        const known = this.events.get(eventKey);
        known?.presence.noteChange();
        known?.activity.noteChange();
      },
    };
    const replica = new Replica(eventKey, ports, this.shelf.of(eventKey));
    const presence = this.presenceOf(replica);
    const activity = this.activityOf(replica);
    // Listening starts before the view is asked for, so that no change is lost in between.
    const stops = [
      this.ports.listen(address, (change) => replica.onChange(change)),
      this.ports.listenToShares(eventKey, (share) => presence.onShare(share)),
    ];
    presence.start();
    const ready = replica.catchUp();
    const lastUsedAt = this.ports.clock.now();
    const watched: Watched = { organisationId, replica, presence, activity, ready, live: null, stops, lastUsedAt };
    this.events.set(eventKey, watched);
    this.shares.add(organisationId);
    ready.then(
      (outcome) => {
        if (outcome.ok) watched.live = done(replica);
        else this.drop(eventKey, watched);
      },
      () => this.drop(eventKey, watched),
    );
    return watched;
  }

  private presenceOf(replica: Replica): EventPresence {
    const { eventKey } = replica;
    return new EventPresence({
      clock: this.ports.clock,
      door: this.door,
      share: (share) => this.ports.share(eventKey, share),
      activeHolds: () => replica.activeHolds,
      tell: (presence) => replica.tellPresence(presence),
    });
  }

  private activityOf(replica: Replica): EventActivity {
    const { eventKey } = replica;
    const consoles = () => [...this.viewers.batches(eventKey)].filter(({ audience }) => isConsole(audience));
    return new EventActivity({
      clock: this.ports.clock,
      version: () => replica.version,
      firstIdAfter: (version) => entryId(version + 1, 0),
      isWatched: () => consoles().length > 0,
      latest: (version, limit) => this.ports.latestLog(eventKey, version, limit),
      tell: ({ whole, channelless }) => {
        for (const batch of consoles()) {
          const entries = isAlike(batch.audience, consoleAudience) ? whole : channelless;
          if (entries.length > 0) this.viewers.publish(batch, encoders[batch.wire].activity(entries));
        }
      },
      onFault: this.ports.onFault,
    });
  }

  private drop(eventKey: string, watched: Watched): void {
    for (const stop of watched.stops) stop();
    watched.replica.close();
    watched.presence.close();
    if (this.events.get(eventKey) !== watched) return;
    this.events.delete(eventKey);
    this.shares.remove(watched.organisationId);
  }

  /**
   * Drops an event for a new event of the organisation; false if it must not have one more. An event without viewers
   * goes first, of the largest organisation where it has one.
   */
  private makeRoom(organisationId: string): boolean {
    const largest = this.shares.yieldsTo(organisationId);
    const giving = largest ?? organisationId;
    const idle = this.idlest((watched) => watched.organisationId === giving) ?? this.idlest(() => true);
    const leaving = idle ?? (largest === null ? null : this.leastWatched(largest));
    if (leaving === null) return false;
    this.drop(...leaving);
    // Not within the caller's turn, which may be in the middle of another socket's answer.
    if (leaving !== idle)
      nextTurn()
        .then(() => this.closeViewers(leaving[0], ends.comeBack))
        .catch(this.ports.onFault);
    return true;
  }

  private idlest(isSuch: (watched: Watched) => boolean): [string, Watched] | null {
    let idlest: [string, Watched] | null = null;
    for (const entry of this.events) {
      if (!isSuch(entry[1]) || this.viewers.isWatched(entry[0])) continue;
      if (idlest === null || entry[1].lastUsedAt < idlest[1].lastUsedAt) idlest = entry;
    }
    return idlest;
  }

  /** The organisation's event with the fewest viewers; the newest of several. */
  private leastWatched(organisationId: string): [string, Watched] | null {
    let least: [string, Watched] | null = null;
    let viewers = Number.POSITIVE_INFINITY;
    for (const entry of this.events) {
      const count = entry[1].organisationId === organisationId ? this.viewers.countOf(entry[0]) : null;
      if (count === null || count > viewers) continue;
      least = entry;
      viewers = count;
    }
    return least;
  }

  /**
   * Takes in a socket that has opened. Its first frames bring it to the version that all viewers were told last. After
   * them it gets every change.
   */
  join(replica: Replica, socket: ViewerSocket, viewer: Viewer, resumeFrom: number | null): void {
    const frames = this.letIn(replica, viewer, resumeFrom, { socket });
    if (frames !== null) for (const frame of frames) socket.send(frame);
    else if (replica.status === 'deleted') close(socket, ends.deleted);
    else close(socket, ends.comeBack);
  }

  /** The first frames of a viewer; null if the viewer cannot stay. */
  private letIn(replica: Replica, viewer: Viewer, resumeFrom: number | null, way: Way): Frame[] | null {
    const { eventKey } = replica;
    const watched = this.events.get(eventKey);
    if (this.isClosed || watched?.replica !== replica || replica.status === 'deleted') return null;
    const { organisationId } = watched;
    if (!this.viewers.hasRoom(organisationId) || !this.viewers.hasRoomFor(eventKey, viewer)) return null;
    const frames = replica.firstFrames(viewer, resumeFrom);
    this.viewers.add({ eventKey, organisationId }, viewer, replica.heardAtFirst(), way);
    // A revocation that was announced while the viewer came in did not find the viewer yet. So the key is checked
    // again.
    this.keys.one(viewer.keyHash).catch(this.ports.onFault);
    const { presence, activity } = watched;
    if (isConsole(viewer.audience)) activity.join();
    if (presence.told) frames.push(encoders[viewer.wire].presence(presence.told));
    if (viewer.shopper === null) presence.noteChange();
    else presence.join(viewer.shopper);
    return frames;
  }

  private onGone(eventKey: string, { shopper }: Viewer): void {
    if (shopper !== null) this.events.get(eventKey)?.presence.leave(shopper);
  }

  leave(replica: Replica, socket: ViewerSocket): void {
    this.viewers.remove(replica.eventKey, socket);
    this.noteUse(replica);
  }

  /**
   * Sends the same frames as server-sent events, for a server that reads over plain HTTP. Returns the function to call
   * when the reader leaves. A stream that finds no place any more (`refusalOf`) ends at once.
   */
  stream(replica: Replica, viewer: Viewer, address: string | null, reader: StreamReader): () => void {
    const place = this.places.take(address, viewer);
    const frames = place.ok ? this.letIn(replica, viewer, null, { reader }) : null;
    if (frames === null) reader.end();
    for (const frame of frames ?? []) reader.write(streamed(frame));
    return () => {
      if (place.ok) this.places.free(place.value);
      this.viewers.remove(replica.eventKey, reader);
      this.noteUse(replica);
    };
  }

  private noteUse(replica: Replica): void {
    const watched = this.events.get(replica.eventKey);
    if (watched) watched.lastUsedAt = this.ports.clock.now();
  }

  private onEventStatus(eventKey: string, status: EventStatus): void {
    this.ports.onEventStatus(eventKey, status);
    if (status === 'deleted') this.closeViewers(eventKey, ends.deleted).catch(this.ports.onFault);
  }

  /** Closes the viewers of a changed key or session if it was revoked. */
  onKeyChanged(keyHash: string): Promise<void> {
    return this.keys.one(keyHash);
  }

  /**
   * For use after announcements may have been missed: compares every watched event with its actor, and checks every
   * viewer's key.
   */
  resync(): void {
    this.keys.all(true).catch(this.ports.onFault);
    for (const { replica } of this.events.values()) replica.check().catch(this.ports.onFault);
  }

  /** Closes all viewers, and lets no viewer in any more. Reads of events are still answered. */
  async closeAll(): Promise<void> {
    this.isClosed = true;
    for (const eventKey of this.viewers.eventKeys()) await this.closeViewers(eventKey, ends.shuttingDown);
  }

  private async closeViewers(eventKey: string, end: End): Promise<void> {
    while (this.viewers.closeEvent(eventKey, end)) await nextTurn();
  }

  private armUpkeep(): void {
    this.ports.clock.after(feedCheckMs, () => {
      this.armUpkeep();
      const now = this.ports.clock.now();
      this.keys.all(false).catch(this.ports.onFault);
      for (const [eventKey, watched] of [...this.events]) {
        const idleMs = this.viewers.isWatched(eventKey) ? 0 : now - watched.lastUsedAt;
        // Two checks' time, so that a check follows every use even if this timer is late.
        if (idleMs < 2 * feedCheckMs) watched.replica.check().catch(this.ports.onFault);
        else if (idleMs > replicaIdleMs) this.drop(eventKey, watched);
      }
    });
  }

  private armSweep(): void {
    this.ports.clock.after(SWEEP_MS, () => {
      this.armSweep();
      this.viewers.easeSlow(this.ports.clock.elapsed());
      this.bringBack().catch(this.ports.onFault);
      this.closeExpired().catch(this.ports.onFault);
    });
  }

  private async bringBack(): Promise<void> {
    const { clock } = this.ports;
    const bringUp = (eventKey: string, batch: Batch) => this.events.get(eventKey)?.replica.bringUp(batch);
    let startedAt = clock.elapsed();
    while (this.viewers.bringBack(bringUp, () => clock.elapsed() - startedAt >= SLICE_MS)) {
      await nextTurn();
      startedAt = clock.elapsed();
    }
  }

  private async closeExpired(): Promise<void> {
    while (this.viewers.closeExpired(this.ports.clock.now())) await nextTurn();
  }
}
function close(socket: ViewerSocket, { code, reason }: End): void {
  socket.close(code, reason);
}
