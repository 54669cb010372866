/**
 * `decide(state, command)`: the records of a command and its answer, or a refusal. Pure: time and ids are arguments
 * (I6), and the state is only read; `apply` writes it. Each room has a table of its commands.
 */

import type { Plan } from '@parterre/shared/charts/plan';
import type { Answers } from '@parterre/shared/protocol/answers';
import type { Caller, Command, CommandType } from '@parterre/shared/protocol/commands';
import { availabilityCalls, availabilityReads } from '../availability/availability.ts';
import { bestAvailableCalls, bestAvailableReads, bestAvailableRules } from '../best-available/best-available.ts';
import { assignChannel } from '../channels/channel-assignments.ts';
import { channelCalls, channelReads } from '../channels/channels.ts';
import { type ChartCommand, chartCalls, decideChart } from '../chart/chart.ts';
import { eventCalls } from '../event/event.ts';
import { invalidState, isMutable } from '../event/lifecycle.ts';
import { exchangeCalls, exchangeRules } from '../exchange/exchange.ts';
import { operationInspections, operationReads, operationRules, unitInspections } from '../operations/operations.ts';
import type { Steps } from '../packed/packed.ts';
import { pricingCalls, pricingReads } from '../pricing/pricing.ts';
import { eventReads } from '../reads/event-reads.ts';
import {
  reservationCalls,
  reservationInspections,
  reservationReads,
  reservationRules,
} from '../reservations/reservations.ts';
import { block, lookAtBlock, salesCalls, salesInspections, salesRules, unblock } from '../sales/sales.ts';
import {
  type CallRules,
  countsOf,
  type Decision,
  type EventCall,
  keyReused,
  knownCall,
  type NamedCall,
  type ReadState,
  type Reads,
  type Rules,
  salesClosed,
} from '../state/state.ts';
import { namedRepetition, rememberNamed } from './named-calls.ts';

/** Commands that write nothing: an archived event answers them too. */
const reads = {
  // The record that makes an event is written before its `create` is decided.
  create: (state: ReadState) => answered<'create'>({ counts: countsOf(state) }),
  ...salesInspections,
  ...bestAvailableReads,
  ...unitInspections,
  ...reservationInspections,
  ...operationInspections,
  ...answering(reservationReads),
  ...answering(eventReads),
  ...answering(availabilityReads),
  ...answering(pricingReads),
  ...answering(channelReads),
  ...answering(operationReads),
};

/** Budgets are no events: partition/budgets.ts answers `spend`. */
const rules: Rules<Exclude<CommandType, 'spend'>> = {
  ...reads,
  ...salesRules,
  ...bestAvailableRules,
  ...operationRules,
  ...reservationRules,
  ...once(reservationCalls),
  ...exchangeRules,
  ...once(salesCalls),
  ...once(bestAvailableCalls),
  ...once(exchangeCalls),
  ...once(eventCalls),
  ...once(chartCalls),
  ...once(availabilityCalls),
  ...once(pricingCalls),
  ...once(channelCalls),
};

/**
 * An archived or deleted event refuses every command that would change it, with one exception: it still carries out
 * what the catalog has decided (`isDecidedElsewhere`). A copy of an earlier call still gets its first answer, and so
 * does a call that changes nothing. `plan` is the plan that a change of chart names.
 */
export function decide(state: ReadState, command: Command, caller: Caller, now: number, plan?: Plan): Decision {
  const { type } = command;
  if (type === 'spend') throw new Error(`decide of ${state.config.eventKey}: a budget is no event`);
  const repeated = namedRepetition(state, command, now);
  if (repeated) return repeated;
  const rule = (rules as unknown as Record<string, AnyRule>)[type]!;
  return allowed(
    state,
    command,
    caller,
    rememberNamed(state, command, caller, now, rule(state, command, caller, now, plan)),
  );
}

/** Commands that are decided in steps where they take long (long-turns.ts). */
export type LongCommand = ChartCommand | (Command & { type: 'block' | 'look-block' | 'unblock' | 'assign-channel' });

const longCalls = { ...chartCalls, ...salesCalls, ...channelCalls };

/** As `decide`, in steps. The state must not change between them. */
export function* decideInSteps(
  state: ReadState,
  command: LongCommand,
  caller: Caller,
  now: number,
  plan?: Plan,
): Steps<Decision> {
  const repeated = command.type === 'look-block' ? null : repetitionOf(longCalls[command.type], state, command, now);
  if (repeated) return repeated;
  const decision = yield* decideLong(state, command, caller, now, plan);
  return allowed(state, command, caller, rememberNamed(state, command, caller, now, decision));
}

function decideLong(
  state: ReadState,
  command: LongCommand,
  caller: Caller,
  now: number,
  plan: Plan | undefined,
): Steps<Decision> {
  switch (command.type) {
    case 'block':
      return block(state, command, caller, now);
    case 'look-block':
      return lookAtBlock(state, command, caller, now);
    case 'unblock':
      return unblock(state, command, caller);
    case 'assign-channel':
      return assignChannel(state, command, caller);
    case 'update-chart':
    case 'adjust-chart':
      return decideChart(state, command, caller, now, plan);
  }
}

function allowed(state: ReadState, command: Command, caller: Caller, decision: Decision): Decision {
  const { type } = command;
  if (isMutable(state) || type === 'move' || isDecidedElsewhere(command) || type in reads) return decision;
  // The name of a call without an effect is kept here too: a late copy may come once the event is unarchived (I5).
  if (decision.ok && decision.records.every((record) => record.type === 'call-named')) return decision;
  // A buyer learns only that the event does not sell.
  return caller.source === 'buyer' ? salesClosed : invalidState(state);
}

/**
 * The catalog decides the end of an offer and a batch over events, and sends these commands afterwards. An event that
 * was archived meanwhile carries them out too, or its units would stay reserved or blocked for ever.
 */
function isDecidedElsewhere(command: Command): boolean {
  switch (command.type) {
    case 'unreserve':
    case 'book-reserved':
    case 'undo-block':
    // The other event has decided these exchanges.
    case 'refuse-exchange':
    case 'give-exchange':
    case 'unpin-exchange':
      return true;
    case 'block':
      return command.only === 'blocked';
    case 'unblock':
      return command.step === 'decided';
    default:
      return false;
  }
}

/** Entries of the tables for a command of any type. */
type AnyRule = (state: ReadState, command: Command, caller: Caller, now: number, plan?: Plan) => Decision;
type AnyRead = (state: ReadState, command: Command, now: number) => Answers[CommandType];
type AnyCall = {
  decide: AnyRule;
  again: (state: ReadState, noted: EventCall | NamedCall, now: number) => Answers[CommandType];
};

function answered<T extends CommandType>(answer: Answers[T]): Decision<T> {
  return { ok: true, records: [], answer };
}

function answering<T extends CommandType>(table: Reads<T>): Rules<T> {
  const ruleOf = (read: AnyRead): AnyRule => {
    return (state, command, _caller, now) => answered(read(state, command, now));
  };
  return mapped(table, ruleOf) as Rules<T>;
}

/** Calls to the event as a whole. A repeated call gets its first answer (I5). */
function once<T extends CommandType>(table: CallRules<T>): Rules<T> {
  const ruleOf = (call: AnyCall): AnyRule => {
    return (state, command, caller, now, plan) =>
      repetitionOf(call, state, command, now) ?? call.decide(state, command, caller, now, plan);
  };
  return mapped(table, ruleOf) as Rules<T>;
}

/** The decision about a repeated call, null for a new call. */
function repetitionOf(
  { again }: Pick<AnyCall, 'again'>,
  state: ReadState,
  command: Command,
  now: number,
): Decision | null {
  const known = knownCall(state, (command as { callId: string }).callId, now);
  if (!known) return null;
  const fingerprint = 'fingerprint' in known ? known.fingerprint : undefined;
  if ('fingerprint' in command && command.fingerprint !== fingerprint) return keyReused;
  return answered(again(state, known, now));
}

function mapped<V, R>(table: object, change: (value: V) => R): object {
  return Object.fromEntries(Object.entries(table).map(([type, value]) => [type, change(value)]));
}
