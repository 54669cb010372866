/** The edits of the selection that tools and commands apply. */
import type { ChartObject } from '@parterre/shared/chart/document';
import type { Point } from '@parterre/shared/chart/plan';
import type { Edit } from '../document/editor.ts';
import { changeObjects, idOf } from '../document/objects.ts';
import { duplicate, type Made } from '../edits/copies.ts';
import { move, rotate, scale } from '../edits/transform.ts';
import type { MessageKey } from '../messages/words.ts';
import type { Workbench } from './tool.ts';

/** Puts an object in the place of another of its id. */
export function bendObject(object: ChartObject, to: ChartObject): Edit {
  return (document) => changeObjects(document, new Set([idOf(object)]), () => to);
}

export const moved = ({ editor }: Workbench, dx: number, dy: number): Edit => move(editor.selection, dx, dy);

export const turned = ({ editor }: Workbench, degrees: number, about: Point): Edit =>
  rotate(editor.selection, degrees, about);

export const resized = ({ editor }: Workbench, by: Point, about: Point): Edit =>
  scale(editor.selection, by.x, by.y, about);

/** Makes objects, and chooses them. */
export function make({ apply, editor }: Workbench, { edit, selection }: Made, name: MessageKey): boolean {
  if (!apply(edit, name)) return false;
  editor.select(selection);
  return true;
}

export function duplicated(bench: Workbench): boolean {
  return make(bench, duplicate(bench.editor.document, bench.editor.selection), 'draw.step.duplicate');
}
