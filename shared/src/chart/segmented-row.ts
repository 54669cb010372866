/**
 * Rows in pieces. A piece is a row of the chart that names its group and its place in the group. Where nothing parts a
 * piece from the piece before, the last seat of one and the first seat of the other are neighbours. Pure.
 */
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

type Piece = z.infer<typeof segmentedRow>;

/** Whether both are pieces of one row, and nothing parts the second piece from the first. */
export function continuesPiece(second: Piece, first: Piece): boolean {
  if (!second || !first || second.kind !== 'segmented-row-v1' || first.kind !== second.kind) return false;
  if (second.boundaryBefore !== 'continuous' || typeof second.groupId !== 'string') return false;
  return first.groupId === second.groupId && second.componentIndex === Number(first.componentIndex) + 1;
}
