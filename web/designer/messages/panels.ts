/** Texts of the side panels. */
export const panels = {
  'panels.label': 'Properties',
} as const;
