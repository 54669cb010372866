/**
 * The handles of the selection by keys. Tab goes over them and then out of the map; arrows move the handle in use;
 * Enter adds a corner behind it; Delete takes a corner away, and with Shift a whole hole.
 *
 * States: no handle in use → one in use, by Tab → none, by Escape, by Tab beyond the last, or by another selection.
 */
import { middleOf } from '../../src/rules/bounds.ts';
import type { Edit } from '../document/editor.ts';
import type { Selection } from '../document/selection.ts';
import { rotate, scale } from '../edits/transform.ts';
import { type MessageKey, tell } from '../messages/words.ts';
import { ArrowKeys, type ArrowStep } from './arrow-keys.ts';
import { bent, type Handle, listsOf, stretchOf, withoutHole, withoutVertex } from './handles.ts';
import { frameOf, onlyChosen } from './selecting.ts';
import type { Workbench } from './tool.ts';
import { bendObject, carried } from './transforms.ts';

/** Of the turning handle, by the pace of the arrows. */
const turnDegrees = { fine: 1, plain: 5, long: 15 };

export class HandleKeys {
  readonly #bench: Workbench;
  readonly #handles: () => readonly Handle[];
  readonly #arrows = new ArrowKeys('handle');
  #used: { of: Selection; at: number } | null = null;

  /** `handles`: those of the selection. The points between corners are passed over. */
  constructor(bench: Workbench, handles: () => readonly Handle[]) {
    this.#bench = bench;
    this.#handles = () => handles().filter(({ kind }) => kind !== 'between');
  }

  /** The handle in use. */
  get handle(): Handle | null {
    if (!this.#used || this.#used.of !== this.#bench.editor.selection) return null;
    const handles = this.#handles();
    return handles[Math.min(this.#used.at, handles.length - 1)] ?? null;
  }

  /** True if the key was for a handle. */
  onKey(event: KeyboardEvent): boolean {
    if (event.key === 'Tab') return this.#walk(event.shiftKey ? -1 : 1);
    const { handle } = this;
    if (!handle) return false;
    const step = this.#arrows.stepOf(event, this.#bench.settings.grid);
    if (step) this.#move(handle, step);
    else if (event.key === 'Enter') this.#addCorner(handle);
    else if (event.key === 'Delete' || event.key === 'Backspace') this.#remove(handle, event.shiftKey);
    else return false;
    return true;
  }

  /** Puts the handle down; false if none was in use. */
  leave(): boolean {
    const had = this.handle !== null;
    this.#used = null;
    return had;
  }

  /** Backwards from the first handle, and forwards from the last, the key leaves the map. */
  #walk(step: 1 | -1): boolean {
    const { length } = this.#handles();
    const at = this.handle ? Math.min(this.#used!.at, length - 1) + step : step - 1;
    this.#used = at >= 0 && at < length ? { of: this.#bench.editor.selection, at } : null;
    this.#bench.remark();
    this.#tell();
    return this.#used !== null;
  }

  #move(handle: Handle, step: ArrowStep): void {
    const { kind } = handle;
    const name = kind === 'turn' ? 'draw.step.turn' : kind === 'corner' ? 'draw.step.resize' : 'draw.step.bend';
    const edit = this.#editOf(handle, step);
    if (edit && this.#bench.apply(edit, name, step.gesture)) this.#tell();
  }

  #editOf(handle: Handle, { dx, dy, pace }: ArrowStep): Edit | null {
    const frame = frameOf(this.#bench)!;
    if (handle.kind === 'turn') {
      return rotate(carried(this.#bench), Math.sign(dx + dy) * turnDegrees[pace], middleOf(frame));
    }
    const to = { x: handle.at.x + dx, y: handle.at.y + dy };
    if (handle.kind === 'corner') {
      const { x, y, anchor } = stretchOf(frame, handle, to);
      return x === 1 && y === 1 ? null : scale(carried(this.#bench), x, y, anchor);
    }
    const only = onlyChosen(this.#bench);
    return only && bendObject(only, bent(only, handle, to));
  }

  /** In the middle of the line to the next corner. The new corner is the handle in use then. */
  #addCorner(handle: Handle): void {
    const only = onlyChosen(this.#bench);
    if (handle.kind !== 'vertex' || !only) {
      this.#refuse();
      return;
    }
    const points = listsOf(only)[handle.list]!;
    const next = points[(handle.index + 1) % points.length]!;
    const middle = { x: (handle.at.x + next.x) / 2, y: (handle.at.y + next.y) / 2 };
    const after = bent(only, { ...handle, kind: 'between' }, middle);
    if (!this.#bench.apply(bendObject(only, after), 'draw.step.bend')) return;
    this.#used = { of: this.#bench.editor.selection, at: this.#used!.at + 1 };
    this.#tell();
  }

  #remove(handle: Handle, isWholeHole: boolean): void {
    const only = onlyChosen(this.#bench);
    const isCorner = handle.kind === 'vertex' && only !== null;
    const after = isCorner && (isWholeHole ? withoutHole(only, handle.list) : withoutVertex(only, handle));
    if (!after || after === only) this.#refuse();
    else if (this.#bench.apply(bendObject(only!, after), 'draw.step.bend')) this.#tell();
  }

  #refuse(): void {
    const { words, notice } = this.#bench;
    notice(words().text('draw.nothingDone'));
  }

  /** Says which handle is in use, and where it is now. */
  #tell(): void {
    const { handle } = this;
    if (!handle) return;
    const { words, say } = this.#bench;
    const { text, number } = words();
    const { left, top, right, bottom } = frameOf(this.#bench)!;
    const x = number(Math.round(handle.at.x));
    const y = number(Math.round(handle.at.y));
    const width = number(Math.round(right - left));
    const height = number(Math.round(bottom - top));
    const size = handle.kind === 'corner' ? text('draw.handle.size', { width, height }) : text('draw.cursor', { x, y });
    say(`${this.#nameOf(handle)}, ${size}`);
  }

  #nameOf(handle: Handle): string {
    const { text } = this.#bench.words();
    if (!('list' in handle)) return tell(this.#bench.words(), { key: nameKeyOf(handle) });
    const { list, index } = handle;
    const values = { index: index + 1, corners: listsOf(onlyChosen(this.#bench)!)[list]!.length };
    return list === 0 ? text('draw.handle.vertex', values) : text('draw.handle.hole', { ...values, hole: list });
  }
}

/** From the top left, line by line. */
const cornerNames = [
  ['draw.handle.topLeft', 'draw.handle.top', 'draw.handle.topRight'],
  ['draw.handle.left', 'draw.handle.turn', 'draw.handle.right'],
  ['draw.handle.bottomLeft', 'draw.handle.bottom', 'draw.handle.bottomRight'],
] as const;

function nameKeyOf(handle: Exclude<Handle, { list: number }>): MessageKey {
  switch (handle.kind) {
    case 'corner':
      return cornerNames[handle.down + 1]![handle.across + 1]!;
    case 'end':
      return handle.isLast ? 'draw.handle.last' : 'draw.handle.first';
    case 'control':
      return `draw.handle.${handle.name}`;
    case 'turn':
    case 'bend':
      return `draw.handle.${handle.kind}`;
  }
}
