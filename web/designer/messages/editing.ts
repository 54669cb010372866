/** Texts of edits: the reasons for which an edit is refused. */
export const editing = {
  'edit.readOnly': 'This session can look at the chart, but not change it.',
  'edit.safe': {
    one: 'Seats of the published chart keep their labels. This would change or remove {labels}.',
    other: 'Seats of the published chart keep their labels. This would change or remove {count} of them: {labels}.',
  },
  'edit.feature': 'This session cannot change this part of the chart ({feature}).',
} as const;
