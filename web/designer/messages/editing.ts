/** Texts of edits: the reasons for which an edit is refused. */
export const editing = {
  'edit.readOnly': 'This session can look at the chart, but not change it.',
  'edit.safe': {
    one: 'Seats of the published chart keep their labels. This would change or remove {labels}.',
    other: 'Seats of the published chart keep their labels. This would change or remove {count} of them: {labels}.',
  },
  'edit.tooLarge': 'The chart would have {count} places. The designer works on at most {max}.',
  'edit.feature': 'This session cannot change this part of the chart ({feature}).',
} as const;
