/**
 * Keeps the viewers of this front door, sockets and streams, and each organisation's share of them: by event, by crowd
 * (viewers that get the same frames), by batch (each has one topic), by the key or session that they came with, and by
 * the second in which their access ends. Every change happens within one turn. Nothing is awaited. A function that
 * closes or brings back many viewers does so with at most `viewersPerTurn` of them and returns whether any are left, so
 * that its caller lets the loop turn in between.
 *
 * States of a viewer: in ⇄ spared → out. Both `close` and the server library's own closing lead to out. The second of
 * the two finds nothing to do. A viewer that does not take its frames is spared (rules/crowd-pace.ts): it leaves its
 * batch and gets no frame. Once it has taken everything, it gets all changes since in one frame, and joins a batch
 * again. So a slow viewer gets fewer and larger frames. It is closed only if its untaken bytes do not become fewer for
 * long, or if they are too many. A stream is never spared, because it ends when it is too slow.
 */

import { SECOND_MS } from '@parterre/shared/runtime/units';
import type { StreamReader } from '../answers/answers.ts';
import {
  audiencesPerEventMax,
  stuckMsMax,
  viewerBackpressureBytesMax,
  viewerSpareBytes,
  viewersBackpressureBytesMax,
  viewersPerFrontDoorMax,
  viewersPerTurn,
} from '../feed-limits.ts';
import { isConsole } from '../pictures/pictures.ts';
import type { Frame } from './frames/frame.ts';
import { isSpared, type UntakenBounds } from './rules/crowd-pace.ts';
import { Shares } from './shares.ts';
import type { Batch, BatchVersion, Crowd } from './teller.ts';

/** The part of a viewer's WebSocket that this file uses. */
export type ViewerSocket = {
  send(frame: Frame): void;
  join(topic: string): void;
  leave(topic: string): void;
  /** Bytes that were sent, but not yet taken by the client. */
  unsent(): number;
  close(code: number, reason: string): void;
};

/**
 * `keyHash` names the viewer's key or session, which may be revoked, and which ends at `expiresAt` (null means never).
 * `shopper` is a hash of the buyer, the same for all sockets of one buyer; null for a viewer that buys nothing.
 */
export type Viewer = Crowd & { keyHash: string; expiresAt: number | null; shopper: number | null };

/** How a socket ends. A stream just ends. */
export type End = { code: number; reason: string };

export const closeCodes = {
  goingAway: 1001,
  revoked: 4401,
  deleted: 4404,
  tooSlow: 4408,
  expired: 4419,
  tooManyFrames: 4429,
} as const;

export const ends = {
  comeBack: { code: closeCodes.goingAway, reason: 'come back' },
  shuttingDown: { code: closeCodes.goingAway, reason: 'shutting down' },
  revoked: { code: closeCodes.revoked, reason: 'access revoked' },
  expired: { code: closeCodes.expired, reason: 'access expired' },
  deleted: { code: closeCodes.deleted, reason: 'event deleted' },
  tooSlow: { code: closeCodes.tooSlow, reason: 'too slow' },
  tooManyFrames: { code: closeCodes.tooManyFrames, reason: 'too many frames' },
} satisfies Record<string, End>;

export type Way = { socket: ViewerSocket } | { reader: StreamReader };
/** Each batch has its own topic. The batch of a spared viewer is its socket alone, and belongs to no crowd. */
type OpenBatch = Batch & { topic: string; size: number; readers: Set<StreamReader>; spared: ViewerSocket | null };
type CrowdBatches = { batches: Set<OpenBatch>; made: number };
type Member = { eventKey: string; viewer: Viewer; batch: OpenBatch; way: Way };
const untakenBounds: UntakenBounds = { viewerBytes: viewerSpareBytes, allBytes: viewersBackpressureBytesMax };
/** The untaken bytes of a spared viewer, and the time since when they have not become fewer. */
type Untaken = { bytes: number; since: number };
/**
 * Nobody publishes to this topic. The library forgets the frames of this turn for a socket that leaves its last topic.
 */
const SPARED_TOPIC = 'spared';
type Event = {
  organisationId: string;
  members: Map<ViewerSocket | StreamReader, Member>;
  crowds: Map<string, CrowdBatches>;
};
/** The event that a viewer sees, and the organisation that it belongs to. */
type WatchedEvent = { eventKey: string; organisationId: string };

export class Viewers {
  private readonly shares: Shares;
  private readonly events = new Map<string, Event>();
  private readonly byKey = new Map<string, Set<Member>>();
  private readonly bySecond = new Map<number, Set<Member>>();
  private readonly spared = new Map<Member, Untaken>();

  /** `publishTo` reaches every socket that joined the topic. */
  constructor(
    private readonly publishTo: (topic: string, frame: Frame) => void,
    private readonly onGone: (eventKey: string, viewer: Viewer) => void,
    viewersMax = viewersPerFrontDoorMax,
  ) {
    this.shares = new Shares(viewersMax);
  }

  get count(): number {
    return this.shares.total;
  }

  get sparedCount(): number {
    return this.spared.size;
  }

  /** Whether the organisation finds room for one more viewer, perhaps in place of a viewer of a larger organisation. */
  hasRoom(organisationId: string): boolean {
    return !this.shares.isFull() || this.shares.yieldsTo(organisationId) !== null;
  }

  hasRoomFor(eventKey: string, crowd: Crowd): boolean {
    const event = this.events.get(eventKey);
    return !event || event.crowds.has(nameOf(eventKey, crowd)) || event.crowds.size < audiencesPerEventMax;
  }

  isWatched(eventKey: string): boolean {
    return this.events.has(eventKey);
  }

  /** The number of viewers of an event. */
  countOf(eventKey: string): number {
    return this.events.get(eventKey)?.members.size ?? 0;
  }

  /** The events that have viewers now. */
  eventKeys(): string[] {
    return [...this.events.keys()];
  }

  *batches(eventKey: string): Iterable<Batch> {
    for (const { batches } of this.events.get(eventKey)?.crowds.values() ?? []) yield* batches;
  }

  /**
   * `heard` is the starting state of a new batch, if this viewer is its first. The caller has asked for room
   * (`hasRoom`). At the bound a viewer of the largest organisation is told to come back.
   */
  add({ eventKey, organisationId }: WatchedEvent, viewer: Viewer, heard: BatchVersion, way: Way): void {
    if (this.shares.isFull()) this.closeOneFor(organisationId);
    const event = this.events.get(eventKey) ?? { organisationId, members: new Map(), crowds: new Map() };
    this.events.set(eventKey, event);
    const batch = batchFor(event, eventKey, viewer, heard);
    batch.size++;
    const member: Member = { eventKey, viewer, batch, way };
    event.members.set(keyOf(way), member);
    into(this.byKey, viewer.keyHash, member);
    if (viewer.expiresAt !== null) into(this.bySecond, secondOf(viewer.expiresAt), member);
    this.shares.add(event.organisationId);
    if ('socket' in way) way.socket.join(batch.topic);
    else batch.readers.add(way.reader);
  }

  remove(eventKey: string, who: ViewerSocket | StreamReader): void {
    const event = this.events.get(eventKey);
    const member = event?.members.get(who);
    if (!event || !member) return;
    const { viewer, batch, way } = member;
    event.members.delete(who);
    if ('reader' in way) batch.readers.delete(way.reader);
    if (!this.spared.delete(member) && --batch.size === 0) leaveEmpty(event, eventKey, batch);
    if (event.members.size === 0) this.events.delete(eventKey);
    outOf(this.byKey, viewer.keyHash, member);
    if (viewer.expiresAt !== null) outOf(this.bySecond, secondOf(viewer.expiresAt), member);
    this.shares.remove(event.organisationId);
    this.onGone(eventKey, viewer);
  }

  /** Sends a frame to a batch. Drops readers that are too slow. */
  publish(batch: Batch, frame: Frame): void {
    const { topic, readers, spared } = batch as OpenBatch;
    if (spared) spared.send(frame);
    else this.publishTo(topic, frame);
    for (const reader of [...readers]) {
      if (!reader.write(streamed(frame))) reader.end();
    }
  }

  /** The hashes of the keys and sessions of all viewers. Viewers may come and go while the caller goes through them. */
  keys(): Iterator<string> {
    return this.byKey.keys();
  }

  keyCount(): number {
    return this.byKey.size;
  }

  hasKey(keyHash: string): boolean {
    return this.byKey.has(keyHash);
  }

  /** Closes viewers of a key that is no longer valid: as expired if its time is over, else as revoked. */
  closeKey(keyHash: string, now: number): boolean {
    return this.closeSome(this.byKey.get(keyHash), ({ viewer: { expiresAt } }) =>
      expiresAt !== null && expiresAt <= now ? ends.expired : ends.revoked,
    );
  }

  closeExpired(now: number): boolean {
    for (const [second, members] of this.bySecond) {
      if (second * SECOND_MS <= now) return this.closeSome(members, () => ends.expired) || this.hasExpired(now);
    }
    return false;
  }

  private hasExpired(now: number): boolean {
    for (const second of this.bySecond.keys()) if (second * SECOND_MS <= now) return true;
    return false;
  }

  /**
   * Spares the viewers that do not take their frames. `now` is `Clock.elapsed`.
   *
   * Closes the viewers that are too slow all the same: past the bound of a viewer, or spared for long with no fewer
   * untaken bytes. While all viewers together have too many bytes untaken, closes the slowest viewers, too. The bound
   * of a viewer is below the library's own bound, beyond which a socket would not take the close frame.
   */
  easeSlow(now: number): void {
    const behind: { member: Member; socket: ViewerSocket; bytes: number }[] = [];
    let total = 0;
    for (const { members } of this.events.values()) {
      for (const member of members.values()) {
        if (!('socket' in member.way)) continue;
        const { socket } = member.way;
        const bytes = socket.unsent();
        if (bytes === 0) continue;
        behind.push({ member, socket, bytes });
        total += bytes;
      }
    }
    for (const { member, socket, bytes } of behind.sort((a, b) => b.bytes - a.bytes)) {
      const isTooMuch = bytes > viewerBackpressureBytesMax || total > viewersBackpressureBytesMax;
      if (isTooMuch || this.isStuck(member, bytes, now)) {
        total -= bytes;
        this.close(member, ends.tooSlow);
      } else if (isSpared(bytes, total, untakenBounds)) this.spare(member, socket, bytes, now);
    }
  }

  private isStuck(member: Member, bytes: number, now: number): boolean {
    const spared = this.spared.get(member);
    if (!spared) return false;
    if (bytes >= spared.bytes) return now - spared.since >= stuckMsMax;
    this.spared.set(member, { bytes, since: now });
    return false;
  }

  /** Consoles are not spared: no later frame has the log's entries that they would miss. */
  private spare(member: Member, socket: ViewerSocket, bytes: number, now: number): void {
    const { eventKey, batch, viewer } = member;
    if (this.spared.has(member) || isConsole(viewer.audience)) return;
    const { audience, wire, heard, topic } = batch;
    socket.join(SPARED_TOPIC);
    socket.leave(topic);
    if (--batch.size === 0) leaveEmpty(this.events.get(eventKey)!, eventKey, batch);
    member.batch = { audience, wire, heard: { ...heard }, topic, size: 1, readers: new Set(), spared: socket };
    this.spared.set(member, { bytes, since: now });
  }

  /**
   * Brings spared viewers back that have taken everything. `bringUp` tells a batch everything that it was not told yet.
   * `isOver` ends the turn behind a viewer. A viewer whose crowd is gone, where the event has no room for it, is told
   * to come back.
   */
  bringBack(bringUp: (eventKey: string, batch: Batch) => void, isOver: () => boolean): boolean {
    let back = 0;
    for (const [member] of this.spared) {
      const { eventKey, viewer, batch } = member;
      const socket = batch.spared!;
      if (socket.unsent() > 0) continue;
      if (back === viewersPerTurn || (back > 0 && isOver())) return true;
      back++;
      if (!this.hasRoomFor(eventKey, viewer)) {
        this.close(member, ends.comeBack);
        continue;
      }
      bringUp(eventKey, batch);
      // A socket may end while it is sent a frame.
      if (!this.spared.delete(member)) continue;
      member.batch = batchFor(this.events.get(eventKey)!, eventKey, viewer, batch.heard);
      member.batch.size++;
      socket.join(member.batch.topic);
      socket.leave(SPARED_TOPIC);
    }
    return false;
  }

  closeEvent(eventKey: string, end: End): boolean {
    return this.closeSome(this.events.get(eventKey)?.members.values(), () => end);
  }

  /** Closes a viewer of the largest organisation's most watched event, where the loss is the smallest part. */
  private closeOneFor(organisationId: string): void {
    const largest = this.shares.yieldsTo(organisationId);
    let crowded: Event | null = null;
    for (const event of this.events.values()) {
      if (event.organisationId !== largest) continue;
      if (crowded === null || event.members.size > crowded.members.size) crowded = event;
    }
    const [member] = crowded?.members.values() ?? [];
    if (member) this.close(member, ends.comeBack);
  }

  private closeSome(members: Iterable<Member> = [], endOf: (member: Member) => End): boolean {
    let closed = 0;
    for (const member of members) {
      if (closed === viewersPerTurn) return true;
      this.close(member, endOf(member));
      closed++;
    }
    return false;
  }

  private close({ eventKey, way }: Member, { code, reason }: End): void {
    this.remove(eventKey, keyOf(way));
    if ('socket' in way) way.socket.close(code, reason);
    else way.reader.end();
  }
}

/** A text frame as one server-sent event. Streams have text frames only. */
export function streamed(frame: Frame): string {
  return `data: ${frame}\n\n`;
}

function keyOf(way: Way): ViewerSocket | StreamReader {
  return 'socket' in way ? way.socket : way.reader;
}

/** The first batch with room. */
function batchFor(event: Event, eventKey: string, { audience, wire }: Crowd, heard: BatchVersion): OpenBatch {
  const crowdName = nameOf(eventKey, { audience, wire });
  const crowd = event.crowds.get(crowdName) ?? { batches: new Set(), made: 0 };
  event.crowds.set(crowdName, crowd);
  for (const batch of crowd.batches) if (batch.size < viewersPerTurn) return batch;
  const topic = `${crowdName} ${crowd.made++}`;
  const batch: OpenBatch = { audience, wire, heard, topic, size: 0, readers: new Set(), spared: null };
  crowd.batches.add(batch);
  return batch;
}

function leaveEmpty(event: Event, eventKey: string, batch: OpenBatch): void {
  const crowdName = nameOf(eventKey, batch);
  const crowd = event.crowds.get(crowdName);
  crowd?.batches.delete(batch);
  if (crowd?.batches.size === 0) event.crowds.delete(crowdName);
}

function nameOf(eventKey: string, { audience, wire }: Crowd): string {
  return `${wire} ${audience.id} ${eventKey}`;
}

/** The first whole second at which the access is over. */
function secondOf(expiresAt: number): number {
  return Math.ceil(expiresAt / SECOND_MS);
}

function into<K>(sets: Map<K, Set<Member>>, key: K, member: Member): void {
  const known = sets.get(key);
  if (known) known.add(member);
  else sets.set(key, new Set([member]));
}

function outOf<K>(sets: Map<K, Set<Member>>, key: K, member: Member): void {
  const known = sets.get(key);
  if (known?.delete(member) && known.size === 0) sets.delete(key);
}
