/**
 * Line items as JSON text, with their words and their money, for the answers of sales: the same text as the JSON of
 * `addWords`, with its fields in another order, in a quarter of the time.
 *
 * Seats of one row that are sold alike differ in four texts: label, id, seat and name. The rest of their JSON is
 * spelled once and kept with the row, until a seat of the row is sold in another way.
 */
import { wordsOfSeat } from '@parterre/shared/charts/place-names';
import type { PlanObject } from '@parterre/shared/charts/plan';
import type { LineItem } from '@parterre/shared/protocol/answers';
import { addWords, type ItemTerms, type WordedItem, type WordSource } from '@parterre/shared/protocol/line-items';
import { isPlain, quoted, type Spelled, spell } from '../answers/answers.ts';

/** The JSON of a seat as last sold in this row, without its four own texts. */
type Kept = { like: LineItem; terms: ItemTerms; isPlain: boolean; beforeLabel: string; behindId: string };

/** By object; forgotten with it. */
const keptOf = new WeakMap<PlanObject, Kept>();

export function spellItems(
  items: readonly LineItem[],
  sourceOf: (item: LineItem) => WordSource,
  terms: ItemTerms,
): Spelled<WordedItem[], string> {
  let json = '[';
  for (const item of items) {
    if (json.length > 1) json += ',';
    json += spellItem(item, sourceOf(item), terms);
  }
  return `${json}]` as Spelled<WordedItem[], string>;
}

function spellItem(item: LineItem, source: WordSource, terms: ItemTerms): string {
  const { object } = source;
  if (object === undefined || !isPlainSeat(item)) return spell(addWords(item, source, terms));
  let kept = keptOf.get(object);
  if (kept === undefined || !isSoldLike(kept, item, terms)) {
    kept = keep({ ...item }, source, terms);
    keptOf.set(object, kept);
  }
  const { label, objectId } = item;
  const { ownName } = source;
  const { seat, name } = wordsOfSeat(object, label, ownName, terms.texts);
  const { beforeLabel, behindId } = kept;
  // The other texts of a plain row are made of these.
  if (kept.isPlain && isPlain(label) && isPlain(ownName) && seat !== null)
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
