/** The encoders of frames, by wire. */
import { binaryFrames } from './binary-frames.ts';
import type { Encoder, Wire } from './frame.ts';
import { textFrames } from './text-frames.ts';

export const encoders: Record<Wire, Encoder> = { text: textFrames, binary: binaryFrames };
