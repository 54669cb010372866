/**
 * `decide(state, command)`: the records a command comes to and its answer, or a refusal. Pure: time and ids come in as
 * arguments, and the state is only read; `apply` writes it. One rule file for each family of commands.
 */
import type { Answers } from '@parterre/shared/answers';
import { labelsOf, type Plan } from '@parterre/shared/chart/plan';
import type { Caller, Command, CommandType } from '@parterre/shared/commands';
import { availabilityOf, setAvailability } from '../availability/availability.ts';
import { blockBest, bookBest, holdBest } from '../best-available/best-available.ts';
import { assignChannel } from '../channels/channel-assignments.ts';
import { archiveChannel, changeChannel, createChannel, setChannelState } from '../channels/channel-calls.ts';
import { channelAllocation, channelReport, channelStates, channels } from '../channels/channel-reads.ts';
import { firstChannelAnswer } from '../channels/channels.ts';
import { adjustChart } from '../chart/chart-adjustment.ts';
import { updateChart } from '../chart/chart-update.ts';
import { invalidState, isMutable, move } from '../event/lifecycle.ts';
import { configure, setHoldTtl } from '../event/settings.ts';
import { closeRelease, setReleases, shown } from '../pricing/ticket-releases.ts';
import { count, countsOf, inspectHold, report, view } from '../reads/reads.ts';
import { unitColumns } from '../reads/unit-columns.ts';
import { block, unblock } from '../sales/block.ts';
import { book, bookDirect, unbook } from '../sales/book.ts';
import { boxBook, boxOfficeSale } from '../sales/box-office.ts';
import { extend, hold, release } from '../sales/hold.ts';
import { listResale, removeResale } from '../sales/resale.ts';
import { knownCall } from '../state/calls.ts';
import { type Decision, keyReused, salesClosed } from '../state/decision.ts';
import type { EventCall, EventState, NamedCall } from '../state/state.ts';

/**
 * `create` is not decided here: it is what brings a state into being (see actor.ts). An archived or deleted event refuses
 * whatever would change it; a copy of a call that was done before still gets its first answer. `plan` is the one that a
 * change of chart names.
 */
export function decide(state: EventState, command: Command, caller: Caller, now: number, plan?: Plan): Decision {
  const decision = rule(state, command, caller, now, plan);
  if (isMutable(state) || changesNothing.has(command.type) || command.type === 'move') return decision;
  if (decision.ok && decision.records.length === 0) return decision;
  // To a buyer an event sells or it does not.
  return caller.source === 'buyer' ? salesClosed : invalidState(state);
}

const changesNothing: ReadonlySet<CommandType> = new Set<CommandType>([
  'create',
  'inspect-hold',
  'count',
  'view',
  'report',
  'unit-columns',
  'releases',
  'availability',
  'channels',
  'channel-records',
  'channel-states',
  'channel-allocation',
  'channel-report',
]);

function rule(state: EventState, command: Command, caller: Caller, now: number, plan?: Plan): Decision {
  switch (command.type) {
    case 'create':
      return { ok: true, records: [], answer: { counts: countsOf(state) } };
    case 'hold':
      return hold(state, command, caller, now);
    case 'extend':
      return extend(state, command, caller, now);
    case 'release':
      return release(state, command, caller, now);
    case 'book':
      return book(state, command, caller, now);
    case 'book-direct':
      return bookDirect(state, command, caller, now);
    case 'unbook':
      return unbook(state, command, caller);
    case 'hold-best':
      return holdBest(state, command, caller, now);
    case 'book-best':
      return bookBest(state, command, caller, now);
    case 'inspect-hold':
      return inspectHold(state, command.holdId, caller, now);
    case 'count':
      return { ok: true, records: [], answer: count(state) };
    case 'view':
      return { ok: true, records: [], answer: view(state) };
    case 'report':
      return { ok: true, records: [], answer: report(state) };
    case 'unit-columns':
      return { ok: true, records: [], answer: unitColumns(state, command.from, command.most) };
    case 'box-book':
      return boxBook(state, command, caller, now);
    case 'box-office-sale':
      return boxOfficeSale(state, command, caller, now);
    case 'releases':
      return { ok: true, records: [], answer: shown(state, state.releases, now) };
    case 'availability':
      return { ok: true, records: [], answer: availabilityOf(state) };
    case 'channels':
      return { ok: true, records: [], answer: channels(state) };
    case 'channel-records':
      return { ok: true, records: [], answer: { channels: [...state.channels.byId.values()] } };
    case 'channel-states':
      return { ok: true, records: [], answer: channelStates(state) };
    case 'channel-allocation':
      return channelAllocation(state, command);
    case 'channel-report':
      return { ok: true, records: [], answer: channelReport(state) };
    case 'spend':
      // Answered before it comes to an event: see budgets.ts.
      throw new Error('a budget was asked of an event');
    default:
      return ruleOnce(state, command, caller, now, plan);
  }
}

type ChannelCommand = Command & {
  type: 'create-channel' | 'change-channel' | 'set-channel-state' | 'assign-channel' | 'archive-channel';
};

type EventCommand = Extract<
  Command,
  {
    type:
      | 'block'
      | 'block-best'
      | 'unblock'
      | 'set-hold-ttl'
      | 'move'
      | 'configure'
      | 'update-chart'
      | 'adjust-chart'
      | 'set-releases'
      | 'close-release'
      | 'set-availability'
      | 'list-resale'
      | 'remove-resale'
      | ChannelCommand['type'];
  }
>;

/** Calls to the event as a whole: one that was done before gets its first answer (I5). */
function ruleOnce(state: EventState, command: EventCommand, caller: Caller, now: number, plan?: Plan): Decision {
  const known = knownCall(state, command.callId, now);
  if (known) return firstAnswer(state, command, known, now);
  switch (command.type) {
    case 'block':
      return block(state, command, caller, now);
    case 'block-best':
      return blockBest(state, command, caller, now);
    case 'unblock':
      return unblock(state, command, caller);
    case 'set-hold-ttl':
      return setHoldTtl(command, caller);
    case 'move':
      return move(state, command, caller, now);
    case 'configure':
      return configure(state, command, caller, now);
    case 'update-chart':
      return updateChart(state, command, caller, planFor(command, plan), now);
    case 'adjust-chart':
      return adjustChart(state, command, caller, planFor(command, plan), now);
    case 'set-releases':
      return setReleases(state, command, caller, now);
    case 'close-release':
      return closeRelease(state, command, caller, now);
    case 'set-availability':
      return setAvailability(state, command, caller, now);
    case 'list-resale':
      return listResale(state, command, caller);
    case 'remove-resale':
      return removeResale(state, command, caller);
    case 'create-channel':
      return createChannel(state, command, caller, now);
    case 'change-channel':
      return changeChannel(state, command, caller, now);
    case 'set-channel-state':
      return setChannelState(state, command, caller, now);
    case 'assign-channel':
      return assignChannel(state, command, caller);
    case 'archive-channel':
      return archiveChannel(state, command, caller, now);
    default:
      return command satisfies never;
  }
}

function planFor({ planHash }: { planHash: string }, plan: Plan | undefined): Plan {
  if (plan?.hash !== planHash) throw new Error(`${planHash} is decided without its plan`);
  return plan;
}

function firstAnswer(state: EventState, command: EventCommand, known: EventCall | NamedCall, now: number): Decision {
  const { units } = known;
  const answer = 'answer' in known ? known.answer : null;
  const fingerprint = 'fingerprint' in known ? known.fingerprint : undefined;
  if ('fingerprint' in command && command.fingerprint !== fingerprint) return keyReused;
  // Remembered without what is long, which nearly always still stands.
  if (command.type === 'set-availability') return { ok: true, records: [], answer: availabilityOf(state) };
  if (command.type === 'configure') {
    const { sectionStates } = state;
    return { ok: true, records: [], answer: { sectionStates, ...(answer as KeptConfigured) } };
  }
  if (units === null) {
    const whole = answer ? firstChannelAnswer(state, answer) : shown(state, state.releases, now);
    return { ok: true, records: [], answer: whole as Answers[EventCommand['type']] };
  }
  const labels = labelsOf(state.plan, units);
  if (command.type === 'list-resale' || command.type === 'remove-resale') {
    return { ok: true, records: [], answer: { ...answer, labels } };
  }
  return { ok: true, records: [], answer: command.type === 'unblock' ? { unblocked: labels } : { blocked: labels } };
}

type KeptConfigured = Omit<Answers['configure'], 'sectionStates'>;
