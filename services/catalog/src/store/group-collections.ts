/** The collections of performance groups. */
import type { GroupDocument } from './rules/group-records.ts';
import type { GroupCancellationRecord } from './rules/season-records.ts';
import type { Collection } from './store.ts';

export const groups = {
  name: 'performance-groups',
  indexes: {
    byList: { fields: ['lists'], order: 'createdAt' },
    /** The groups with an open lifecycle operation. */
    byOpen: { fields: ['open'], order: 'updatedAt', only: { field: 'open', values: [true] } },
  },
} as Collection<GroupDocument>;

export const groupCancellations = {
  name: 'group-cancellations',
  indexes: {
    byOpen: { fields: ['open'], order: 'updatedAt', only: { field: 'open', values: [true] } },
    byOperation: { fields: ['operation'], order: 'createdAt' },
  },
} as Collection<GroupCancellationRecord>;
