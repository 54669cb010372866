/**
 * Rows of operations over several events: the hold, the pin and the booking of a part, and the part in their answers.
 * The coordinator reads these answers, so they are fields by position and not text. A hold of a buyer with rights of
 * their own, a hold at an expected price, and everything else about parts, keeps the named form (rows.ts).
 */
import type { HeldPart, LineItem } from '../answers.ts';
import type { Caller, Command, CommandType, Envelope, Reply } from '../commands.ts';
import type { OperationHead, OperationOwner, PartAction, PartStanding, PartState } from '../operations/operation.ts';
import type { AccessSource } from '../records.ts';
import {
  type CallerFields,
  isPlain,
  isSeat,
  isWithoutMore,
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

type HoldPart = Command & { type: 'hold-part' };
type PinPart = Command & { type: 'pin-part' };
type BookPart = Command & { type: 'book-part' };

/** `quantity`: the session's `maxQuantity`, or false for a caller without a session. A session's actor is its id. */
type HoldRow = [
  ...RowHead<3>,
  accessSource: AccessSource,
  quantity: number | null | false,
  head: HeadRow,
  labels: string | string[],
  expiresAt: number,
  actsUntil: number,
  fingerprint: string,
  visitor?: VisitorRow,
];
type HeadRow = [
  id: string,
  kind: OperationOwner['kind'],
  key: string,
  operationId: string,
  eventKeys: string[],
  mode: NonNullable<OperationHead['selectionMode']> | null,
  revision: number | null,
  planActivationId: string | null,
];
type ActionRow = [id: string, isBooking: boolean, bookingRef: string | null];
type PinRow = [...RowHead<4>, id: string, action: ActionRow, actsUntil: number, eventKeys: readonly string[] | null];
type BookRow = [...RowHead<5>, id: string, actionId: string, bookingRef: string];
export type PartRow = HoldRow | PinRow | BookRow;

/** The kinds of rows of sales are lower. */
export function isPartRow(row: PartRow | readonly [kind: 0 | 1 | 2, ...unknown[]]): row is PartRow {
  return row[0] >= 3;
}

/** Null for a command that keeps the named form. */
export function rowOfPart(envelope: Envelope, command: HoldPart | PinPart | BookPart): PartRow | null {
  const { id, copy = 0, eventKey, caller } = envelope;
  const source = sources.indexOf(caller.source);
  const { actor } = caller;
  switch (command.type) {
    case 'hold-part': {
      const { head, selections, expiresAt, actsUntil, fingerprint, expectedTotal }: Whole<HoldPart, HoldFields> =
        command;
      const labels = plainLabels(selections);
      const quantity = quantityOf(caller);
      if (labels === null || quantity === undefined || expectedTotal !== undefined) return null;
      const facts = [labels, expiresAt, actsUntil, fingerprint] as const;
      const sold = [caller.accessSource, quantity, rowOfHead(head), ...facts] as const;
      const { visitor } = caller;
      if (visitor === undefined) return [3, id, copy, eventKey, source, actor, ...sold];
      return [3, id, copy, eventKey, source, actor, ...sold, rowOfVisitor(visitor)];
    }
    case 'pin-part': {
      if (!isPlain(caller)) return null;
      const { id: part, action, actsUntil, eventKeys }: Whole<PinPart, PinFields> = command;
      return [4, id, copy, eventKey, source, actor, part, rowOfAction(action), actsUntil, eventKeys ?? null];
    }
    case 'book-part': {
      if (!isPlain(caller)) return null;
      const { id: part, actionId, bookingRef }: Whole<BookPart, BookFields> = command;
      return [5, id, copy, eventKey, source, actor, part, actionId, bookingRef];
    }
  }
}

type HoldFields = 'type' | 'head' | 'selections' | 'expiresAt' | 'actsUntil' | 'fingerprint' | 'expectedTotal';
type PinFields = 'type' | 'id' | 'action' | 'actsUntil' | 'eventKeys';
type BookFields = 'type' | 'id' | 'actionId' | 'bookingRef';

/** Undefined for a caller with more than a session. */
function quantityOf(caller: Whole<Caller, CallerFields>): number | null | false | undefined {
  const { session, actor } = caller;
  if (!isWithoutMore(caller)) return undefined;
  if (session === undefined) return false;
  return session.id === actor ? session.maxQuantity : undefined;
}

type HeadFields = 'id' | 'owner' | 'operationId' | 'eventKeys' | 'selectionMode' | 'revision' | 'planActivationId';

function rowOfHead(head: Whole<OperationHead, HeadFields>): HeadRow {
  const { id, owner, operationId, eventKeys, selectionMode = null, revision = null, planActivationId = null } = head;
  return [id, owner.kind, owner.key, operationId, eventKeys, selectionMode, revision, planActivationId];
}

function headOf([id, kind, key, operationId, eventKeys, mode, revision, planActivationId]: HeadRow): OperationHead {
  const head: OperationHead = { id, owner: { kind, key }, operationId, eventKeys };
  if (mode !== null) head.selectionMode = mode;
  if (revision !== null) head.revision = revision;
  if (planActivationId !== null) head.planActivationId = planActivationId;
  return head;
}

function rowOfAction({ id, kind, bookingRef }: Whole<PartAction, 'id' | 'kind' | 'bookingRef'>): ActionRow {
  return [id, kind === 'book', bookingRef];
}

function actionOf([id, isBooking, bookingRef]: ActionRow): PartAction {
  return { id, kind: isBooking ? 'book' : 'extend', bookingRef };
}

export function partOfRow(row: PartRow): Envelope {
  const [, id, copy, eventKey, source, actor] = row;
  const accessSource = row[0] === 3 ? row[6] : 'public';
  const caller: Caller = { source: sources[source]!, actor, accessSource };
  if (row[0] === 3 && row[7] !== false) caller.session = { id: actor!, maxQuantity: row[7] };
  if (row[0] === 3 && row[13] !== undefined) caller.visitor = visitorOfRow(row[13]);
  const envelope: Envelope = { id, eventKey, caller, command: commandOf(row) };
  if (copy > 0) envelope.copy = copy;
  return envelope;
}

function commandOf(row: PartRow): Command {
  switch (row[0]) {
    case 3: {
      const [, , , , , , , , head, labels, expiresAt, actsUntil, fingerprint] = row;
      const selections = selectionsOf(labels);
      return { type: 'hold-part', head: headOf(head), selections, expiresAt, actsUntil, fingerprint };
    }
    case 4: {
      const [, , , , , , id, action, actsUntil, eventKeys] = row;
      const pin: PinPart = { type: 'pin-part', id, action: actionOf(action), actsUntil };
      if (eventKeys !== null) pin.eventKeys = eventKeys;
      return pin;
    }
    case 5:
      return { type: 'book-part', id: row[6], actionId: row[7], bookingRef: row[8] };
  }
}

type StandingRow = [
  state: PartState,
  holdId: string | null,
  createdAt: number,
  expiresAt: number,
  endedAt: number | null,
  renewals: number,
  action: ActionRow | null,
  lastExtend: string | null,
  refused: string[],
];
/** A seat has its fields by position. */
type ItemRow =
  | LineItem
  | [
      label: string,
      objectId: string,
      objectType: LineItem['objectType'],
      categoryKey: string,
      tierId: string | null,
      unitPrice: number,
      currency: string,
      bookingMode: LineItem['bookingMode'],
      channelId: string | null,
      accessSource: AccessSource,
      releaseId: string | null,
    ];
type BuyerRow = [accessSource: AccessSource, sessionId: string | null, partner: string | null, buyer: string | null];
type ReplyHead<Kind extends number> = [kind: Kind, id: number, copy: number, version: number];
export type PartReplyRow =
  | [...ReplyHead<2>, standing: StandingRow]
  | [...ReplyHead<3>, standing: StandingRow, currency: string, buyer: BuyerRow, items: ItemRow[]];

/** A part with more items keeps the named form, which may leave in parts. */
const itemsMax = 64;

/** `command` is the type of the answered command. Null for an answer that keeps the named form. */
export function rowOfPartReply(reply: Reply & { kind: 'ok' }, command: CommandType | undefined): PartReplyRow | null {
  const { id, copy = 0, version = 0, value } = reply;
  switch (command) {
    case 'pin-part':
    case 'book-part':
      return [2, id, copy, version, rowOfStanding(value as PartStanding)];
    case 'hold-part': {
      const part = value as Whole<HeldPart, StandingFields | HeldFields>;
      const { currency, items, accessSource, sessionId = null, partnerRef = null, buyerRef = null } = part;
      if (items.length > itemsMax) return null;
      const buyer: BuyerRow = [accessSource, sessionId, partnerRef, buyerRef];
      return [3, id, copy, version, rowOfStanding(part), currency, buyer, items.map(rowOfItem)];
    }
    default:
      return null;
  }
}

type StandingFields =
  | ('state' | 'holdId' | 'createdAt' | 'expiresAt' | 'endedAt' | 'extends')
  | ('action' | 'lastExtend' | 'refused');
type HeldFields = 'items' | 'currency' | 'accessSource' | 'sessionId' | 'partnerRef' | 'buyerRef';

function rowOfStanding(part: Whole<PartStanding, StandingFields>): StandingRow {
  const { state, holdId, createdAt, expiresAt, endedAt, extends: renewals, action, lastExtend, refused } = part;
  const row = action === null ? null : rowOfAction(action);
  return [state, holdId, createdAt, expiresAt, endedAt, renewals, row, lastExtend, refused];
}

function rowOfItem(item: Whole<LineItem, SeatFields>): ItemRow {
  if (!isSeat(item)) return item;
  const { label, objectId, objectType, categoryKey, tierId, unitPrice, currency, bookingMode } = item;
  const { channelId, accessSource, releaseId } = item;
  return [
    label,
    objectId,
    objectType,
    categoryKey,
    tierId,
    unitPrice,
    currency,
    bookingMode,
    channelId,
    accessSource,
    releaseId,
  ];
}

/** The value of an answer. */
export function standingOfRow(row: PartReplyRow): PartStanding | HeldPart {
  const [state, holdId, createdAt, expiresAt, endedAt, renewals, action, lastExtend, refused] = row[4];
  const part: PartStanding = {
    state,
    holdId,
    createdAt,
    expiresAt,
    endedAt,
    extends: renewals,
    action: action === null ? null : actionOf(action),
    lastExtend,
    refused,
  };
  if (row[0] === 2) return part;
  const [, , , , , currency, [accessSource, sessionId, partnerRef, buyerRef], items] = row;
  const held: HeldPart = { ...part, items: items.map(itemOf), currency, accessSource };
  if (sessionId !== null) held.sessionId = sessionId;
  if (partnerRef !== null) held.partnerRef = partnerRef;
  if (buyerRef !== null) held.buyerRef = buyerRef;
  return held;
}

function itemOf(row: ItemRow): LineItem {
  if (!Array.isArray(row)) return row;
  const [label, objectId, objectType, categoryKey, tierId, unitPrice, currency, bookingMode] = row;
  const [, , , , , , , , channelId, accessSource, releaseId] = row;
  return {
    label,
    objectId,
    objectType,
    categoryKey,
    tierId,
    unitPrice,
    currency,
    bookingMode,
    channelId,
    accessSource,
    releaseId,
  };
}
