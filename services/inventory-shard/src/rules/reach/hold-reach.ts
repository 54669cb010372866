/**
 * The reach that a hold was made with, as the hold stores it: a character for public sale, and a bit for each channel
 * by its number, which never changes. A hold of a session with hundreds of channels stores about a hundred characters.
 */
import type { Reach } from '@parterre/shared/protocol/records';
import type { ReadState } from '../state/state.ts';

const withPublic = '+';
const withoutPublic = '-';

/** Null for public sale only. Only channels of the event count: the channels of a session exist before the session. */
export function packReach({ ids }: ReadState['channels'], reach: Reach | undefined): string | null {
  if (reach === undefined || (reach.includePublic && reach.channelIds.length === 0)) return null;
  const reached = new Set(reach.channelIds);
  const bits = bitsOf(ids, (id) => reached.has(id));
  return `${reach.includePublic ? withPublic : withoutPublic}${bits.toString('base64')}`;
}

export function unpackReach({ ids }: ReadState['channels'], packed: string): Reach {
  const bits = bitsIn(packed);
  return { channelIds: ids.filter((_, index) => has(bits, index)), includePublic: packed.startsWith(withPublic) };
}

/**
 * Whether a hold was made with this reach. Archiving a channel removes it from sessions that also have other channels,
 * and such sessions keep their holds. Archived channels are therefore ignored on both sides, unless one side has no
 * other channel.
 */
export function isMadeWith(channels: ReadState['channels'], packed: string | null, reach: Reach | undefined): boolean {
  const own = packReach(channels, reach);
  if (packed === own) return true;
  if (packed === null || own === null || packed[0] !== own[0]) return false;
  const live = liveIn(channels, packed);
  return live.length > 0 && live.equals(liveIn(channels, own));
}

function liveIn({ ids, byId }: ReadState['channels'], packed: string): Buffer {
  const bits = bitsIn(packed);
  return bitsOf(ids, (id, index) => has(bits, index) && byId.get(id)!.state !== 'archived');
}

/** As many bytes as the last set bit needs, so that later channels change nothing. */
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
