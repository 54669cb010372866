/** The field of a row that is a piece of a longer row (row-pieces.ts). */
import { z } from 'zod';

/** Charts of other systems may have segments of later kinds, so nothing here is refused. */
const segment = z.looseObject({
  kind: z.unknown().optional().describe('`segmented-row-v1`; another kind has no effect.'),
  groupId: z.unknown().optional(),
  componentIndex: z.unknown().optional().describe('From 0, an integer.'),
  boundaryBefore: z.unknown().optional().describe('`start`, `continuous` or `gap`.'),
});

export const segmentedRow = segment
  .nullish()
  .describe(
    'For a piece of a row. Where `boundaryBefore` is `continuous`, the first seat of the piece and the last seat of the ' +
      'piece before it (the same `groupId`, `componentIndex` one lower) are neighbours: best-available seats a party ' +
      'across the boundary. The pieces stand one after the other in `objects`, in the same section.',
  );
