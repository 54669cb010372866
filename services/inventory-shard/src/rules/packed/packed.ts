/**
 * Opens the room of packed values: a map that keeps many similar values in few bytes, the memory weight of plain
 * values, and long work in steps.
 */

export { type CapturedMap, livingOf } from './packed-entries.ts';
export { packedInSteps, unpackedInSteps } from './packed-list.ts';
export { PackedMap, type Packing } from './packed-map.ts';
export { Packer, Unpacker } from './packing.ts';
export { finish, type Steps, sortedInSteps } from './steps.ts';
export { weightOf, weightOfKept } from './weight.ts';
