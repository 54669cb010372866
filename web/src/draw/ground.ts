/** The ground under the seats: the chart's pictures, blocks, areas, decoration, tables. */
import type { Point } from '@parterre/shared/charts/plan';
import { overlaps } from '../rules/bounds.ts';
import type { Decor } from '../rules/decor.ts';
import type { Area, Block, HallObject } from '../rules/hall.ts';
import { mixed } from '../rules/palette.ts';
import type { Plot } from './plot.ts';
import { type Card, isBright, type Scene } from './scene.ts';

/** The part of a block's or an area's colour that is left when nothing of it is on offer. */
const DIM_SHARE = 0.22;
/** Over the chart's own picture a section is only a veil. */
const VEIL = 0.3;

/** The pen's units are the chart's. */
export function drawGround(pen: CanvasRenderingContext2D, scene: Scene, plot: Plot): void {
  const { hall } = scene;
  scene.pictures.draw(pen, plot.floor, plot.rect);
  pen.lineJoin = 'round';
  for (const each of hall.decor) if (each.outline && each.floor === plot.floor) drawDecor(pen, scene, each);
  for (const [index, block] of hall.blocks.entries()) {
    if (block.outline && block.floor === plot.floor && overlaps(block.bounds, plot.rect)) {
      drawBlock(pen, scene, plot, block, index);
    }
  }
  for (const [index, area] of hall.areas.entries())
    if (area.floor === plot.floor) drawArea(pen, scene, plot, area, index);
}

/** The colour of a block from afar: the more of it is free, the more of its category's colour. */
export function blockColour(scene: Scene, index: number, { share }: Card): string {
  const { theme, hall, colours } = scene;
  if (share === 0) return theme.empty;
  const full = mixed(theme.floor, colours[hall.blocks[index]!.category] ?? theme.empty, 0.3 + 0.7 * share);
  return isBright(scene, index) ? full : mixed(theme.floor, full, DIM_SHARE);
}

export function areaColour({ theme, colours, hall, filter }: Scene, index: number, { share }: Card): string {
  if (share === 0) return theme.empty;
  const open = mixed(theme.surface, colours[hall.areas[index]!.category] ?? theme.empty, 0.35);
  return filter && !filter.area(index) ? mixed(theme.floor, open, DIM_SHARE) : open;
}

function drawBlock(
  pen: CanvasRenderingContext2D,
  scene: Scene,
  plot: Plot,
  { outline, holes }: Block,
  index: number,
): void {
  const { theme, painter, pictures } = scene;
  const card = plot.isNear ? null : painter.cardOf(index);
  trace(pen, outline!, holes);
  pen.fillStyle = card === null ? theme.floor : blockColour(scene, index, card);
  if (plot.isNear && pictures.isOn(plot.floor)) pen.globalAlpha = VEIL;
  pen.fill('evenodd');
  pen.globalAlpha = 1;
  pen.strokeStyle = card?.isOutlined ? theme.text : theme.edge;
  pen.lineWidth = (card === null ? 1.5 : card.isOutlined ? 3 : 1) * plot.pixel;
  pen.stroke();
}

function drawArea(
  pen: CanvasRenderingContext2D,
  scene: Scene,
  plot: Plot,
  { points, holes }: Area,
  index: number,
): void {
  const card = scene.painter.areaCardOf(index);
  trace(pen, points, holes);
  pen.fillStyle = areaColour(scene, index, card);
  pen.fill('evenodd');
  pen.strokeStyle = card.isOurs ? scene.theme.text : scene.theme.edge;
  pen.lineWidth = (card.isOurs ? 4 : 1.5) * plot.pixel;
  pen.stroke();
}

function drawDecor(
  pen: CanvasRenderingContext2D,
  { theme }: Scene,
  { outline, isRound, bounds, colour, rotation }: Decor,
): void {
  const { left, top, right, bottom } = bounds;
  const x = (left + right) / 2;
  const y = (top + bottom) / 2;
  pen.save();
  pen.translate(x, y);
  pen.rotate((rotation * Math.PI) / 180);
  pen.translate(-x, -y);
  if (isRound) {
    pen.beginPath();
    pen.ellipse(x, y, (right - left) / 2, (bottom - top) / 2, 0, 0, 2 * Math.PI);
  } else trace(pen, outline!, []);
  pen.fillStyle = colour ?? theme.stage;
  pen.fill();
  pen.restore();
}

/** Begins the path of a table or booth; `by` makes it larger on every side. */
export function traceBody(pen: CanvasRenderingContext2D, body: NonNullable<HallObject['body']>, by = 0): void {
  const { x, y } = body.center;
  pen.beginPath();
  if (body.type === 'table' && body.shape === 'round') {
    pen.arc(x, y, (body.radius ?? 40) + by, 0, 2 * Math.PI);
    return;
  }
  const width = (body.width ?? 80) + 2 * by;
  const height = (body.height ?? 50) + 2 * by;
  const turned = new DOMMatrix().translate(x, y).rotate(body.rotation ?? 0);
  const corner = (dx: number, dy: number) => turned.transformPoint({ x: (dx * width) / 2, y: (dy * height) / 2 });
  const corners = [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)];
  pen.moveTo((corners[3]!.x + corners[0]!.x) / 2, (corners[3]!.y + corners[0]!.y) / 2);
  for (const [index, { x, y }] of corners.entries()) {
    const next = corners[(index + 1) % 4]!;
    pen.arcTo(x, y, next.x, next.y, Math.min(6, width / 4, height / 4));
  }
  pen.closePath();
}

function trace(pen: CanvasRenderingContext2D, outline: readonly Point[], holes: readonly (readonly Point[])[]): void {
  pen.beginPath();
  for (const points of [outline, ...holes]) {
    for (const [index, { x, y }] of points.entries()) index === 0 ? pen.moveTo(x, y) : pen.lineTo(x, y);
    pen.closePath();
  }
}
