/** Opens the room of frames: the messages of a feed to its viewers, in their two wires. */
export { encoders } from './encoders.ts';
export type { Encoder, Frame, Presence, Wire } from './frame.ts';
