/**
 * Counts the viewers of this front door by client address and by session, so that no stranger fills it. Sockets and
 * event streams count alike. Only names with viewers are kept, so the counts are bounded by `viewersPerFrontDoorMax`.
 * Nothing is awaited.
 */
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import { viewersPerAddressMax, viewersPerSessionMax } from '@parterre/shared/feed-limits';
import type { Viewer } from './viewers.ts';

/** `session` is null for a viewer with a key. A place is freed once. */
export type Place = { readonly address: string | null; readonly session: string | null; isFree: boolean };

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
  readonly #byAddress = new Map<string, number>();
  readonly #bySession = new Map<string, number>();

  /** The refusal if no place is free; null if one is. `address` is null where viewers are not counted. */
  refusal(address: string | null, access: Access): Outcome<never> | null {
    if (address === null) return null;
    if ((this.#byAddress.get(address) ?? 0) >= viewersPerAddressMax) return fromAddress;
    const session = sessionOf(access);
    return session !== null && (this.#bySession.get(session) ?? 0) >= viewersPerSessionMax ? ofSession : null;
  }

  take(address: string | null, access: Access): Outcome<Place> {
    const refused = this.refusal(address, access);
    if (refused) return refused;
    const session = address === null ? null : sessionOf(access);
    this.#add({ address, session }, 1);
    return done({ address, session, isFree: false });
  }

  free(place: Place): void {
    if (place.isFree) return;
    place.isFree = true;
    this.#add(place, -1);
  }

  /** The names that are counted now. */
  get size(): number {
    return this.#byAddress.size + this.#bySession.size;
  }

  #add({ address, session }: Pick<Place, 'address' | 'session'>, difference: number): void {
    if (address !== null) add(this.#byAddress, address, difference);
    if (session !== null) add(this.#bySession, session, difference);
  }
}

function sessionOf({ keyHash, expiresAt }: Access): string | null {
  return expiresAt === null ? null : keyHash;
}

function add(counts: Map<string, number>, name: string, difference: number): void {
  const count = (counts.get(name) ?? 0) + difference;
  if (count === 0) counts.delete(name);
  else counts.set(name, count);
}
