/** The statuses of an event on the wire and in snapshots: two bits a unit, four units a byte, lowest bits first. */

export function packStatuses(statuses: Uint8Array): Uint8Array {
  const packed = new Uint8Array((statuses.length + 3) >> 2);
  for (let unit = 0; unit < statuses.length; unit++) {
    packed[unit >> 2]! |= statuses[unit]! << ((unit & 3) << 1);
  }
  return packed;
}

export function unpackStatuses(packed: Uint8Array, unitCount: number): Uint8Array {
  const statuses = new Uint8Array(unitCount);
  for (let unit = 0; unit < unitCount; unit++) {
    statuses[unit] = (packed[unit >> 2]! >> ((unit & 3) << 1)) & 3;
  }
  return statuses;
}
