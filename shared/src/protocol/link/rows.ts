/**
 * The lean form of messages on a direct link. A command of a sale and its answer are rows: fields by position, without
 * names. A message may mix rows with the named form, which everything else keeps. A hold, a booking and a release are
 * answered by JSON text, which the front door passes on to its caller without reading it.
 *
 * Both sides of a link have the same version of rows (`linkVersion` in handshake.ts). NATS has the named form alone. A
 * row that comes over NATS is read all the same.
 */
import type { Answers, HeldAnswer, LineItem } from '../answers.ts';
import type { Caller, Command, CommandType, Envelope, Reply, Stand } from '../commands.ts';
import type { Refusal } from '../errors.ts';
import {
  isPartRow,
  type PartReplyRow,
  type PartRow,
  partOfRow,
  rowOfPart,
  rowOfPartReply,
  standingOfRow,
} from './part-rows.ts';
import {
  isPlainVisitor,
  isSeat,
  plainLabels,
  type RowHead,
  rowOfVisitor,
  type SeatFields,
  selectionsOf,
  sources,
  type VisitorRow,
  visitorOfRow,
  type Whole,
} from './row-fields.ts';

type HoldCommand = Command & { type: 'hold' };
type BookCommand = Command & { type: 'book' };
type ReleaseCommand = Command & { type: 'release' };
type HoldFields = 'type' | 'holdId' | 'selections' | 'ttlMs' | 'replaceHoldId' | 'fingerprint' | 'expectedTotal';
type ReleaseFields = 'type' | 'callId' | 'holdId' | 'labels' | 'fingerprint';
type HeldFields = 'holdId' | 'expiresAt' | 'items' | 'labels' | 'currency';

type SaleRow = [...RowHead<0 | 1 | 2>, name: string, second: string | string[], third?: string | VisitorRow];
/** The last fields are those of the command, in the order of its type. */
export type CommandRow = Envelope | SaleRow | PartRow;

/** Anything but the fields of a row makes a command go in the named form. */
export function rowOfCommand(envelope: Envelope): CommandRow {
  const { id, copy = 0, eventKey, caller, command } = envelope;
  if (command.type === 'hold-part' || command.type === 'pin-part' || command.type === 'book-part') {
    return rowOfPart(envelope, command) ?? envelope;
  }
  const { visitor } = caller;
  if (!isPlainVisitor(caller) || (visitor !== undefined && command.type !== 'hold')) return envelope;
  const source = sources.indexOf(caller.source);
  switch (command.type) {
    case 'hold': {
      const labels = isPlainHold(command) ? plainLabels(command.selections) : null;
      if (labels === null) return envelope;
      if (visitor === undefined) return [0, id, copy, eventKey, source, caller.actor, command.holdId, labels];
      return [0, id, copy, eventKey, source, caller.actor, command.holdId, labels, rowOfVisitor(visitor)];
    }
    case 'book':
      if (!isPlainBooking(command)) return envelope;
      return [1, id, copy, eventKey, source, caller.actor, command.callId, command.bookingRef, command.holdId];
    case 'release':
      if (!isPlainRelease(command)) return envelope;
      return [2, id, copy, eventKey, source, caller.actor, command.callId, command.holdId];
    default:
      return envelope;
  }
}

export function commandOfRow(row: CommandRow): Envelope {
  if (!Array.isArray(row)) return row;
  if (isPartRow(row)) return partOfRow(row);
  const [kind, id, copy, eventKey, source, actor, name, second, third] = row;
  const caller: Caller = { source: sources[source]!, actor, accessSource: 'public' };
  if (typeof third === 'object') caller.visitor = visitorOfRow(third);
  const envelope: Envelope = { id, eventKey, caller, command: commandOf(kind, name, second, third) };
  if (copy > 0) envelope.copy = copy;
  return envelope;
}

function commandOf(kind: SaleRow[0], name: string, second: string | string[], third?: SaleRow[8]): Command {
  switch (kind) {
    case 0:
      return { type: 'hold', holdId: name, selections: selectionsOf(second) };
    case 1:
      return { type: 'book', callId: name, bookingRef: second as string, holdId: third as string };
    case 2:
      return { type: 'release', holdId: second as string, callId: name };
  }
}

function isPlainHold({ ttlMs, replaceHoldId, fingerprint, expectedTotal }: Whole<HoldCommand, HoldFields>): boolean {
  return ttlMs === undefined && replaceHoldId === undefined && fingerprint === undefined && expectedTotal === undefined;
}

function isPlainBooking({
  labels,
}: Whole<BookCommand, 'type' | 'callId' | 'bookingRef' | 'holdId' | 'labels'>): boolean {
  return labels === undefined;
}

function isPlainRelease({ labels, fingerprint }: Whole<ReleaseCommand, ReleaseFields>): boolean {
  return labels === undefined && fingerprint === undefined;
}

/** An answer as JSON text: the object that the named form would carry. */
export class AnswerText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** `copy` and `version` are 0 where the reply has none. */
type OkRow = [kind: 0, id: number, copy: number, version: number, text: string];
type RefusedRow = [
  kind: 1,
  id: number,
  copy: number,
  code: Refusal['code'],
  message: string,
  details: Record<string, unknown>,
  stands?: Stand,
];
export type ReplyRow = Reply | OkRow | RefusedRow | PartReplyRow;

/**
 * `command` is the type of the answered command. A sale of more lines keeps the named form, which may leave in parts.
 */
const linesMax = 64;

export function rowOfReply(reply: Reply, command: CommandType | undefined): ReplyRow {
  const { id, copy = 0 } = reply;
  if (reply.kind === 'ok') {
    const text = textOf(command, reply.value);
    return text === null ? (rowOfPartReply(reply, command) ?? reply) : [0, id, copy, reply.version ?? 0, text];
  }
  if (reply.kind !== 'refused' || command === undefined || reply.version !== undefined) return reply;
  const { code, message, reason, retryable, outcome, details } = reply.refusal;
  if (reason !== undefined || retryable !== undefined || outcome !== undefined) return reply;
  const conflicts = details?.conflicts;
  if (!Array.isArray(conflicts) || conflicts.length > linesMax) return reply;
  const row: RefusedRow = [1, id, copy, code, message, details!];
  if (reply.stands) row.push(reply.stands);
  return row;
}

/** The success of a sale's row has an `AnswerText` as its value. */
export function replyOfRow(row: ReplyRow): Reply {
  if (!Array.isArray(row)) return row;
  const reply = row[0] === 1 ? replyOfRefused(row) : replyOfOk(row);
  if (row[2] > 0) reply.copy = row[2];
  return reply;
}

function replyOfOk(row: OkRow | PartReplyRow): Reply {
  const [kind, id, , version] = row;
  const reply: Reply = { id, kind: 'ok', value: kind === 0 ? new AnswerText(row[4]) : standingOfRow(row) };
  if (version > 0) reply.version = version;
  return reply;
}

function replyOfRefused([, id, , code, message, details, stands]: RefusedRow): Reply {
  const reply: Reply = { id, kind: 'refused', refusal: { code, message, details } };
  if (stands) reply.stands = stands;
  return reply;
}

function textOf(command: CommandType | undefined, value: unknown): string | null {
  switch (command) {
    case 'hold':
      return textOfHeld(value as HeldAnswer);
    case 'book':
      return textOfLabels('booked', (value as Answers['book']).booked);
    case 'release':
      return textOfLabels('released', (value as Answers['release']).released);
    default:
      return null;
  }
}

function textOfLabels(name: string, labels: string[]): string | null {
  return labels.length > linesMax ? null : `{"${name}":${listOf(labels)}}`;
}

function textOfHeld({ holdId, expiresAt, items, labels, currency }: Whole<HeldAnswer, HeldFields>): string | null {
  if (labels.length > linesMax) return null;
  let lines = '';
  for (const item of items) lines += `${lines === '' ? '' : ','}${textOfItem(item)}`;
  const head = `{"holdId":${JSON.stringify(holdId)},"expiresAt":${expiresAt},"items":[${lines}]`;
  return `${head},"labels":${listOf(labels)},"currency":${JSON.stringify(currency)}}`;
}

/** `JSON.stringify` of a list costs more than of its texts. */
function listOf(labels: string[]): string {
  return labels.length === 1 ? `[${JSON.stringify(labels[0])}]` : JSON.stringify(labels);
}

/** The text of a seat is written field by field, in a fifth of the time of `JSON.stringify`. */
function textOfItem(item: Whole<LineItem, SeatFields>): string {
  const { label, objectId, objectType, categoryKey, tierId, unitPrice, currency, bookingMode } = item;
  const { channelId, accessSource, releaseId } = item;
  if (!isSeat(item)) return JSON.stringify(item);
  return (
    `{"label":${JSON.stringify(label)},"objectId":${JSON.stringify(objectId)},"objectType":"${objectType}",` +
    `"categoryKey":${JSON.stringify(categoryKey)},"tierId":${orNull(tierId)},"unitPrice":${unitPrice},` +
    `"currency":${JSON.stringify(currency)},"bookingMode":"${bookingMode}","channelId":${orNull(channelId)},` +
    `"accessSource":"${accessSource}","releaseId":${orNull(releaseId)}}`
  );
}

function orNull(text: string | null): string {
  return text === null ? 'null' : JSON.stringify(text);
}
