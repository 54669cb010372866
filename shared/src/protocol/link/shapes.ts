/**
 * The fields of the objects that direct links carry most: the commands and the answers of sales. Both ends know them,
 * so messages name no field of these objects (`encodeShaped` in wire.ts). The order of the fields is the order in which
 * the code makes them; an object with other fields is sent with their names. Raise `linkVersion` when the list changes.
 *
 * A record of a known shape takes one byte where there are at most 32 of them.
 */
const caller = ['source', 'actor', 'accessSource'];
const item = ['label', 'objectId', 'objectType', 'categoryKey', 'tierId', 'unitPrice', 'currency', 'bookingMode'];
const itemOfSale = [...item, 'channelId', 'accessSource', 'releaseId'];

export const shapes: readonly (readonly string[])[] = [
  ['id', 'eventKey', 'caller', 'command'],
  caller,
  [...caller, 'locale'],
  [...caller, 'session'],
  [...caller, 'visitor'],
  ['id', 'maxQuantity'],
  ['type', 'holdId', 'selections'],
  ['type', 'holdId', 'selections', 'fingerprint'],
  ['type', 'holdId', 'selections', 'ttlMs'],
  ['type', 'callId', 'bookingRef', 'holdId'],
  ['type', 'callId', 'bookingRef', 'selections'],
  ['type', 'holdId', 'callId'],
  ['type', 'limit', 'windowMs'],
  ['label'],
  ['label', 'quantity'],
  ['label', 'tierId'],
  ['id', 'kind', 'value', 'version'],
  ['id', 'kind', 'value'],
  ['id', 'kind', 'refusal'],
  ['id', 'kind', 'refusal', 'stands'],
  ['holdId', 'expiresAt', 'items', 'labels', 'currency'],
  ['booked', 'items'],
  itemOfSale,
  [...itemOfSale, 'quantity', 'labels'],
  ['allowed', 'remaining', 'resetAfterMs'],
  ['code', 'message', 'details'],
  ['conflicts'],
  ['label', 'status', 'name'],
];
