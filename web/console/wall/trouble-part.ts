/** What does not go well: refusals by reason, budgets near their bound, and parts that are behind. */
import { html, nothing, type TemplateResult } from 'lit-html';
import type { PlainKey, Words } from '../messages/words.ts';
import type { Live } from './figures.ts';

const REASONS_SHOWN = 10;
/** A part that is behind by less is as quick as it can be. */
const LATE_MS = 2_000;

/** Codes with words of ours. Another code is told as it is: docs/errors.md explains it. */
const codes: Readonly<Record<string, PlainKey>> = {
  conflict: 'wall.refusal.conflict',
  rate_limited: 'wall.refusal.rate_limited',
  public_limit: 'wall.refusal.public_limit',
  buyer_limit: 'wall.refusal.buyer_limit',
  sales_not_started: 'wall.refusal.sales_not_started',
  sales_ended: 'wall.refusal.sales_ended',
  event_closed: 'wall.refusal.event_closed',
  unknown_labels: 'wall.refusal.unknown_labels',
  not_for_sale: 'wall.refusal.not_for_sale',
  selection_rules_broken: 'wall.refusal.selection_rules_broken',
  channel_access_denied: 'wall.refusal.channel_access_denied',
  price_changed: 'wall.refusal.price_changed',
  hold_not_found: 'wall.refusal.hold_not_found',
  cannot_extend: 'wall.refusal.cannot_extend',
  unauthorized: 'wall.refusal.unauthorized',
  buyer_access_expired: 'wall.refusal.expired',
  buyer_access_origin_mismatch: 'wall.refusal.origin',
  insufficient_credits: 'wall.refusal.credits',
  overloaded: 'wall.refusal.overloaded',
  shard_unavailable: 'wall.refusal.unavailable',
  catalog_unavailable: 'wall.refusal.unavailable',
};

export function drawTrouble(live: Live, words: Words): TemplateResult {
  return html`${refusals(live, words)} ${budgets(live, words)} ${lag(live, words)}`;
}

function refusals({ refusals: { byReason, since, doors }, event }: Live, words: Words): TemplateResult {
  const { text, number } = words;
  const named = ({ code, reason }: (typeof byReason)[number]): string => {
    const told = codes[code] ? text(codes[code]) : code;
    return reason === null ? told : `${told} (${reason})`;
  };
  return html`<section class="wall-part" aria-labelledby="wall-refusals"><h2 id="wall-refusals">${text('wall.refusals')}</h2>
    ${
      byReason.length === 0
        ? html`<p>${text('wall.refusals.none')}</p>`
        : html`<table><thead><tr><th scope="col">${text('wall.reason')}</th>
          <th scope="col" class="number">${text('wall.lately')}</th><th scope="col" class="number">${text('wall.hour')}</th></tr></thead>
          <tbody>${byReason.slice(0, REASONS_SHOWN).map(
            (each) => html`<tr><th scope="row">${named(each)}</th><td class="number">${number(each.lately)}</td>
              <td class="number">${number(each.count)}</td></tr>`,
          )}</tbody></table>`
    }
    <p class="muted">${text('wall.refusals.since', { time: words.date(since, event.timezone, 'medium'), count: doors })}</p></section>`;
}

function budgets({ budgets: uses, at }: Live, words: Words): TemplateResult | typeof nothing {
  const { text, number, left } = words;
  if (uses === null) return nothing;
  const isNear = uses.some(({ used, limit }) => used >= 0.9 * limit);
  return html`<section class="wall-part ${isNear ? 'is-late' : ''}" aria-labelledby="wall-budgets">
    <h2 id="wall-budgets">${text('wall.budgets')}</h2>
    ${
      uses.length === 0
        ? html`<p>${text('wall.budgets.none')}</p>`
        : html`<ul>${uses.map(
            ({
              budget,
              key,
              used,
              limit,
              endsAt,
            }) => html`<li><strong>${budget}</strong> ${key ?? text('wall.budgets.person')}
              <meter min="0" max=${limit} value=${used} aria-label=${budget}></meter>
              ${text('wall.budgets.used', { used: number(used), limit: number(limit), left: left(Math.max(endsAt - at, 1_000)) })}</li>`,
          )}</ul>`
    }</section>`;
}

function lag({ lag: { feedMs, logMs, webhooks }, sales, at }: Live, words: Words): TemplateResult {
  const { text } = words;
  const logAge = sales === null ? null : Math.max(logMs, at - sales.readAt);
  const waitMs = webhooks?.oldestAt == null ? 0 : Math.max(0, at - webhooks.oldestAt);
  const isLate = feedMs > LATE_MS || logAge === null || logAge > 5 * LATE_MS || waitMs > 30 * LATE_MS;
  const behind = (ms: number) =>
    ms < LATE_MS ? text('wall.lag.none') : text('wall.lag.behind', { time: words.left(ms) });
  return html`<section class="wall-part ${isLate ? 'is-late' : ''}" aria-labelledby="wall-lag"><h2 id="wall-lag">${text('wall.lag')}</h2>
    <table><tbody>
      <tr><th scope="row">${text('wall.lag.feed')}</th><td>${behind(feedMs)}</td></tr>
      <tr><th scope="row">${text('wall.lag.log')}</th><td>${logAge === null ? text('wall.lag.silent') : behind(logAge)}</td></tr>
      ${webhooks === null ? nothing : html`<tr><th scope="row">${text('wall.lag.webhooks')}</th><td>${hooks(webhooks, waitMs, words)}</td></tr>`}
    </tbody></table></section>`;
}

function hooks(
  { subscriptions, paused, waiting }: NonNullable<Live['lag']['webhooks']>,
  waitMs: number,
  { text, left, list }: Words,
): string {
  if (subscriptions === 0) return text('wall.webhooks.none');
  const told = [
    waiting === 0 ? text('wall.lag.none') : text('wall.webhooks.waiting', { count: waiting, time: left(waitMs) }),
    ...(paused === 0 ? [] : [text('wall.webhooks.paused', { count: paused })]),
  ];
  return list(told);
}
