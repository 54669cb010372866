/**
 * The settings of an event's sale: each with its present value, the form that changes it, and its undo, which sets the
 * value from before.
 */

import type { Category } from '@parterre/shared/charts/document';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Result } from '../../src/sale/calls.ts';
import { checkField, field, fieldOf, timeField } from '../frame/field.ts';
import { type FaultOf, faultAt } from '../frame/refusals.ts';
import { changedTime, zoneName } from '../frame/zoned-time.ts';
import type { PlainKey, Words } from '../messages/words.ts';
import type { EventDetail, PublicSale, SelectionRules } from './detail.ts';

type Refused = Extract<Result<never>, { ok: false }>;

export type Setting = {
  id: string;
  title: PlainKey;
  /** What it does. */
  told: PlainKey;
  /** The present value, a line each. */
  shown(detail: EventDetail, words: Words): string[];
  fields(detail: EventDetail, words: Words, fault: FaultOf): TemplateResult;
  /** The body of the change. */
  read(form: FormData, detail: EventDetail, words: Words): object | Refused;
  /** The body that sets the value of `detail` again. */
  kept(detail: EventDetail): object;
  /** The hold time has a route of its own. */
  route?: 'hold-ttl';
};

const MINUTE_MS = 60_000;
const HOLD_MINUTES_USUAL = 15;
const HOLD_MINUTES_MAX = 60;
const PLACES_MAX = 10_000;

const numberOf = (form: FormData, name: string): number | null => {
  return fieldOf(form, name) === '' ? null : Number(fieldOf(form, name));
};

function when(at: number | null, { meta }: EventDetail, { date, text }: Words): string {
  return at === null ? text('sale.time.none') : date(at, meta.timezone, 'medium', true);
}

function timeOf(words: Words, label: string, name: string, at: number | null, detail: EventDetail, fault: FaultOf) {
  const { timezone } = detail.meta;
  const hint = words.text('sale.zone', { zone: zoneName(timezone) });
  return timeField({ label, hint, fault: fault(name) }, name, { at, timezone });
}

function numberField(label: string, name: string, value: number | null, fault: string | null, most = PLACES_MAX) {
  return field(
    { label, fault },
    html`<input type="number" name=${name} min="1" max=${most} step="1" value=${value ?? ''}>`,
  );
}

const saleTime: Setting = {
  id: 'time',
  title: 'sale.time',
  told: 'sale.time.told',
  shown: (detail, words) => [
    words.text('sale.time.begins', { date: when(detail.salesStartAt, detail, words) }),
    words.text('sale.time.ends', { date: when(detail.salesEndAt, detail, words) }),
  ],
  fields: (detail, words, fault) => html`
    ${timeOf(words, words.text('sale.time.start'), 'salesStartAt', detail.salesStartAt, detail, fault)}
    ${timeOf(words, words.text('sale.time.end'), 'salesEndAt', detail.salesEndAt, detail, fault)}`,
  read: (form, { meta, salesStartAt, salesEndAt }) => ({
    salesStartAt: changedTime(fieldOf(form, 'salesStartAt'), meta.timezone, salesStartAt),
    salesEndAt: changedTime(fieldOf(form, 'salesEndAt'), meta.timezone, salesEndAt),
  }),
  kept: ({ salesStartAt, salesEndAt }) => ({ salesStartAt, salesEndAt }),
};

const holdTime: Setting = {
  id: 'hold',
  title: 'sale.hold',
  told: 'sale.hold.told',
  route: 'hold-ttl',
  shown: ({ holdTtlMs }, { minutes, text }) => [
    holdTtlMs === null
      ? text('sale.hold.usual', { time: minutes(HOLD_MINUTES_USUAL * MINUTE_MS) })
      : minutes(holdTtlMs),
  ],
  fields: ({ holdTtlMs }, { text }, fault) =>
    numberField(
      text('sale.hold.minutes'),
      'minutes',
      holdTtlMs === null ? null : Math.round(holdTtlMs / MINUTE_MS),
      fault('holdTtlMs'),
      HOLD_MINUTES_MAX,
    ),
  read(form) {
    const minutes = numberOf(form, 'minutes');
    return { holdTtlMs: minutes === null ? null : minutes * MINUTE_MS };
  },
  kept: ({ holdTtlMs }) => ({ holdTtlMs }),
};

const buyerLimit: Setting = {
  id: 'buyer',
  title: 'sale.buyer',
  told: 'sale.buyer.told',
  shown: ({ buyerLimit: limit }, { text }) => [
    limit ? text('sale.buyer.limit', { count: limit.perBuyer }) : text('sale.unbounded'),
  ],
  fields: ({ buyerLimit: limit }, { text }, fault) =>
    numberField(text('sale.buyer.field'), 'perBuyer', limit?.perBuyer ?? null, fault('buyerLimit')),
  read(form) {
    const perBuyer = numberOf(form, 'perBuyer');
    return { buyerLimit: perBuyer === null ? null : { perBuyer } };
  },
  kept: ({ buyerLimit: limit }) => ({ buyerLimit: limit }),
};

const bounds = ['maxPerHold', 'maxHeldPerSession', 'maxHeldPerAddress'] as const;

const publicBounds: Setting = {
  id: 'bounds',
  title: 'sale.bounds',
  told: 'sale.bounds.told',
  shown: ({ publicSale }, words) =>
    bounds.map((name) => `${words.text(`sale.bounds.${name}`)}: ${boundText(publicSale?.[name], words)}`),
  fields: ({ publicSale }, { text }, fault) =>
    html`${bounds.map((name) => {
      const bound = publicSale?.[name];
      const mode = bound === undefined ? 'inherit' : bound === null ? 'lifted' : 'number';
      return html`<fieldset class="bound"><legend>${text(`sale.bounds.${name}`)}</legend>
      ${(['inherit', 'lifted', 'number'] as const).map(
        (
          each,
        ) => html`<label class="check"><input type="radio" name="${name}.mode" value=${each} ?checked=${each === mode}>
          <span>${text(`sale.bounds.${each}`)}</span></label>`,
      )}
      ${numberField(text('sale.bounds.places'), name, bound ?? null, fault(`publicSale.${name}`))}</fieldset>`;
    })}`,
  read(form, _, { text }) {
    const publicSale: PublicSale = {};
    for (const name of bounds) {
      const mode = fieldOf(form, `${name}.mode`);
      const most = numberOf(form, name);
      if (mode === 'number' && most === null) return faultAt(`publicSale.${name}`, text('sale.bounds.missing'));
      if (mode !== 'inherit') publicSale[name] = mode === 'lifted' ? null : most;
    }
    return { publicSale: Object.keys(publicSale).length === 0 ? null : publicSale };
  },
  kept: ({ publicSale }) => ({ publicSale }),
};

function boundText(bound: number | null | undefined, { number, text }: Words): string {
  if (bound === undefined) return text('sale.bounds.inherit');
  return bound === null ? text('sale.bounds.lifted') : number(bound);
}

const companions: Setting = {
  id: 'companions',
  title: 'sale.companions',
  told: 'sale.companions.told',
  shown: (detail, words) => [
    detail.companionsUntil === null ? words.text('sale.companions.kept') : when(detail.companionsUntil, detail, words),
  ],
  fields: (detail, words, fault) =>
    timeOf(words, words.text('sale.companions.field'), 'companionsUntil', detail.companionsUntil, detail, fault),
  read: (form, { meta, companionsUntil: before }) => ({
    companionsUntil: changedTime(fieldOf(form, 'companionsUntil'), meta.timezone, before),
  }),
  kept: ({ companionsUntil }) => ({ companionsUntil }),
};

/** `categories` are those of the event's chart. */
function selection(categories: readonly Category[]): Setting {
  const tiers = [
    ...new Map(categories.flatMap((each) => (each.tiers ?? []).map((tier) => [tier.id, tier.name] as const))),
  ];
  const limits = [
    { of: 'categoryLimits' as const, rows: categories.map(({ key, label }) => [key, label] as const) },
    { of: 'tierLimits' as const, rows: tiers },
  ];
  return {
    id: 'rules',
    title: 'sale.rules',
    told: 'sale.rules.told',
    shown: ({ selectionRules }, words) => rulesShown(selectionRules, limits, words),
    fields: ({ selectionRules: rules }, { text }, fault) => html`
      ${checkField(text('sale.rules.preventOrphans'), 'preventOrphans', rules?.preventOrphans)}
      ${checkField(text('sale.rules.consecutive'), 'consecutive', rules?.consecutive)}
      ${numberField(text('sale.rules.min.field'), 'min', rules?.min ?? null, fault('selectionRules.min'))}
      ${numberField(text('sale.rules.exact.field'), 'exact', rules?.exact ?? null, fault('selectionRules.exact'))}
      ${limits.map(({ of, rows }) =>
        rows.map(([id, label]) =>
          numberField(
            text('sale.rules.most.field', { name: label }),
            `${of}.${id}`,
            rules?.[of]?.[id] ?? null,
            fault(`selectionRules.${of}.${id}`),
          ),
        ),
      )}
      ${checkField(text('sale.rules.highlightOnly'), 'highlightOnly', rules?.highlightOnly)}`,
    read: (form) => ({ selectionRules: rulesIn(form, limits) }),
    kept: ({ selectionRules }) => ({ selectionRules }),
  };
}

type Limits = { of: 'categoryLimits' | 'tierLimits'; rows: readonly (readonly [string, string])[] }[];

function rulesShown(rules: SelectionRules | null, limits: Limits, { text }: Words): string[] {
  if (rules === null) return [text('sale.rules.none')];
  const { preventOrphans, consecutive, min, exact, highlightOnly } = rules;
  return [
    preventOrphans ? text('sale.rules.preventOrphans') : '',
    consecutive ? text('sale.rules.consecutive') : '',
    min === undefined ? '' : text('sale.rules.min', { count: min }),
    exact === undefined ? '' : text('sale.rules.exact', { count: exact }),
    ...limits.flatMap(({ of, rows }) =>
      rows.flatMap(([id, name]) => {
        const most = rules[of]?.[id];
        return most === undefined ? [] : [text('sale.rules.most', { name, count: most })];
      }),
    ),
    highlightOnly ? text('sale.rules.highlightOnly') : '',
  ].filter((line) => line !== '');
}

function rulesIn(form: FormData, limits: Limits): object {
  const rules: Record<string, unknown> = {};
  for (const name of ['preventOrphans', 'consecutive', 'highlightOnly'])
    if (form.get(name) !== null) rules[name] = true;
  for (const name of ['min', 'exact']) if (numberOf(form, name) !== null) rules[name] = numberOf(form, name);
  for (const { of, rows } of limits) {
    const named = rows.flatMap(([id]) => {
      const most = numberOf(form, `${of}.${id}`);
      return most === null ? [] : [[id, most] as const];
    });
    if (named.length > 0) rules[of] = Object.fromEntries(named);
  }
  return rules;
}

const currency: Setting = {
  id: 'currency',
  title: 'sale.currency',
  told: 'sale.currency.told',
  shown: ({ meta }, { money, text }) => [
    meta.currency,
    text(meta.priceUnit === 'minor' ? 'sale.currency.minor' : 'sale.currency.major', {
      example: money(meta.priceUnit === 'minor' ? 1250 : 12, meta),
    }),
  ],
  fields: ({ meta, counts }, { text }, fault) => html`
    ${counts.held + counts.booked > 0 ? html`<p>${text('sale.currency.sold')}</p>` : nothing}
    ${field(
      { label: text('sale.currency.field'), fault: fault('currency') },
      html`<input name="currency" maxlength="3" autocomplete="off" required value=${meta.currency}>`,
    )}`,
  read: (form) => ({ currency: fieldOf(form, 'currency').toUpperCase() }),
  kept: ({ meta }) => ({ currency: meta.currency }),
};

export function settingsOf(categories: readonly Category[]): readonly Setting[] {
  return [saleTime, holdTime, buyerLimit, publicBounds, companions, selection(categories), currency];
}
