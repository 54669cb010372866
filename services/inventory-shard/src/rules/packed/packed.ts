/**
 * Opens the room of packed values: a map that keeps many similar values in few bytes, and the memory weight of plain
 * values.
 */

export { PackedMap, type Packing, withoutDead } from './packed-map.ts';
export { Packer, Unpacker } from './packing.ts';
export { weightOf, weightOfKept } from './weight.ts';
