/**
 * Estimates the bytes of records in a journal message, never too low (I8). Settings are measured, since callers may
 * make them long. Records that name units are estimated by the number of units and the texts of their lines.
 */
import { refuse } from '@parterre/shared/protocol/errors';
import type { OperationHead, OperationTag, PartAction } from '@parterre/shared/protocol/operations/operation';
import type { Attribution, JournalRecord, Line } from '@parterre/shared/protocol/records';

/** Bytes of a record of any kind: its names, times and references, without the parts that are counted apart. */
const perRecord = 400;
const perUnit = 5;
/** The most bytes of a character in a text that is not measured. */
const perCharacter = 3;
/** Bytes of the names and numbers of a line, and of a text field besides its text. */
const perLine = 70;
const perTextField = 16;
/** Bytes of the names, kinds and numbers in the words of an operation, besides their texts. */
const perNames = 150;
/** Bytes of the kind and length of a value in settings. */
const perValue = 9;

/** The refusal of a command whose records no group can hold. */
export const tooLong = refuse(
  'payload_too_large',
  'The call changes more units than one commit can store. Split it into several calls.',
);

export function bytesOfRecords(records: readonly JournalRecord[]): number {
  let bytes = 0;
  for (const record of records) bytes += bytesOfRecord(record);
  return bytes;
}

export function bytesOfRecord(record: JournalRecord): number {
  let bytes = perRecord;
  if ('lines' in record) bytes += bytesOfLines(record.lines);
  if ('units' in record) bytes += perUnit * record.units.length;
  if ('freed' in record && record.freed) bytes += bytesOfLines(record.freed.lines);
  if ('kept' in record && record.kept) bytes += perUnit * record.kept.length;
  if ('bookingRef' in record) bytes += perCharacter * record.bookingRef.length;
  if ('resale' in record && record.resale) bytes += encodedBytesOf(record.resale);
  if ('passed' in record && record.passed) bytes += encodedBytesOf(record.passed);
  if ('givenUp' in record) bytes += perUnit * record.givenUp.length;
  if ('blocked' in record && record.blocked) bytes += perUnit * record.blocked.length;
  if ('reservationId' in record) bytes += encodedBytesOf(record.name);
  if ('reason' in record && record.reason != null) bytes += encodedBytesOf(record.reason);
  if ('channelRefs' in record && record.channelRefs) bytes += encodedBytesOf(record.channelRefs);
  if ('note' in record && record.note != null) bytes += encodedBytesOf(record.note);
  if ('fingerprint' in record && record.fingerprint !== undefined) bytes += encodedBytesOf(record.fingerprint);
  if (record.type === 'blocked' && record.overridden) bytes += bytesOfAttribution({ overridden: record.overridden });
  if (record.type === 'held' || record.type === 'booked' || record.type === 'exchanged')
    bytes += bytesOfAttribution(record);
  if (record.type === 'exchanged-with') bytes += bytesOfAttribution(record) + bytesOfTerms(record);
  if ('visitors' in record && record.visitors) bytes += encodedBytesOf(record.visitors);
  return bytes + bytesOfSettings(record);
}

function bytesOfAttribution({ reach, sessionId, partnerRef, buyerRef, overridden, operation }: Attribution): number {
  let bytes = encodedBytesOfText(sessionId) + encodedBytesOfText(partnerRef) + encodedBytesOfText(buyerRef);
  if (reach) bytes += encodedBytesOf(reach);
  if (operation) bytes += bytesOfTag(operation);
  if (overridden) bytes += perUnit * overridden.units.length + encodedBytesOf(overridden.reason);
  return bytes;
}

function bytesOfTerms({ waived, swappedWith, other }: JournalRecord & { type: 'exchanged-with' }): number {
  const bytes = encodedBytesOfText(swappedWith) + (waived ? encodedBytesOf(waived) : 0);
  return bytes + (other ? encodedBytesOf(other) : 0);
}

function bytesOfSettings(record: JournalRecord): number {
  switch (record.type) {
    case 'created':
      return encodedBytesOf(record.config);
    case 'event-configured':
      return encodedBytesOf(record.sectionStates) + encodedBytesOf(record.selectionRules);
    case 'public-sale-set':
      return encodedBytesOf(record.publicSale);
    case 'sale-settings-set':
      return encodedBytesOf(record.settings);
    case 'configured':
      return encodedBytesOf(record.sectionStates) + encodedBytesOf(record.facts);
    case 'availability-set':
      return encodedBytesOf(record.rules);
    case 'releases-set':
      return encodedBytesOf(record.releases);
    case 'revealed':
      return encodedBytesOf(record.scopes);
    case 'channel-created':
      return encodedBytesOf(record.channel);
    case 'channel-changed':
      return encodedBytesOf(record.change);
    case 'channels-assigned':
      return encodedBytesOf(record.buckets);
    case 'part-held':
    case 'operation-aborted':
      return bytesOfHead(record.head);
    case 'part-pinned':
      return bytesOfAction(record.action);
    case 'locked':
    case 'lock-drained':
    case 'unlocked':
    case 'reserved':
    case 'unreserved':
      return encodedBytesOf(record.owner);
    case 'chart-updated':
      return bytesOfDropped(record) + 2 * perUnit * (record.renumbered?.from.length ?? 0);
    case 'chart-set':
      return encodedBytesOf(record.chartId);
    case 'renumbered':
      return encodedBytesOf(record.labels);
    default:
      return 0;
  }
}

/** Every sale of a group has these. So they are estimated field by field, which costs a fifth of `encodedBytesOf`. */
function bytesOfHead(head: OperationHead): number {
  let bytes = bytesOfTag(head) + perNames + perCharacter * (head.planActivationId?.length ?? 0);
  for (const eventKey of head.eventKeys) bytes += perTextField + perCharacter * eventKey.length;
  return bytes;
}

function bytesOfTag({ id, owner, operationId, actionId = '' }: OperationTag): number {
  return perNames + perCharacter * (id.length + owner.key.length + operationId.length + actionId.length);
}

function bytesOfAction({ id, bookingRef }: PartAction): number {
  return perNames + perCharacter * (id.length + (bookingRef?.length ?? 0));
}

function bytesOfDropped(record: JournalRecord & { type: 'chart-updated' }): number {
  const { droppedScopes, unblocked = [], droppedAssignments = [], droppedPrices } = record;
  let bytes = encodedBytesOf(droppedScopes) + encodedBytesOf(droppedPrices) + perUnit * unblocked.length;
  for (const { channelId, units } of droppedAssignments)
    bytes += encodedBytesOf({ channelId }) + perUnit * units.length;
  return bytes;
}

/** Lines of one call usually share their texts, so texts are measured only where they change. */
function bytesOfLines(lines: readonly Line[]): number {
  let bytes = perLine * lines.length;
  let before: Line | undefined;
  let texts = 0;
  for (const line of lines) {
    if (
      line.tierId !== before?.tierId ||
      line.channelId !== before?.channelId ||
      line.releaseId !== before?.releaseId ||
      line.accessSource !== before?.accessSource ||
      line.fees !== before?.fees
    ) {
      texts = encodedBytesOfText(line.tierId) + encodedBytesOfText(line.channelId) + encodedBytesOfText(line.releaseId);
      texts += encodedBytesOfText(line.accessSource) + encodedBytesOfText(line.fees);
    }
    bytes += texts;
    before = line;
  }
  return bytes;
}

function encodedBytesOfText(text: string | undefined): number {
  return text === undefined ? 0 : perTextField + Buffer.byteLength(text);
}

function encodedBytesOf(value: unknown): number {
  if (typeof value === 'string') return (value.length < 2 ** 8 ? 3 : 5) + Buffer.byteLength(value);
  if (typeof value !== 'object' || value === null) return perValue;
  let bytes = perValue;
  if (Array.isArray(value)) for (const each of value) bytes += encodedBytesOf(each);
  else for (const [name, each] of Object.entries(value)) bytes += encodedBytesOf(name) + encodedBytesOf(each);
  return bytes;
}
