/**
 * The reach that a hold was made with, as the hold keeps it: a letter for public sale and a bit for each channel by its number, which it
 * has for good. A hold of a session with hundreds of channels keeps a hundred characters of it.
 */
import type { Reach } from '@parterre/shared/records';
import type { Channels } from '../channels/channels.ts';

const withPublic = '+';
const withoutPublic = '-';

/** Null for public sale only. Of the channels that the event has: those of a session were made before it. */
export function packReach({ ids }: Channels, reach: Reach | undefined): string | null {
  if (reach === undefined || (reach.includePublic && reach.channelIds.length === 0)) return null;
  const reached = new Set(reach.channelIds);
  const bits = bitsOf(ids, (id) => reached.has(id));
  return `${reach.includePublic ? withPublic : withoutPublic}${bits.toString('base64')}`;
}

export function unpackReach({ ids }: Channels, packed: string): Reach {
  const bits = bitsIn(packed);
  return { channelIds: ids.filter((_, index) => has(bits, index)), includePublic: packed.startsWith(withPublic) };
}

/**
 * Whether a hold is in this reach. An archived channel is taken out of the sessions that have others, and these keep their holds: it
 * counts on neither side, but where one of them has no other.
 */
export function isMadeWith(channels: Channels, packed: string | null, reach: Reach | undefined): boolean {
  const own = packReach(channels, reach);
  if (packed === own) return true;
  if (packed === null || own === null || packed[0] !== own[0]) return false;
  const live = liveIn(channels, packed);
  return live.length > 0 && live.equals(liveIn(channels, own));
}

function liveIn({ ids, byId }: Channels, packed: string): Buffer {
  const bits = bitsIn(packed);
  return bitsOf(ids, (id, index) => has(bits, index) && byId.get(id)!.state !== 'archived');
}

/** As many bytes as the last of them needs, so that later channels change nothing. */
function bitsOf(ids: readonly string[], isIn: (id: string, index: number) => boolean): Buffer {
  const bits = Buffer.alloc((ids.length + 7) >> 3);
  let length = 0;
  for (const [index, id] of ids.entries()) {
    if (!isIn(id, index)) continue;
    bits[index >> 3]! |= 1 << (index & 7);
    length = (index >> 3) + 1;
  }
  return bits.subarray(0, length);
}

function bitsIn(packed: string): Buffer {
  return Buffer.from(packed.slice(1), 'base64');
}

function has(bits: Buffer, index: number): boolean {
  return ((bits[index >> 3] ?? 0) & (1 << (index & 7))) !== 0;
}
