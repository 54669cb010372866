/** The stored values of performance groups. group-collections.ts has their indexes. */
import type { GroupLifecycle, GroupRecord } from '@parterre/shared/protocol/catalog/groups';

/** The id is the group's key. */
export type GroupDocument = Omit<GroupRecord, 'key'> & {
  /** The lists that show the group, see groups/rules/group-state.ts. */
  listedUnder: string[];
  /** The activation whose locks stand on the events; null without locks. */
  lockId: string | null;
  /** The latest lifecycle operations, the newest last; `open` is true while the newest is open. */
  lifecycles: GroupLifecycle[];
  open: true | null;
};
