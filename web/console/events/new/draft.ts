/** A new event from what a person has written into the form: the calls' bodies, and what a copy takes along. Pure. */
import type { PriceUnit } from '@parterre/shared/protocol/money';
import type { Mode } from '../../address.ts';
import { epochOf } from '../../frame/zoned-time.ts';

/** What a person writes; all texts as they stand in the fields. */
export type Written = {
  name: string;
  /** `2027-03-01T19:30` on the clocks of `timezone`; '' for none. */
  startsAt: string;
  timezone: string;
  venue: string;
  slug: string;
  currency: string;
  priceUnit: PriceUnit | null;
  ownership: 'platform' | 'managed';
};

/** The facts of an event that a copy has too. */
export type Source = {
  meta: {
    key: string;
    name: string;
    chartId: string;
    mode: string;
    startsAt: number | null;
    timezone: string | null;
    venue: string | null;
    description: string | null;
    locale: string | null;
    currency: string;
    priceUnit: PriceUnit;
    ownership: 'platform' | 'managed';
    region: string;
    posterAssetId: string | null;
  };
  holdTtlMs: number | null;
  sectionStates: Record<string, string>;
  selectionRules: object | null;
  publicSale: object | null;
  buyerLimit: object | null;
};

/** The body of the call that makes the event. Empty fields are left out. */
export function eventBody(written: Written, chartId: string, mode: Mode, source: Source | null) {
  const { name, timezone, venue, slug, currency, priceUnit, ownership } = written;
  const startsAt = epochOf(written.startsAt, timezone || null);
  return {
    chartId,
    mode,
    ownership,
    name: name.trim(),
    ...(startsAt !== null && { startsAt }),
    ...(timezone.trim() !== '' && { timezone: timezone.trim() }),
    ...(venue.trim() !== '' && { venue: venue.trim() }),
    ...(slug.trim() !== '' && { slug: slug.trim() }),
    ...(currency.trim() !== '' && { currency: currency.trim().toUpperCase() }),
    ...(priceUnit !== null && { priceUnit }),
    ...(source !== null && copiedOf(source)),
  };
}

function copiedOf({ meta, sectionStates, selectionRules }: Source) {
  const { description, locale, region, posterAssetId } = meta;
  return {
    region,
    ...(description !== null && { description }),
    ...(locale !== null && { locale }),
    ...(posterAssetId !== null && { posterAssetId }),
    ...(Object.keys(sectionStates).length > 0 && { sectionStates }),
    ...(selectionRules !== null && { selectionRules }),
  };
}

/** The settings that the event gets once it is made: null where the source has none. */
export function laterBody({ publicSale, buyerLimit }: Source): object | null {
  const body = { ...(publicSale !== null && { publicSale }), ...(buyerLimit !== null && { buyerLimit }) };
  return Object.keys(body).length > 0 ? body : null;
}
