/** The edits of the selection that tools and commands apply. */
import type { ChartObject } from '@parterre/shared/chart/document';
import type { Point } from '@parterre/shared/chart/plan';
import type { Edit } from '../document/editor.ts';
import { changeObjects, idOf } from '../document/objects.ts';
import type { Pointed, Workbench } from './tool.ts';

export type Guide = { from: Point; to: Point };

export function bendObject(object: ChartObject, to: ChartObject): Edit {
  return (document) => changeObjects(document, new Set([idOf(object)]), () => to);
}
const nothing: Edit = (document) => document;
export function moved(bench: Workbench, dx: number, dy: number): Edit {
  return (document) => changeObjects(document, bench.editor.selection.objects, (object) => {
    const at = (point: Point) => ({ ...point, x: point.x + dx, y: point.y + dy });
    if (object.type === 'row') return { ...object, origin: at(object.origin) };
    if (object.type === 'section') return { ...object, outline: object.outline.map(at) };
    if (object.type === 'gaArea') return { ...object, points: object.points.map(at) };
    if ('center' in object) return { ...object, center: at(object.center as Point) } as ChartObject;
    return object;
  });
}
export const turned = (_bench: Workbench, _degrees: number, _middle: Point): Edit => nothing;
export const resized = (_bench: Workbench, _by: Point, _anchor: Point): Edit => nothing;
export const mirrored = (_bench: Workbench, _way: string): Edit => nothing;
export const aligned = (_bench: Workbench, _way: string): Edit => nothing;
export const distributed = (_bench: Workbench, _way: string): Edit => nothing;
export const ordered = (_bench: Workbench, _way: string): Edit => nothing;
export const deleted = (bench: Workbench): Edit => (document) => changeObjects(document, bench.editor.selection.objects, () => null);
export function duplicated(_bench: Workbench): void {}
export function snapTo(_bench: Workbench, { at }: Pointed, _without: ReadonlySet<string>, grid: number): { point: Point; guides: Guide[] } {
  return { point: { x: Math.round(at.x / grid) * grid, y: Math.round(at.y / grid) * grid }, guides: [] };
}
