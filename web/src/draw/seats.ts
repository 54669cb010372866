/**
 * Seats, one particle container a block: made when its block first comes into view, uploaded when one of its seats
 * changes, and drawn only while it is on screen. So a frame costs what is visible, however many seats the hall has.
 */
import { Container, Particle, ParticleContainer } from 'pixi.js';
import type { Hall } from '../rules/hall.ts';
import type { GlyphName, Glyphs } from './glyphs.ts';

export type Look = { glyph: GlyphName; tint: number };

export type Seats = {
  layer: Container;
  /**
   * Shows the block and returns whether it is shown. A new block is made only while `room` seats may still be made in
   * this frame.
   */
  show(block: number, room: number): boolean;
  /** The number of seats made so far. */
  readonly made: number;
  hide(block: number): void;
  /** Reads the looks of these spots again. */
  repaint(spots: Iterable<number>): void;
};

export function makeSeats(hall: Hall, glyphs: Glyphs, lookOf: (spot: number) => Look): Seats {
  const layer = new Container();
  const made: (ParticleContainer | undefined)[] = new Array(hall.blocks.length);
  const particles: (Particle | undefined)[] = new Array(hall.labels.length);

  let count = 0;

  function make(block: number): ParticleContainer {
    const container = new ParticleContainer({
      texture: glyphs.free,
      dynamicProperties: { position: false, vertex: false, rotation: false, color: false, uvs: false },
    });
    for (const spot of hall.blocks[block]!.spots) {
      const { glyph, tint } = lookOf(spot);
      const texture = glyphs[glyph];
      const scale = hall.size[spot]! / texture.width;
      const place = { x: hall.x[spot]!, y: hall.y[spot]!, anchorX: 0.5, anchorY: 0.5, scaleX: scale, scaleY: scale };
      const particle = new Particle({ texture, tint, ...place });
      particles[spot] = particle;
      container.addParticle(particle);
    }
    layer.addChild(container);
    count += hall.blocks[block]!.spots.length;
    return container;
  }

  return {
    layer,
    get made() {
      return count;
    },
    show(block, room) {
      if (!made[block] && room <= 0) return false;
      const container = made[block] ?? make(block);
      made[block] = container;
      container.visible = true;
      return true;
    },
    hide(block) {
      const container = made[block];
      if (container) container.visible = false;
    },
    repaint(spots) {
      const touched = new Set<number>();
      for (const spot of spots) {
        const particle = particles[spot];
        if (!particle) continue;
        const { glyph, tint } = lookOf(spot);
        particle.texture = glyphs[glyph];
        particle.tint = tint;
        touched.add(hall.blockOf[spot]!);
      }
      for (const block of touched) made[block]!.update();
    },
  };
}
