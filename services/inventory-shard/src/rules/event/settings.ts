/**
 * The settings of an event: its default hold TTL, its currency, the states of its sections, its selection rules, its
 * bounds of public sale, the beginning and end of its sale, the end of its companions' right, its limit for each buyer.
 */

import { selectionRuleIssues } from '@parterre/shared/charts/selection-rules';
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import { type Issue, refuse } from '@parterre/shared/protocol/errors';
import { holdTtlMsMax, holdTtlMsMin } from '@parterre/shared/protocol/page-limits';
import { type EventConfig, type JournalRecord, type SaleSettings, unitStatus } from '@parterre/shared/protocol/records';
import { saleSettingsIn } from '@parterre/shared/protocol/sale-times';
import { unknownDivisions } from '../availability/divisions.ts';
import { byOf, type Decision, isLive, type ReadState } from '../state/state.ts';
import { isLocked, lockedRefusal } from './lifecycle.ts';

export function setHoldTtl(
  _state: ReadState,
  command: Command & { type: 'set-hold-ttl' },
  caller: Caller,
): Decision<'set-hold-ttl'> {
  const { callId, holdTtlMs: asked } = command;
  const holdTtlMs = asked === null ? null : Math.min(Math.max(asked, holdTtlMsMin), holdTtlMsMax);
  return { ok: true, records: [{ type: 'hold-ttl-set', callId, holdTtlMs, by: byOf(caller) }], answer: { holdTtlMs } };
}

/** All changes or none. */
export function configure(
  state: ReadState,
  command: Command & { type: 'configure' },
  caller: Caller,
  now: number,
): Decision<'configure'> {
  const { currency, sectionStates, selectionRules, publicSale } = command;
  const settings = withSaleSettings(state.config, command.saleSettings);
  const issues = [
    ...unknownDivisions(state.plan, 'sectionStates', sectionStates ?? {}),
    ...selectionRuleIssues(state.plan.categories, selectionRules ?? {}),
    ...saleTimeIssues(state, settings, command.saleSettings),
  ];
  if (issues.length > 0) {
    return refuse('invalid_request', 'The settings do not fit the event. The issues list them.', {
      details: { issues },
    });
  }
  const changesCurrency = currency !== undefined && currency !== state.config.currency;
  if (changesCurrency && isLocked(state)) return lockedRefusal(state);
  if (changesCurrency && hasPrices(state)) {
    return refuse(
      'conflict',
      'The currency cannot change while seats are held or reserved, or after seats were booked. Make a new event for another currency.',
      {
        reason: 'event_has_sales',
      },
    );
  }
  const saleSettings = saleSettingsIn(settings);
  const rules = selectionRules === undefined ? state.config.selectionRules : selectionRules;
  const bounds = publicSale === undefined ? state.config.publicSale : publicSale;
  return {
    ok: true,
    records: configuring(command, caller),
    answer: {
      currency: currency ?? state.config.currency,
      sectionStates: sectionStates ?? state.sectionStates,
      ...(rules && { selectionRules: rules }),
      ...(bounds && { publicSale: bounds }),
      ...(saleSettings && { saleSettings }),
      at: now,
    },
  };
}

function configuring(command: Command & { type: 'configure' }, caller: Caller): JournalRecord[] {
  const { callId, currency, sectionStates, selectionRules, publicSale, saleSettings, facts } = command;
  const by = byOf(caller);
  if (facts) return [{ type: 'configured', callId, facts, by }];
  const named = { ...(currency !== undefined && { currency }), ...(sectionStates && { sectionStates }) };
  const records: JournalRecord[] = [];
  if (selectionRules !== undefined) records.push({ type: 'event-configured', callId, selectionRules, ...named, by });
  else if (Object.keys(named).length > 0 || (publicSale === undefined && !saleSettings)) {
    records.push({ type: 'configured', callId, ...named, by });
  }
  if (publicSale !== undefined) records.push({ type: 'public-sale-set', callId, publicSale, by });
  if (saleSettings) records.push({ type: 'sale-settings-set', callId, settings: saleSettings, by });
  return records;
}

/** The event's settings after this change of its sale. An absent field keeps its value, null removes it. */
export function withSaleSettings(config: Readonly<EventConfig>, change: Partial<SaleSettings> = {}): EventConfig {
  const changed: Record<string, unknown> = { ...config };
  for (const [field, value] of Object.entries(change)) {
    if (value === null) delete changed[field];
    else if (value !== undefined) changed[field] = value;
  }
  return changed as EventConfig;
}

/** The issue stands at the time that the caller sets; at the end if the caller sets both. */
function saleTimeIssues(
  { channels }: ReadState,
  { salesStartAt, salesEndAt }: EventConfig,
  change: Partial<SaleSettings> = {},
): Issue[] {
  if (salesEndAt === undefined) return [];
  if (change.salesEndAt != null) {
    const late = [...channels.byId.values()].find(
      (channel) => isLive(channel) && (channel.salesStartAt ?? 0) >= salesEndAt,
    );
    if (late) return [{ path: 'salesEndAt', message: `Must be after the salesStartAt of the channel "${late.name}".` }];
  }
  if (salesStartAt === undefined || salesStartAt < salesEndAt) return [];
  if (change.salesEndAt != null) return [{ path: 'salesEndAt', message: 'Must be after salesStartAt.' }];
  return change.salesStartAt == null ? [] : [{ path: 'salesStartAt', message: 'Must be before salesEndAt.' }];
}

/**
 * Frozen prices do not carry their currency. A booking may be read long after it was cancelled, so any booking counts.
 */
function hasPrices({ counts, bookings, offers }: ReadState): boolean {
  return counts[unitStatus.held] > 0 || bookings.size > 0 || offers.live.size > 0;
}
