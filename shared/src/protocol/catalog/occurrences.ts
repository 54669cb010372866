/** The groups of an organisation's events that have occurrences, for the list of occurrences and for recoveries. */
import type { Mode } from '../records.ts';
import type { EventRecord } from './events.ts';

/** A group at its place. `group` is its number among the organisation's groups of its sequence. */
export type ListedGroup = {
  partition: number;
  sequence: number;
  group: number;
  eventKey: string;
  /** The part of the commit; null for a group that the scope leaves out. */
  data: Uint8Array | null;
};

export type OccurrencesPage = {
  /** Oldest first. The groups of a partition come in the order of its journal. */
  groups: ListedGroup[];
  /** The events of the groups with data. */
  events: EventRecord[];
  /** The time of the first group behind the page, as far as the catalog has counted; null at the end. */
  nextAt: number | null;
};

/** operation → [input, output] */
export type OccurrenceOperations = {
  /**
   * `after` is a cursor (occurrences/cursor.ts), [the beginning]. `since`: groups before this time are left out.
   * Occurrences are kept for 30 days. `limit` bounds the groups; a page may have fewer, or none with data.
   */
  'occurrences.page': [
    {
      organisationId: string;
      mode: Mode;
      workspaceId: string | null;
      eventKey?: string;
      after?: string;
      since?: number;
      limit: number;
    },
    OccurrencesPage,
  ];
};
