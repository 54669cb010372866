/**
 * Line items as JSON text, with their words and their money, for the answers of sales: the same text as the JSON of
 * `addWords`, with its fields in another order, in a quarter of the time.
 *
 * Seats of one row that are sold alike differ in four texts: label, id, seat and name. The rest of their JSON is
 * spelled once and kept with the row, until a seat of the row is sold in another way.
 */
import type { Category } from '@parterre/shared/charts/document';
import { hasSeats, placeName, seatName } from '@parterre/shared/charts/place-names';
import type { PlanObject } from '@parterre/shared/charts/plan';
import type { LineItem } from '@parterre/shared/protocol/answers';
import { addWords, type ItemTerms, type WordedItem, type WordSource } from '@parterre/shared/protocol/line-items';
import { isPlain, quoted, type Spelled, spell } from '../answers/answers.ts';

/** The JSON of a seat as last sold in this row, without its four own texts. */
type Kept = { like: LineItem; terms: ItemTerms; isPlain: boolean; beforeLabel: string; behindId: string };

/** An object of a plan, and the text that is kept with it. */
export type WordedObject = { readonly object: PlanObject; kept: Kept | null };

/** The words of a plan by id; own names of seats by the id of the seat in its object. */
export type WordTable = {
  objects: ReadonlyMap<string, WordedObject>;
  seatNames: ReadonlyMap<string, string>;
  categories: ReadonlyMap<string, Category>;
};

export function sourceIn(table: WordTable | null, item: LineItem): WordSource {
  return {
    object: table?.objects.get(objectIdIn(item))?.object,
    ownName: table?.seatNames.get(item.objectId) ?? '',
    category: table?.categories.get(item.categoryKey),
  };
}

const COLON = 0x3a;

/** A seat's id is `{rowId}:{index}`, a booth's likewise. A loop, since `lastIndexOf` leaves the compiled code. */
function objectIdIn({ objectType, objectId }: LineItem): string {
  if (objectType === 'ga' || objectType === 'table') return objectId;
  let end = objectId.length - 1;
  while (end > 0 && objectId.charCodeAt(end) !== COLON) end--;
  return objectId.slice(0, end);
}

/** `table` is null where the words cannot be had now. */
export function spellItems(
  items: readonly LineItem[],
  table: WordTable | null,
  terms: ItemTerms,
): Spelled<WordedItem[], string> {
  let json = '[';
  for (const item of items) {
    if (json.length > 1) json += ',';
    json += spellItem(item, table, terms);
  }
  return `${json}]` as Spelled<WordedItem[], string>;
}

function spellItem(item: LineItem, table: WordTable | null, terms: ItemTerms): string {
  const worded = table?.objects.get(objectIdIn(item));
  if (table === null || worded === undefined || !isPlainSeat(item))
    return spell(addWords(item, sourceIn(table, item), terms));
  const { object } = worded;
  if (worded.kept === null || !isSoldLike(worded.kept, item, terms))
    worded.kept = keep({ ...item }, sourceIn(table, item), terms);
  const { isPlain: isPlainRow, beforeLabel, behindId } = worded.kept;
  const { label, objectId } = item;
  const ownName = table.seatNames.size === 0 ? '' : (table.seatNames.get(objectId) ?? '');
  const seat = hasSeats(object) ? seatName(label, object, ownName) : null;
  const name = placeName(object, label, seat ?? '', terms.texts);
  // The other texts of a plain row are made of these.
  if (isPlainRow && seat !== null && isPlain(label) && (ownName === '' || isPlain(ownName)))
    return `${beforeLabel}"${label}","objectId":"${objectId}"${behindId}"seat":"${seat}","name":"${name}"}}`;
  const spelledSeat = seat === null ? 'null' : quoted(seat);
  return (
    `${beforeLabel}${quoted(label)},"objectId":${quoted(objectId)}${behindId}` +
    `"seat":${spelledSeat},"name":${quoted(name)}}}`
  );
}

/** Places of areas, tables that are sold as one unit, and prices with fees have further fields. */
function isPlainSeat(item: LineItem): boolean {
  return (
    item.bookingMode === 'individual' &&
    item.quantity === undefined &&
    item.labels === undefined &&
    item.fees === undefined &&
    item.allIn === undefined
  );
}

/** The category is the source's, and named by the item. */
function isSoldLike({ like, terms }: Kept, item: LineItem, wanted: ItemTerms): boolean {
  return (
    like.unitPrice === item.unitPrice &&
    like.categoryKey === item.categoryKey &&
    like.tierId === item.tierId &&
    like.releaseId === item.releaseId &&
    like.channelId === item.channelId &&
    like.accessSource === item.accessSource &&
    like.currency === item.currency &&
    like.objectType === item.objectType &&
    terms.texts === wanted.texts &&
    terms.priceUnit === wanted.priceUnit
  );
}

function keep(like: LineItem, source: WordSource, terms: ItemTerms): Kept {
  const { label: _label, objectId: _id, place, ...shared } = addWords({ ...like }, source, terms);
  const { seat: _seat, name: _name, ...sharedPlace } = place;
  const { id, label, name } = source.object!;
  return {
    like,
    terms,
    isPlain: isPlain(id) && isPlain(label) && isPlain(name),
    beforeLabel: `${spell(shared).slice(0, -1)},"label":`,
    behindId: `,"place":${spell(sharedPlace).slice(0, -1)},`,
  };
}
