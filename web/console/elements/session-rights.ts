/**
 * What a manage session may do in each part of an event, from its capabilities. The table says which capabilities open
 * a part, and which give the right to its actions. The server upholds the capabilities, whatever this table says. Pure.
 */
import type { Capability } from '@parterre/shared/protocol/catalog/scope';
import type { Right } from '@parterre/shared/protocol/rights';

type PartRights = { opens: readonly Capability[]; gives?: Partial<Record<Right, readonly Capability[]>> };

/** A part that is not named here can be seen with `event:view`, and none of its actions is drawn. */
const parts: Readonly<Record<string, PartRights>> = {
  map: {
    opens: ['event:view'],
    gives: { sell: ['event:block'], manage: ['event:block', 'event:categories:manage', 'event:tables:manage'] },
  },
  counter: { opens: ['event:view', 'event:boxoffice'], gives: { sell: ['event:boxoffice'] } },
  bookings: { opens: ['event:view'], gives: { sell: ['event:cancel', 'event:boxoffice'] } },
  channels: {
    opens: ['event:view', 'event:channels:view'],
    gives: { market: ['event:channels:manage'] },
  },
  sale: { opens: ['event:view'], gives: { manage: ['event:block'] } },
  reports: { opens: ['event:view', 'event:reports'] },
};

const seen: PartRights = { opens: ['event:view'] };

const partOf = (part: string): PartRights => (Object.hasOwn(parts, part) ? parts[part]! : seen);

/** The capabilities that the session lacks to open the part; none: it may. */
export function lackingFor(part: string, capabilities: readonly string[]): Capability[] {
  return partOf(part).opens.filter((each) => !capabilities.includes(each));
}

export function rightsIn(part: string, capabilities: readonly string[]): Right[] {
  const given = Object.entries(partOf(part).gives ?? {}) as [Right, readonly Capability[]][];
  const actions = given.filter(([, needed]) => needed.every((each) => capabilities.includes(each)));
  return ['see', ...actions.map(([right]) => right)];
}
