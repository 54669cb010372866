/** Opens the room of the event itself: its creation, its life and its settings. */

import type { SelectionRules } from '@parterre/shared/charts/selection-rules';
import type { Answers } from '@parterre/shared/protocol/answers';
import type { JournalRecord } from '@parterre/shared/protocol/records';
import { saleSettingsIn } from '@parterre/shared/protocol/sale-times';
import { refreshDivisions } from '../availability/availability.ts';
import { changeCurrency } from '../pricing/pricing.ts';
import { answerNoted, type CallRules, type EventState, type Folds, isShort, noteCall } from '../state/state.ts';
import { move, movedAnswer } from './lifecycle.ts';
import { configure, setHoldTtl, withSaleSettings } from './settings.ts';

export const eventCalls: CallRules<'set-hold-ttl' | 'move' | 'configure'> = {
  'set-hold-ttl': { decide: setHoldTtl, again: (_, noted) => answerNoted(noted) as Answers['set-hold-ttl'] },
  move: { decide: move, again: (_, noted) => answerNoted(noted) as Answers['move'] },
  configure: {
    decide: configure,
    // Long section states are not remembered: the present ones are nearly always the same.
    again({ sectionStates }, noted) {
      const answer = answerNoted(noted) as Omit<Answers['configure'], 'sectionStates'>;
      return { sectionStates, ...answer };
    },
  },
};

export const eventFolds: Folds<
  | 'created'
  | 'hold-ttl-set'
  | 'status-set'
  | 'configured'
  | 'event-configured'
  | 'public-sale-set'
  | 'sale-settings-set'
> = {
  created: foldCreated,
  'hold-ttl-set'(state, { holdTtlMs, callId }) {
    state.holdTtlMs = holdTtlMs;
    noteCall(state, callId, { units: null, answer: { holdTtlMs } });
  },
  'status-set'(state, record, at) {
    state.status = record.status;
    state.salesPaused = record.salesPaused ?? false;
    noteCall(state, record.callId, { units: null, answer: movedAnswer(state, record, at) });
  },
  configured: foldConfigured,
  'event-configured': foldConfigured,
  'public-sale-set'(state, { callId, publicSale }, at) {
    const { publicSale: _, ...config } = state.config;
    state.config = { ...config, ...(publicSale && { publicSale }) };
    noteConfigured(state, callId, at);
  },
  'sale-settings-set'(state, { callId, settings }, at) {
    state.config = withSaleSettings(state.config, settings);
    noteConfigured(state, callId, at);
  },
};

/**
 * The first record of an event, on the state that `newState` made of it. The plan of the group counts, not the plan of
 * the configuration: a `create` that waited behind a late one is performed on the plan of the late one. Journals have
 * such groups.
 */
function foldCreated(state: EventState, { config }: JournalRecord & { type: 'created' }): void {
  if (state.groups !== 0) throw new Error(`create of ${config.eventKey}: the event has ${state.groups} groups already`);
  const { hash: planHash } = state.plan;
  if (config.planHash !== planHash) state.config = { ...config, planHash };
  refreshDivisions(state);
}

type Configured = Omit<JournalRecord & { type: 'configured' }, 'type'> & { selectionRules?: SelectionRules | null };

function foldConfigured(state: EventState, record: Configured, at: number): void {
  const { callId, currency = state.config.currency, sectionStates = state.sectionStates } = record;
  changeCurrency(state, currency);
  if (record.selectionRules !== undefined) {
    const { selectionRules: _, ...config } = state.config;
    state.config = { ...config, ...(record.selectionRules && { selectionRules: record.selectionRules }) };
  }
  state.sectionStates = sectionStates;
  if (record.sectionStates) refreshDivisions(state);
  noteConfigured(state, callId, at);
}

function noteConfigured(state: EventState, callId: string, at: number): void {
  const { currency, selectionRules, publicSale } = state.config;
  const saleSettings = saleSettingsIn(state.config);
  const facts = {
    currency,
    ...(selectionRules && { selectionRules }),
    ...(publicSale && { publicSale }),
    ...(saleSettings && { saleSettings }),
    at,
  };
  const answer = { ...facts, sectionStates: state.sectionStates };
  noteCall(state, callId, { units: null, answer: isShort(answer) ? answer : facts });
}
