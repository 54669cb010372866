/**
 * The replicas of events that somebody watches or reads, and their viewers (viewers.ts). A replica lives while it has viewers and
 * IDLE_MS after its last use, one an event however many they are; every CHECK_MS, and after the link to NATS was lost, watched
 * ones ask for the latest version, so that a change whose announcement was lost with its sender is seen as well.
 *
 * States of an event here: absent → loading → live → absent. Failure at the await of the first view: those who wait
 * hear it, and nothing is kept. Of looking up whether a key stands: unknown counts as yes, and the next check asks again.
 */
import type { EventRecord } from '@parterre/shared/catalog/events';
import type { Clock } from '@parterre/shared/clock';
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import { keyChecksAtOnce, replicasPerFrontDoorMax, viewersPerFrontDoorMax } from '@parterre/shared/limits';
import type { EventStatus, FeedChange } from '@parterre/shared/records';
import { createTurns } from '@parterre/shared/turns';
import type { StreamReader } from '../answer.ts';
import type { EventAddress } from '../placement.ts';
import { serverAudience } from '../rules/audience.ts';
import type { Frame } from './frames.ts';
import { Replica, type ReplicaPorts } from './replica.ts';
import type { Crowd } from './teller.ts';
import { closeCodes, streamed, type Viewer, type ViewerSocket, Viewers } from './viewers.ts';

export type FeedsPorts = Pick<ReplicaPorts, 'planOf' | 'onFault'> & {
  clock: Clock;
  viewOf(event: EventAddress): ReturnType<ReplicaPorts['viewOf']>;
  versionOf(event: EventAddress): ReturnType<ReplicaPorts['versionOf']>;
  /** Calls `onChange` for every announced change of an event; the result ends it. */
  listen(event: EventAddress, onChange: (change: FeedChange) => void): () => void;
  /** To every socket that joined the topic. */
  publish(topic: string, frame: Frame): void;
  onEventStatus(eventKey: string, status: EventStatus): void;
  /** Whether a key or session still stands. */
  stands(keyHash: string): Promise<boolean>;
};

const IDLE_MS = 60_000;
const CHECK_MS = 10_000;
const EXPIRY_SWEEP_MS = 1_000;

type Watched = {
  replica: Replica;
  ready: Promise<Outcome<true>>;
  stopListening: () => void;
  lastUsedAt: number;
};

export class Feeds {
  private readonly events = new Map<string, Watched>();
  private readonly viewers: Viewers;
  private readonly keyChecks = createTurns(keyChecksAtOnce);
  private checkingKeys = false;
  private keysDue = false;

  constructor(private readonly ports: FeedsPorts) {
    this.viewers = new Viewers(ports.publish);
    this.armUpkeep();
    this.armExpirySweep();
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
    return this.viewers.count < viewersPerFrontDoorMax;
  }

  /** Frames are made once for each audience, so that these are bounded too. */
  hasRoomFor({ eventKey }: Replica, crowd: Crowd): boolean {
    return this.viewers.hasRoomFor(eventKey, crowd);
  }

  viewerCount(): number {
    return this.viewers.count;
  }

  private watch(event: EventAddress): Watched | null {
    if (this.events.size >= replicasPerFrontDoorMax && !this.dropIdlest()) return null;
    const { key: eventKey, region } = event;
    const address = { key: eventKey, region };
    const replica = new Replica(eventKey, {
      ...this.ports,
      viewOf: () => this.ports.viewOf(address),
      versionOf: () => this.ports.versionOf(address),
      crowds: () => this.viewers.crowds(eventKey),
      publish: (crowd, frame) => this.viewers.publish(eventKey, crowd, frame),
      onEventStatus: (status) => this.onEventStatus(eventKey, status),
    });
    // Listening comes before the view, so that no change falls between them.
    const stopListening = this.ports.listen(address, (change) => replica.onChange(change));
    const ready = replica.catchUp();
    const lastUsedAt = this.ports.clock.now();
    const watched: Watched = { replica, ready, stopListening, lastUsedAt };
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
      if (this.viewers.isWatched(entry[0])) continue;
      if (idlest === null || entry[1].lastUsedAt < idlest[1].lastUsedAt) idlest = entry;
    }
    if (idlest) this.drop(...idlest);
    return idlest !== null;
  }

  /** A socket is open: it hears all from the version on that everybody was told last, which its first frames bring it to. */
  join(replica: Replica, socket: ViewerSocket, viewer: Viewer, resumeFrom: number | null): void {
    const { eventKey } = replica;
    if (this.events.get(eventKey)?.replica !== replica || !this.viewers.hasRoomFor(eventKey, viewer)) {
      socket.close(closeCodes.goingAway, 'come back');
      return;
    }
    const frames = replica.firstFrames(viewer, resumeFrom);
    this.viewers.add(eventKey, viewer, { socket });
    for (const frame of frames) socket.send(frame);
    this.lookUp(viewer.keyHash);
  }

  leave(replica: Replica, socket: ViewerSocket): void {
    this.viewers.remove(replica.eventKey, socket);
    this.noteUse(replica);
  }

  /** The same frames as server-sent events, for a server that reads with plain HTTP. */
  stream(replica: Replica, access: Pick<Viewer, 'keyHash' | 'expiresAt'>, reader: StreamReader): () => void {
    const { eventKey } = replica;
    if (this.events.get(eventKey)?.replica !== replica) {
      reader.end();
      return () => {};
    }
    const viewer: Viewer = { audience: serverAudience, wire: 'text', ...access };
    const frames = replica.firstFrames(viewer, null);
    this.viewers.add(eventKey, viewer, { reader });
    for (const frame of frames) reader.write(streamed(frame));
    this.lookUp(viewer.keyHash);
    return () => {
      this.viewers.remove(eventKey, reader);
      this.noteUse(replica);
    };
  }

  private noteUse(replica: Replica): void {
    const watched = this.events.get(replica.eventKey);
    if (watched) watched.lastUsedAt = this.ports.clock.now();
  }

  private onEventStatus(eventKey: string, status: EventStatus): void {
    this.ports.onEventStatus(eventKey, status);
    if (status === 'deleted') this.viewers.closeEvent(eventKey, closeCodes.deleted, 'event deleted');
  }

  /** A key or session was changed: if it does not stand any more, its viewers are sent away. */
  async onKeyChanged(keyHash: string): Promise<void> {
    if (!this.viewers.hasKey(keyHash)) return;
    if (await this.ports.stands(keyHash)) return;
    this.viewers.closeKey(keyHash, this.ports.clock.now());
  }

  /** A revocation that was announced while its holder came in found no viewer yet. */
  private lookUp(keyHash: string): void {
    this.onKeyChanged(keyHash).catch(this.ports.onFault);
  }

  /** A revocation may have been announced while this front door or the catalog could not be reached. */
  private async checkKeys(): Promise<void> {
    this.keysDue = true;
    if (this.checkingKeys) return;
    this.checkingKeys = true;
    try {
      while (this.keysDue) {
        this.keysDue = false;
        await Promise.all([...this.viewers.keys()].map((key) => this.keyChecks(() => this.onKeyChanged(key))));
      }
    } finally {
      this.checkingKeys = false;
    }
  }

  /** Changes may have been missed: everything watched is compared with its actor, and every viewer's key looked up. */
  resync(): void {
    this.checkKeys().catch(this.ports.onFault);
    for (const { replica } of this.events.values()) replica.check().catch(this.ports.onFault);
  }

  closeAll(): void {
    for (const [eventKey, watched] of [...this.events]) {
      this.viewers.closeEvent(eventKey, closeCodes.goingAway, 'shutting down');
      this.drop(eventKey, watched);
    }
  }

  private armUpkeep(): void {
    this.ports.clock.after(CHECK_MS, () => {
      const now = this.ports.clock.now();
      this.checkKeys().catch(this.ports.onFault);
      for (const [eventKey, watched] of [...this.events]) {
        const idleMs = this.viewers.isWatched(eventKey) ? 0 : now - watched.lastUsedAt;
        if (idleMs < CHECK_MS) watched.replica.check().catch(this.ports.onFault);
        else if (idleMs > IDLE_MS) this.drop(eventKey, watched);
      }
      this.armUpkeep();
    });
  }

  private armExpirySweep(): void {
    this.ports.clock.after(EXPIRY_SWEEP_MS, () => {
      this.viewers.closeExpired(this.ports.clock.now());
      this.armExpirySweep();
    });
  }
}
