/**
 * A frame is one message of a feed to a viewer. An encoder writes frames as text or as binary. The OpenAPI description
 * has both forms, as the schemas Frame and BinaryFrame.
 */
import type { ScopesInForce } from '@parterre/shared/charts/scopes';
import type { LogEntry } from '../../logs/logs.ts';
import type { Audience, Changes, Picture } from '../../pictures/pictures.ts';

/** The form of frames: JSON in text messages, or msgpack in binary messages. */
export type Wire = 'text' | 'binary';

export type Frame = string | Uint8Array;

/** Over all front doors: distinct buyers who watch, and active holds. */
export type Presence = { shoppingSessions: number; activeHolds: number };

export type Encoder = {
  pong: Frame;
  /** This frame precedes the snapshot that shows these divisions. */
  hidden(scopes: ScopesInForce): Frame;
  allocation(version: number): Frame;
  presence(presence: Presence): Frame;
  /** Newest first. */
  activity(entries: readonly LogEntry[]): Frame;
  /** `stale`: the event is halted, and this is its last known state. */
  snapshot(picture: Picture, version: number, audience: Audience, stale: boolean): Frame;
  /** `resumed` marks the first frame of a viewer that came back. */
  delta(picture: Picture, version: number, audience: Audience, changes: Changes, resumed: boolean): Frame;
};
