/**
 * Counts the viewers of this front door by client address and by session, so that no stranger fills it. Sockets and
 * event streams count alike. Only names with viewers are kept, so the counts are bounded by `viewersPerFrontDoorMax`.
 * Nothing is awaited.
 *
 * A place also counts the frames that its socket sends, for itself and for its address. The server library answers a
 * ping by itself, so a flood of pings costs the front door's loop without a request. A count begins anew a second after
 * its first frame.
 */
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { SECOND_MS } from '@parterre/shared/runtime/units';
import {
  addressFrameBytesPerSecondMax,
  addressFramesPerSecondMax,
  viewerFrameBytesPerSecondMax,
  viewerFramesPerSecondMax,
  viewersPerAddressMax,
  viewersPerSessionMax,
} from '../feed-limits.ts';
import type { Viewer } from './viewers.ts';

/** `session` is null for a viewer with a key. A place is freed once. */
export type ViewerPlace = {
  readonly address: string | null;
  readonly session: string | null;
  isFree: boolean;
  readonly frames: FrameCount;
};

/** The frames since `from` (`Clock.elapsed`), and their bytes. */
type FrameCount = { from: number; frames: number; bytes: number };
type AddressCount = { viewers: number; readonly frames: FrameCount };

/** A viewer whose access never ends has a key, and no session. */
type Access = Pick<Viewer, 'keyHash' | 'expiresAt'>;

const fromAddress = refuse(
  'rate_limited',
  `At most ${viewersPerAddressMax} sockets and event streams of one network address may be open at a front door. ` +
    'Close others first.',
);
const ofSession = refuse(
  'rate_limited',
  `At most ${viewersPerSessionMax} sockets and event streams of one session may be open at a front door. ` +
    'Close others first.',
);

export class ViewerPlaces {
  readonly #byAddress = new Map<string, AddressCount>();
  readonly #bySession = new Map<string, number>();

  /** The refusal if no place is free; null if one is. `address` is null where viewers are not counted. */
  refusal(address: string | null, access: Access): Outcome<never> | null {
    if (address === null) return null;
    if ((this.#byAddress.get(address)?.viewers ?? 0) >= viewersPerAddressMax) return fromAddress;
    const session = sessionOf(access);
    return session !== null && (this.#bySession.get(session) ?? 0) >= viewersPerSessionMax ? ofSession : null;
  }

  take(address: string | null, access: Access): Outcome<ViewerPlace> {
    const refused = this.refusal(address, access);
    if (refused) return refused;
    const session = address === null ? null : sessionOf(access);
    this.#add({ address, session }, 1);
    return done({ address, session, isFree: false, frames: noFrames() });
  }

  free(place: ViewerPlace): void {
    if (place.isFree) return;
    place.isFree = true;
    this.#add(place, -1);
  }

  /** Counts a frame of the place's socket. False if the socket or its address has sent too much in this second. */
  mayReceive({ address, frames }: ViewerPlace, bytes: number, now: number): boolean {
    const ofSocket = countFrame(frames, bytes, now);
    const ofAddress = address === null ? null : this.#byAddress.get(address);
    const isFew = ofSocket.frames <= viewerFramesPerSecondMax && ofSocket.bytes <= viewerFrameBytesPerSecondMax;
    if (!isFew || !ofAddress) return isFew;
    const { frames: all, bytes: allBytes } = countFrame(ofAddress.frames, bytes, now);
    return all <= addressFramesPerSecondMax && allBytes <= addressFrameBytesPerSecondMax;
  }

  /** The names that are counted now. */
  get size(): number {
    return this.#byAddress.size + this.#bySession.size;
  }

  #add({ address, session }: Pick<ViewerPlace, 'address' | 'session'>, difference: number): void {
    if (address !== null) this.#addToAddress(address, difference);
    if (session !== null) add(this.#bySession, session, difference);
  }

  #addToAddress(address: string, difference: number): void {
    const count = this.#byAddress.get(address) ?? { viewers: 0, frames: noFrames() };
    count.viewers += difference;
    if (count.viewers === 0) this.#byAddress.delete(address);
    else this.#byAddress.set(address, count);
  }
}

function noFrames(): FrameCount {
  return { from: Number.NEGATIVE_INFINITY, frames: 0, bytes: 0 };
}

function countFrame(count: FrameCount, bytes: number, now: number): FrameCount {
  if (now - count.from >= SECOND_MS) Object.assign(count, { from: now, frames: 0, bytes: 0 });
  count.frames++;
  count.bytes += bytes;
  return count;
}

function sessionOf({ keyHash, expiresAt }: Access): string | null {
  return expiresAt === null ? null : keyHash;
}

function add(counts: Map<string, number>, name: string, difference: number): void {
  const count = (counts.get(name) ?? 0) + difference;
  if (count === 0) counts.delete(name);
  else counts.set(name, count);
}
