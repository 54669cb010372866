/**
 * Rows in pieces. A piece is a row of the chart that names its group and its place in the group. Where nothing parts a
 * piece from the piece before, the last seat of one and the first seat of the other are neighbours. Pure.
 */
import type { Row } from './document.ts';

type Piece = Row['segmentedRow'];

/** Whether both are pieces of one row, and nothing parts the second piece from the first. */
export function continuesPiece(second: Piece, first: Piece): boolean {
  if (!second || !first || second.kind !== 'segmented-row-v1' || first.kind !== second.kind) return false;
  if (second.boundaryBefore !== 'continuous' || typeof second.groupId !== 'string') return false;
  return first.groupId === second.groupId && second.componentIndex === Number(first.componentIndex) + 1;
}
