/** Changes of an event's facts that its journal is to tell. Pure. */
import type { Caller } from '@parterre/shared/protocol/commands';
import type { ChangedFacts } from '@parterre/shared/protocol/records';
import type { EventDocument, FactsNote } from '../../store/rules/records.ts';

const factNames = [
  'name',
  'startsAt',
  'endsAt',
  'venue',
  'externalRef',
  'description',
  'timezone',
  'locale',
  'posterAssetId',
] as const satisfies readonly (keyof ChangedFacts)[];

const untoldMax = 16;

/** The document with a note of the facts that differ from before; `after` itself where none does. */
export function withFactsNote(
  before: EventDocument,
  after: EventDocument,
  caller: Pick<Caller, 'source' | 'actor'>,
  callId: string,
): EventDocument {
  const changed = factNames.filter((name) => before[name] !== after[name]);
  if (changed.length === 0) return after;
  const facts = Object.fromEntries(changed.map((name) => [name, after[name]])) as ChangedFacts;
  const untold = after.untold ?? [];
  const last = untold.at(-1);
  // Nobody has heard for long. The last note takes the change, too: it has the later values.
  const notes: FactsNote[] =
    untold.length >= untoldMax && last
      ? [...untold.slice(0, -1), { ...caller, callId, facts: { ...last.facts, ...facts } }]
      : [...untold, { ...caller, callId, facts }];
  return { ...after, untold: notes, hasUntold: true };
}

export function withoutFactsNote(event: EventDocument, callId: string): EventDocument {
  const untold = (event.untold ?? []).filter((note) => note.callId !== callId);
  return { ...event, untold, hasUntold: untold.length > 0 ? true : null };
}
