/** The commands that move the chosen objects to another floor: one for each floor but the one that is shown. */
import { moveToFloor } from '../document/objects.ts';
import { nothingSelected } from '../document/selection.ts';
import { withPieces } from '../edits/pieces.ts';
import { carried } from '../tools/transforms.ts';
import type { Bench } from './workbench.ts';

export type FloorMove = { readonly floor: number; readonly label: string; run(): void };

/** None in a chart with fewer than two floors, and where the session leaves the floors alone. */
export function floorMoves(bench: Bench): FloorMove[] {
  const { document, floor: shown, may } = bench.editor;
  const floors = document.floors ?? [];
  if (may.authority === 'read-only' || !may.has('floors')) return [];
  return floors.flatMap(({ name }, floor) =>
    floor === shown
      ? []
      : [
          {
            floor,
            label: bench.words().text('draw.command.toFloor', { floor: name || floor + 1 }),
            run: () => moveTo(bench, floor),
          },
        ],
  );
}

/** Sections take their rows along. The floor that is shown stays, so that more can follow. */
function moveTo(bench: Bench, floor: number): void {
  const { document } = bench.editor;
  const ids = withPieces(document, carried(bench).objects);
  if (!bench.apply((present) => moveToFloor(present, ids, floor), 'draw.step.floor')) return;
  bench.editor.select(nothingSelected);
  const name = document.floors![floor]!.name || floor + 1;
  bench.notice(bench.words().text('draw.movedToFloor', { count: ids.size, floor: name }));
}
