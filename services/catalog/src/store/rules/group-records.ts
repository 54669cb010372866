/** The stored values of performance groups. group-collections.ts has their indexes. */
import type { GroupLifecycle, GroupRecord } from '@parterre/shared/protocol/catalog/groups';
import type { Living } from './records.ts';

/** The id is the group's key. */
export type GroupDocument = Omit<GroupRecord, 'key'> &
  Living & {
    lifecycles: GroupLifecycle[];
    /** Every list that shows the group (lists.ts). */
    lists: string[];
    /** The activation whose locks stand on the events; null without locks. */
    lockId: string | null;
    /** Set when a draft is deleted. */
    gone: true | null;
  };
