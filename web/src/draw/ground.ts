/** The ground under the seats: blocks, areas, tables, the stage. Shapes are made once; only their colours change. */
import type { Point } from '@parterre/shared/chart/plan';
import { Container, Graphics } from 'pixi.js';
import type { Decor } from '../rules/decor.ts';
import type { Area, Block, Hall, HallObject } from '../rules/hall.ts';
import { mixed } from '../rules/palette.ts';

export type Ground = {
  layer: Container;
  /** `share` of 0 to 1 is free. Near, a block is only the floor under its seats. Returns its present colour. */
  paintBlock(index: number, share: number, isNear: boolean): number;
  paintArea(index: number, isOpen: boolean): void;
  showFloor(floor: number): void;
};

const FLOOR = 0xf1f3f6;
const EDGE = 0xc3c8d2;
const EMPTY = 0xdfe2e8;
const DECOR = 0x3a4150;

export function makeGround(hall: Hall, colours: readonly number[]): Ground {
  const layer = new Container();
  const floors = hall.floors.map(() => layer.addChild(new Container()));
  const onFloor = (floor: number) => floors[floor] ?? floors[0]!;
  for (const each of hall.decor) if (each.outline) onFloor(each.floor).addChild(decorShape(each));
  const edge = (hall.size[0] ?? 20) * 0.06;
  const blocks = hall.blocks.map((block) => blockShape(block, edge));
  for (const [index, shape] of blocks.entries()) if (shape) onFloor(hall.blocks[index]!.floor).addChild(shape);
  const areas = hall.areas.map((area) => onFloor(area.floor).addChild(areaShape(area)));
  for (const object of hall.objects) {
    const body = bodyShape(object);
    if (body) onFloor(object.floor).addChild(body);
  }
  const colourOf = (category: number, share: number) =>
    share === 0 ? EMPTY : mixed(FLOOR, colours[category] ?? EMPTY, 0.3 + 0.7 * share);
  return {
    layer,
    paintBlock(index, share, isNear) {
      const shape = blocks[index];
      const colour = isNear ? FLOOR : colourOf(hall.blocks[index]!.category, share);
      if (shape && shape.tint !== colour) shape.tint = colour;
      return colour;
    },
    paintArea(index, isOpen) {
      const colour = colours[hall.areas[index]!.category] ?? EMPTY;
      areas[index]!.tint = isOpen ? mixed(0xffffff, colour, 0.35) : EMPTY;
    },
    showFloor(floor) {
      for (const [index, each] of floors.entries()) each.visible = index === floor;
    },
  };
}

const flat = (points: readonly Point[]): number[] => points.flatMap(({ x, y }) => [x, y]);

function blockShape({ outline }: Block, width: number): Graphics | null {
  if (!outline) return null;
  return new Graphics().poly(flat(outline)).fill(0xffffff).stroke({ color: EDGE, width, alignment: 0.5 });
}

function areaShape({ points, holes }: Area): Graphics {
  const shape = new Graphics().poly(flat(points)).fill(0xffffff).stroke({ color: EDGE, width: 2 });
  for (const hole of holes) shape.poly(flat(hole)).cut();
  return shape;
}

function decorShape({ outline, isRound, bounds }: Decor): Graphics {
  const shape = new Graphics();
  if (isRound) {
    const [width, height] = [bounds.right - bounds.left, bounds.bottom - bounds.top];
    shape.ellipse(bounds.left + width / 2, bounds.top + height / 2, width / 2, height / 2);
  } else shape.poly(flat(outline!));
  return shape.fill(DECOR);
}

function bodyShape({ body }: HallObject): Graphics | null {
  if (!body) return null;
  const shape = new Graphics();
  if (body.type === 'table' && body.shape === 'round') shape.circle(0, 0, body.radius ?? 40);
  else {
    const [width, height] = [body.width ?? 80, body.height ?? 50];
    shape.roundRect(-width / 2, -height / 2, width, height, 6);
  }
  shape.fill(0xffffff).stroke({ color: EDGE, width: 2 });
  shape.position.set(body.center.x, body.center.y);
  shape.angle = body.rotation ?? 0;
  return shape;
}
