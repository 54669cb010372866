/**
 * The replicas of events that somebody watches or reads, and who watches them. A replica lives while it has viewers and
 * IDLE_MS after its last use; every RESYNC_MS, and after the link to NATS was lost, watched ones ask for the view again,
 * so that a change whose announcement was lost with its sender is seen as well.
 *
 * States of an event here: absent → loading → live → absent. Failure at the await of the first view: those who wait
 * hear it, and nothing is kept.
 */
import type { EventRecord } from '@parterre/shared/catalog/events';
import type { Clock } from '@parterre/shared/clock';
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import { viewersPerFrontDoorMax } from '@parterre/shared/limits';
import type { EventStatus, FeedChange } from '@parterre/shared/records';
import type { StreamReader } from '../answer.ts';
import type { EventAddress } from '../placement.ts';
import type { Audience } from '../rules/objects.ts';
import { Replica, type ReplicaPorts } from './replica.ts';

/** A WebSocket of a viewer, as much of it as is needed here. */
export type ViewerSocket = {
  send(frame: string): void;
  join(topic: string): void;
  close(code: number, reason: string): void;
};

export type Viewer = { audience: Audience; keyHash: string; resumeFrom: number | null };

export type FeedsPorts = Omit<ReplicaPorts, 'viewOf' | 'publish' | 'hasViewers'> & {
  clock: Clock;
  viewOf(event: EventAddress): ReturnType<ReplicaPorts['viewOf']>;
  /** Calls `onChange` for every announced change of an event; the result ends it. */
  listen(event: EventAddress, onChange: (change: FeedChange) => void): () => void;
  /** To every socket that joined the topic. */
  publish(topic: string, frame: string): void;
  /** Whether a key still stands. */
  stands(keyHash: string): Promise<boolean>;
};

const IDLE_MS = 60_000;
const RESYNC_MS = 10_000;
const REPLICAS_MAX = 2_000;

export const closeCodes = { goingAway: 1001, revoked: 4401, deleted: 4404, tooSlow: 4408 } as const;

type Watched = {
  replica: Replica;
  ready: Promise<Outcome<true>>;
  stopListening: () => void;
  lastUsedAt: number;
  sockets: Map<ViewerSocket, Viewer>;
  streams: Map<StreamReader, Viewer>;
};

export class Feeds {
  private readonly events = new Map<string, Watched>();
  private viewerCount = 0;

  constructor(private readonly ports: FeedsPorts) {
    this.armUpkeep();
  }

  async replicaOf(event: EventRecord): Promise<Outcome<Replica>> {
    const watched = this.events.get(event.key) ?? this.watch(event);
    if (watched === null)
      return refuse('overloaded', 'Too many events are watched here. Try again.', { retryable: true });
    watched.lastUsedAt = this.ports.clock.now();
    const ready = await watched.ready;
    return ready.ok ? done(watched.replica) : ready;
  }

  hasRoom(): boolean {
    return this.viewerCount < viewersPerFrontDoorMax;
  }

  viewers(): number {
    return this.viewerCount;
  }

  private watch(event: EventAddress): Watched | null {
    if (this.events.size >= REPLICAS_MAX && !this.dropIdlest()) return null;
    const { key: eventKey, region } = event;
    const address = { key: eventKey, region };
    const replica = new Replica(eventKey, {
      ...this.ports,
      viewOf: () => this.ports.viewOf(address),
      publish: (key, audience, frame) => this.publish(key, audience, frame),
      hasViewers: (key, audience) => this.hasViewers(key, audience),
      onEventStatus: (key, status) => this.onEventStatus(key, status),
    });
    // Listening comes before the view, so that no change falls between them.
    const stopListening = this.ports.listen(address, (change) => replica.onChange(change));
    const ready = replica.catchUp();
    const lastUsedAt = this.ports.clock.now();
    const watched: Watched = { replica, ready, stopListening, lastUsedAt, sockets: new Map(), streams: new Map() };
    this.events.set(eventKey, watched);
    ready.then(
      (outcome) => outcome.ok || this.drop(eventKey, watched),
      () => this.drop(eventKey, watched),
    );
    return watched;
  }

  private drop(eventKey: string, watched: Watched): void {
    watched.stopListening();
    watched.replica.close();
    if (this.events.get(eventKey) === watched) this.events.delete(eventKey);
  }

  private dropIdlest(): boolean {
    let idlest: [string, Watched] | null = null;
    for (const entry of this.events) {
      if (isWatched(entry[1])) continue;
      if (idlest === null || entry[1].lastUsedAt < idlest[1].lastUsedAt) idlest = entry;
    }
    if (idlest) this.drop(...idlest);
    return idlest !== null;
  }

  /** A socket is open: it hears all from the replica's present version on, which its first frame brings it to. */
  join(replica: Replica, socket: ViewerSocket, viewer: Viewer): void {
    const watched = this.events.get(replica.eventKey);
    if (watched?.replica !== replica) {
      socket.close(closeCodes.goingAway, 'come back');
      return;
    }
    replica.tell();
    watched.sockets.set(socket, viewer);
    this.viewerCount++;
    socket.join(topicOf(replica.eventKey, viewer.audience));
    socket.send(replica.firstFrame(viewer.audience, viewer.resumeFrom));
  }

  leave(replica: Replica, socket: ViewerSocket): void {
    const watched = this.events.get(replica.eventKey);
    if (!watched?.sockets.delete(socket)) return;
    this.viewerCount--;
    watched.lastUsedAt = this.ports.clock.now();
  }

  /** The same frames as server-sent events, for a server that reads with plain HTTP. */
  stream(replica: Replica, keyHash: string, reader: StreamReader): () => void {
    const watched = this.events.get(replica.eventKey);
    if (watched?.replica !== replica) {
      reader.end();
      return () => {};
    }
    replica.tell();
    this.viewerCount++;
    watched.streams.set(reader, { audience: 'server', keyHash, resumeFrom: null });
    reader.write(`data: ${replica.firstFrame('server', null)}\n\n`);
    return () => {
      if (watched.streams.delete(reader)) this.viewerCount--;
    };
  }

  private publish(eventKey: string, audience: Audience, frame: string): void {
    this.ports.publish(topicOf(eventKey, audience), frame);
    const streams = audience === 'server' ? this.events.get(eventKey)?.streams.keys() : undefined;
    for (const reader of [...(streams ?? [])]) {
      if (!reader.write(`data: ${frame}\n\n`)) reader.end();
    }
  }

  private hasViewers(eventKey: string, audience: Audience): boolean {
    const watched = this.events.get(eventKey);
    if (!watched) return false;
    if (audience === 'server' && watched.streams.size > 0) return true;
    for (const viewer of watched.sockets.values()) if (viewer.audience === audience) return true;
    return false;
  }

  private onEventStatus(eventKey: string, status: EventStatus): void {
    this.ports.onEventStatus(eventKey, status);
    const watched = this.events.get(eventKey);
    if (status === 'deleted' && watched) this.closeViewers(watched, () => true, closeCodes.deleted, 'event deleted');
  }

  /** A key was changed: if it does not stand any more, its viewers are sent away for good. */
  async onKeyChanged(keyHash: string): Promise<void> {
    if (await this.ports.stands(keyHash)) return;
    for (const watched of this.events.values()) {
      this.closeViewers(watched, (viewer) => viewer.keyHash === keyHash, closeCodes.revoked, 'access revoked');
    }
  }

  /** A revocation may have been announced while this front door or the catalog could not be reached. */
  private async checkKeys(): Promise<void> {
    const hashes = new Set<string>();
    for (const { sockets, streams } of this.events.values()) {
      for (const viewer of sockets.values()) hashes.add(viewer.keyHash);
      for (const viewer of streams.values()) hashes.add(viewer.keyHash);
    }
    await Promise.all([...hashes].map((keyHash) => this.onKeyChanged(keyHash)));
  }

  /** Changes may have been missed: everything watched is compared with its actor, and every viewer's key looked up. */
  resync(): void {
    this.checkKeys().catch(this.ports.onFault);
    for (const { replica } of this.events.values()) replica.catchUp().catch(this.ports.onFault);
  }

  closeAll(): void {
    for (const [eventKey, watched] of [...this.events]) {
      this.closeViewers(watched, () => true, closeCodes.goingAway, 'shutting down');
      this.drop(eventKey, watched);
    }
  }

  private closeViewers(watched: Watched, which: (viewer: Viewer) => boolean, code: number, reason: string): void {
    for (const [socket, viewer] of [...watched.sockets]) if (which(viewer)) socket.close(code, reason);
    for (const [reader, viewer] of [...watched.streams]) if (which(viewer)) reader.end();
  }

  private armUpkeep(): void {
    this.ports.clock.after(RESYNC_MS, () => {
      const now = this.ports.clock.now();
      this.checkKeys().catch(this.ports.onFault);
      for (const [eventKey, watched] of [...this.events]) {
        const idleMs = isWatched(watched) ? 0 : now - watched.lastUsedAt;
        if (idleMs < RESYNC_MS) watched.replica.catchUp().catch(this.ports.onFault);
        else if (idleMs > IDLE_MS) this.drop(eventKey, watched);
      }
      this.armUpkeep();
    });
  }
}

function topicOf(eventKey: string, audience: Audience): string {
  return `${audience} ${eventKey}`;
}

function isWatched(watched: Watched): boolean {
  return watched.sockets.size > 0 || watched.streams.size > 0;
}
