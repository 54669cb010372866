/**
 * The settings of an event: its default hold TTL, its currency, the states of its sections, its selection rules, its
 * bounds of public sale.
 */

import { selectionRuleIssues } from '@parterre/shared/charts/selection-rules';
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import { refuse } from '@parterre/shared/protocol/errors';
import { holdTtlMsMax, holdTtlMsMin } from '@parterre/shared/protocol/limits';
import { type JournalRecord, unitStatus } from '@parterre/shared/protocol/records';
import { unknownDivisions } from '../availability/divisions.ts';
import { byOf, type Decision, type ReadState } from '../state/state.ts';
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
  const issues = [
    ...unknownDivisions(state.plan, 'sectionStates', sectionStates ?? {}),
    ...selectionRuleIssues(state.plan.categories, selectionRules ?? {}),
  ];
  if (issues.length > 0) {
    return refuse('invalid_request', 'The settings name parts that the chart lacks. The issues list them.', {
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
      at: now,
    },
  };
}

function configuring(command: Command & { type: 'configure' }, caller: Caller): JournalRecord[] {
  const { callId, currency, sectionStates, selectionRules, publicSale, facts } = command;
  const by = byOf(caller);
  if (facts) return [{ type: 'configured', callId, facts, by }];
  const named = { ...(currency !== undefined && { currency }), ...(sectionStates && { sectionStates }) };
  const records: JournalRecord[] = [];
  if (selectionRules !== undefined) records.push({ type: 'event-configured', callId, selectionRules, ...named, by });
  else if (publicSale === undefined || currency !== undefined || sectionStates) {
    records.push({ type: 'configured', callId, ...named, by });
  }
  if (publicSale !== undefined) records.push({ type: 'public-sale-set', callId, publicSale, by });
  return records;
}

/**
 * Frozen prices do not carry their currency. A booking may be read long after it was cancelled, so any booking counts.
 */
function hasPrices({ counts, bookings, offers }: ReadState): boolean {
  return counts[unitStatus.held] > 0 || bookings.size > 0 || offers.live.size > 0;
}
