/**
 * A tool: the meaning of the pointer and the keys on the map, one tool at a time. A press of the mouse and Enter at the
 * keyboard's cursor are the same call, so each tool works with both.
 */
import type { Point } from '@parterre/shared/charts/plan';
import type { Drag } from '../../src/draw/gestures.ts';
import type { Bounds } from '../../src/rules/bounds.ts';
import type { Board } from '../canvas/board.ts';
import type { Overlay } from '../canvas/overlay.ts';
import type { Edit, Editor } from '../document/editor.ts';
import type { MessageKey, Words } from '../messages/words.ts';
import type { PaintWhat } from '../painting/painting.ts';
import type { IconName } from './icons.ts';
import type { Settings } from './settings.ts';

/** A place of the pointer or of the keyboard's cursor, in chart units. */
export type Pointed = {
  at: Point;
  /** The pointer means a mark within this distance of the place. */
  reach: number;
  /** Adds to the selection; a turn or a line keeps to whole steps. */
  isMore: boolean;
  /** Adds what is clicked to the selection, or takes it away. */
  isToggle: boolean;
  /** Nothing snaps. */
  isFree: boolean;
  /** Clicks in the same place, 2 for a double click. */
  clicks: number;
};

export type Dragged = {
  move(to: Pointed): void;
  end(to: Pointed): void;
  cancel: Drag['cancel'];
};

/** Of angles, with Shift. */
export const wholeStepDegrees = 15;

export type ToolName = (typeof toolNames)[number];
export const toolNames = [
  'select',
  'pan',
  'seat',
  'row',
  'curve',
  'path',
  'block',
  'section',
  'outline',
  'round',
  'rect',
  'booth',
  'area',
  'polygon',
  'hole',
  'text',
  'shape',
  'ellipse',
  'image',
  'paint',
  'seats',
  'lasso',
  'aisle',
  'focal',
] as const;

export type Tool = {
  readonly name: ToolName;
  readonly icon: IconName;
  /** The letter that chooses it. */
  readonly key: string;
  press(from: Pointed): Dragged | null;
  hover(at: Pointed | null): void;
  /** Enter at the keyboard's cursor; null where the tool has no cursor. */
  enter: ((at: Pointed) => void) | null;
  /** True if the key was the tool's. */
  onKey(event: KeyboardEvent): boolean;
  /** Escape: true if something was given up. */
  leave(): boolean;
  draw(overlay: Overlay): void;
};

/** What tools and commands work with. */
export type Workbench = {
  readonly editor: Editor;
  readonly board: Board;
  readonly settings: Settings;
  words(): Words;
  say(text: string): void;
  /** A refusal, or news that everybody must see: said, and shown over the map. */
  notice(text: string): void;
  /** Applies an edit; a refusal is a notice. True if it was done. */
  apply(edit: Edit, name: MessageKey, gesture?: string): boolean;
  /** Chosen in the painting panel; null for nothing. */
  painting(): PaintWhat | null;
  /** Something was drawn and is selected: the panel shows it. */
  drawn(): void;
  use(tool: ToolName): void;
  /** Draws the marks over the map again: a ghost follows the pointer. */
  remark(): void;
  /** Draws the page around the map again, too. */
  redraw(): void;
  /** The nearest place to which something may snap. The lines that led there are drawn until the next call. */
  snap(at: Pointed, without?: ReadonlySet<string>): Point;
  /** The same for a box: how far it has to move. */
  snapBox(box: Bounds, at: Pointed, without: ReadonlySet<string>): { dx: number; dy: number };
  dropGuides(): void;
};
