/**
 * `decide(state, command)`: the records a command comes to and its answer, or a refusal. Pure: time and ids come in as
 * arguments, and the state is only read; `apply` writes it. One rule file for each family of commands.
 */
import type { Caller, Command } from '@parterre/shared/commands';
import { block, unblock } from './block.ts';
import { book, bookDirect, unbook } from './book.ts';
import type { Decision } from './decision.ts';
import { extend, hold, release } from './hold.ts';
import { count, inspectHold, report, view } from './read.ts';
import { setHoldTtl, setStatus } from './settings.ts';
import type { EventState } from './state.ts';

/** `create` is not decided here: it is what brings a state into being (see actor.ts). */
export function decide(state: EventState, command: Command, caller: Caller, now: number): Decision {
  switch (command.type) {
    case 'create':
      return { ok: true, records: [], answer: { counts: count(state).counts } };
    case 'hold':
      return hold(state, command, caller, now);
    case 'extend':
      return extend(state, command, caller, now);
    case 'release':
      return release(state, command, caller);
    case 'book':
      return book(state, command, caller);
    case 'book-direct':
      return bookDirect(state, command, caller);
    case 'unbook':
      return unbook(state, command, caller);
    case 'block':
      return block(state, command, caller, now);
    case 'unblock':
      return unblock(state, command, caller);
    case 'set-hold-ttl':
      return setHoldTtl(command, caller);
    case 'set-status':
      return setStatus(state, command, caller);
    case 'inspect-hold':
      return inspectHold(state, command.holdId, now);
    case 'count':
      return { ok: true, records: [], answer: count(state) };
    case 'view':
      return { ok: true, records: [], answer: view(state) };
    case 'report':
      return { ok: true, records: [], answer: report(state) };
    case 'spend':
      // Answered before it comes to an event: see budgets.ts.
      throw new Error('a budget was asked of an event');
    default:
      return command satisfies never;
  }
}
