/** What is said to viewers, in either way of writing it (wire contract 8). */
import type { ScopesInForce } from '@parterre/shared/chart/scopes';
import type { LogEntry } from '../logs/event-log.ts';
import type { Audience } from '../pictures/audience.ts';
import type { Changes } from '../pictures/changes.ts';
import type { Picture } from '../pictures/picture.ts';
import { binaryFrames } from './binary-frames.ts';
import type { Wire } from './protocols.ts';
import { textFrames } from './text-frames.ts';

export type Frame = string | Uint8Array;

/** Who is about, on all front doors: distinct buyers who watch, and holds under way. */
export type Presence = { shoppingSessions: number; activeHolds: number };

export type Encoder = {
  pong: Frame;
  /** Told before the snapshot in which it shows. */
  hidden(scopes: ScopesInForce): Frame;
  allocation(version: number): Frame;
  presence(presence: Presence): Frame;
  /** Newest first. */
  activity(entries: readonly LogEntry[]): Frame;
  snapshot(picture: Picture, version: number, audience: Audience): Frame;
  /** `resumed` marks the answer to a viewer that came back. */
  delta(picture: Picture, version: number, audience: Audience, changes: Changes, resumed: boolean): Frame;
};

export const encoders: Record<Wire, Encoder> = { text: textFrames, binary: binaryFrames };
