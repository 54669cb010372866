/**
 * Opens the room of direct links: frames, the handshake, and bounds. A front door sends its commands to a shard over a
 * socket of its own where it can, and over NATS where it cannot.
 */
import { MIB, SECOND_MS } from '../../runtime/units.ts';

export {
  type BatchFrame,
  batchFrame,
  FrameReader,
  frameKind,
  frameOf,
  readBatch,
  readUndelivered,
  undeliveredBody,
  writeFrame,
} from './frames.ts';
export {
  type Challenge,
  challenge,
  isWelcome,
  type LinkKeys,
  type Proof,
  prove,
  provenKey,
  type Welcome,
  welcome,
} from './handshake.ts';

/** The longest frame before the handshake has ended, and after it. */
export const handshakeFrameBytesMax = 1_024;
export const frameBytesMax = 16 * MIB;
export const handshakeMs = 2 * SECOND_MS;
/** How often a shard says that it is alive. */
export const aliveEveryMs = 250;
/** A link that is silent for this long is closed. */
export const linkSilenceMs = SECOND_MS;
/** A link is closed when more bytes than these wait to be sent: its other side does not read. */
export const linkBacklogBytesMax = 64 * MIB;
