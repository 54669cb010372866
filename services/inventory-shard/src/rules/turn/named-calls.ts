/**
 * Calls that their callers named by an Idempotency-Key. The event knows each for a day, and gives a repetition the
 * first answer (I5), also where a later call has changed its hold or booking, and where the call changed nothing.
 * Refusals are not kept: a repetition is decided anew. A call with the same name and another content is refused.
 *
 * The call ends with a `call-named` record in its own group. Calls of `noted` have told the state their answers by
 * their own records, which `repetitionOf` in decide.ts gives again. The others note here what makes the answer.
 */
import { labelsOf } from '@parterre/shared/charts/plan';
import type { Answers } from '@parterre/shared/protocol/answers';
import type { Caller, Command, CommandType } from '@parterre/shared/protocol/commands';
import type { JournalRecord } from '@parterre/shared/protocol/records';
import { codedFaults, faultsIn, itemsOf } from '../sales/sales.ts';
import {
  byOf,
  type Decision,
  type Folds,
  keyReused,
  knownNamedCall,
  type NamedCall,
  nameCall,
  type ReadState,
} from '../state/state.ts';

/** Commands that take a caller's name here. Other commands have names of their own: a hold id, a booking reference. */
const noted: ReadonlySet<CommandType> = new Set([
  'unblock',
  'list-resale',
  'remove-resale',
  'set-hold-ttl',
  'end-holds',
  'make-reservation',
  'change-reservation',
  'end-reservation',
]);

type Remembered = 'extend' | 'release' | 'unbook' | 'import-bookings';
type Memory<T extends Remembered> = {
  note(answer: Answers[T], records: readonly JournalRecord[]): { units?: number[]; answer?: object };
  again(state: ReadState, known: NamedCall): Answers[T];
};

const remembered: { readonly [T in Remembered]: Memory<T> } = {
  extend: {
    note: ({ holdId, expiresAt, extends: renewals }) => ({ answer: { holdId, expiresAt, extends: renewals } }),
    again(state, { answer }) {
      const first = answer as Omit<Answers['extend'], 'items'>;
      const hold = state.holds.get(first.holdId);
      return { ...first, items: hold ? itemsOf(state, hold) : [] };
    },
  },
  release: {
    note: (_, records) => ({ units: unitsIn(records, 'released') }),
    again: ({ plan }, { units }) => ({ released: labelsOf(plan, units) }),
  },
  unbook: {
    note: (_, records) => ({ units: unitsIn(records, 'unbooked') }),
    again: ({ plan }, { units }) => ({ unbooked: labelsOf(plan, units) }),
  },
  'import-bookings': {
    note: (answer) => ({ answer: { codes: codedFaults(answer) } }),
    again: (_, { answer }) => faultsIn((answer as { codes: string }).codes),
  },
};

function unitsIn(records: readonly JournalRecord[], type: 'released' | 'unbooked'): number[] {
  return records.flatMap((record) => (record.type === type ? record.units : []));
}

function memoryOf(type: CommandType): Memory<Remembered> | undefined {
  return (remembered as Partial<Record<CommandType, unknown>>)[type] as Memory<Remembered> | undefined;
}

/** The decision about a repeated call, null for a new call. */
export function namedRepetition(state: ReadState, command: Command, now: number): Decision | null {
  const memory = memoryOf(command.type);
  if (!memory || !('fingerprint' in command) || command.fingerprint === undefined) return null;
  const known = knownNamedCall(state, (command as Command & { callId: string }).callId, now);
  if (!known) return null;
  if (known.fingerprint !== command.fingerprint) return keyReused;
  return { ok: true, records: [], answer: memory.again(state, known) };
}

/** The decision about a new call, which the event remembers if the caller named it. */
export function rememberNamed(
  state: ReadState,
  command: Command,
  caller: Caller,
  now: number,
  decision: Decision,
): Decision {
  if (!decision.ok || !('fingerprint' in command) || command.fingerprint === undefined) return decision;
  const memory = memoryOf(command.type);
  if (!memory && !noted.has(command.type)) return decision;
  const { callId, fingerprint } = command as { callId: string; fingerprint: string };
  if (knownNamedCall(state, callId, now)) return decision;
  const { records, answer } = decision;
  const facts = memory ? memory.note(answer as never, records) : {};
  const named: JournalRecord = { type: 'call-named', callId, fingerprint, ...facts, by: byOf(caller) };
  return { ok: true, records: [...records, named], answer };
}

export const namedCallFolds: Folds<'call-named'> = {
  'call-named': (state, { callId, fingerprint, units, answer }, at) =>
    nameCall(state, callId, { units, fingerprint, at, answer }),
};
