/**
 * The boxes of elements, those behind `use` included. A `use` is never unfolded: the box of each named element is
 * worked out once, so that uses of uses of uses cost no more than their number. A use of itself has no box.
 */
import type { Point } from '../../plan.ts';
import { boxOutline } from '../reading.ts';
import { boxOf, lengthOf, mapped, outlineOf, transformOf } from './geometry.ts';
import type { SvgNode } from './tree.ts';

/** Elements inside of each other, those behind uses included. */
const DEPTH_MAX = 1_000;

export class Boxes {
  readonly #named = new Map<string, SvgNode>();
  readonly #known = new Map<SvgNode, Point[]>();
  readonly #underWay = new Set<SvgNode>();
  cycles = 0;
  /** Chains of uses past the bound. */
  deepUses = 0;
  /** Uses of elements of other files, or of none. */
  unknownUses = 0;

  constructor(root: SvgNode) {
    const open = [root];
    for (let node = open.pop(); node; node = open.pop()) {
      const { id } = node.attributes;
      if (id !== undefined && !this.#named.has(id)) this.#named.set(id, node);
      // A group may have more children than a call may have arguments.
      for (const child of node.children) open.push(child);
    }
  }

  /** Points that span the element, in its own coordinates, before its transform; empty if nothing is drawn. */
  pointsOf(node: SvgNode): Point[] {
    if (node.name !== 'use' && node.children.length === 0) return spanOf(node);
    const known = this.#known.get(node);
    if (known) return known;
    if (this.#underWay.has(node)) {
      this.cycles++;
      return [];
    }
    if (this.#underWay.size >= DEPTH_MAX) {
      this.deepUses++;
      return [];
    }
    this.#underWay.add(node);
    const points = this.#spanOf(node);
    this.#underWay.delete(node);
    this.#known.set(node, points);
    return points;
  }

  #spanOf(node: SvgNode): Point[] {
    if (node.name === 'use') return this.#ofUse(node);
    const box = boxOf(node.children.flatMap((child) => this.#inParent(child)));
    return box === null ? [] : boxOutline(box.center, box.width, box.height, 0);
  }

  #inParent(child: SvgNode): Point[] {
    const matrix = transformOf(child.attributes.transform);
    return this.pointsOf(child).map((point) => mapped(matrix, point));
  }

  #ofUse({ attributes }: SvgNode): Point[] {
    const x = lengthOf(attributes.x) ?? 0;
    const y = lengthOf(attributes.y) ?? 0;
    const target = attributes.href?.startsWith('#') ? this.#named.get(attributes.href.slice(1)) : undefined;
    if (!target) {
      this.unknownUses++;
      return [{ x, y }];
    }
    const width = lengthOf(attributes.width);
    const height = lengthOf(attributes.height);
    if (target.name === 'symbol' && width !== null && height !== null) {
      return boxOutline({ x: x + width / 2, y: y + height / 2 }, width, height, 0);
    }
    return this.#inParent(target).map((point) => ({ x: point.x + x, y: point.y + y }));
  }
}

/** Four corners are enough for the box of a circle, and there may be 100,000 circles. */
function spanOf(node: SvgNode): Point[] {
  const { name, attributes } = node;
  if (name !== 'circle' && name !== 'ellipse') return outlineOf(node);
  const radius = lengthOf(attributes.r);
  const x = lengthOf(attributes.rx) ?? radius;
  const y = lengthOf(attributes.ry) ?? radius;
  if (x === null || y === null) return [];
  return boxOutline({ x: lengthOf(attributes.cx) ?? 0, y: lengthOf(attributes.cy) ?? 0 }, 2 * x, 2 * y, 0);
}
