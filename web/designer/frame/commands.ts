/** Everything that can be done to the document or its view by a name: for buttons, the palette, keys and the help. */
import { middleOf } from '../../src/rules/bounds.ts';
import type { Edit } from '../document/editor.ts';
import { moveToFloor } from '../document/objects.ts';
import { type Feature, objectFeatures, type Permissions } from '../document/permissions.ts';
import { everythingOn, inverted, ofKind } from '../document/selecting.ts';
import { isNothing, nothingSelected, type Selection } from '../document/selection.ts';
import { align, distribute, reorder } from '../edits/arrange.ts';
import { type Clip, clipOf, copyOf, duplicate, paste, remove } from '../edits/copies.ts';
import { withPieces } from '../edits/pieces.ts';
import { mirror, rotate, scale } from '../edits/transform.ts';
import { type MessageKey, tell } from '../messages/words.ts';
import type { IconName } from '../tools/icons.ts';
import { chosenObjects, frameOf, reveal, sayChoice, touchedObjects, walk } from '../tools/selecting.ts';
import { carried, make } from '../tools/transforms.ts';
import { shaping } from './shaping.ts';
import type { Bench } from './workbench.ts';

/** The page's own commands. */
export type PageCommands = { palette(): void; help(): void; find(): void };

export type Command = {
  readonly name: string;
  readonly icon: IconName | null;
  /** As in shortcuts.ts; empty for none. */
  readonly keys: string;
  /** Its keys work only while the map has the focus. */
  readonly isOfMap: boolean;
  label(): string;
  run(): void;
  canRun(): boolean;
  /** False where the session forbids it, whatever is selected. */
  isAllowed(): boolean;
};

/** The condition of a command: one, two or three chosen objects, a step to undo, or the right to edit. */
type Needs = 'nothing' | 'edit' | 'one' | 'two' | 'three' | 'some' | 'undo' | 'redo';

type Spec = readonly [keys: string, Needs, IconName | null, (bench: Bench, page: PageCommands) => void];

const ZOOM_STEP = 1.6;

const GROW = 1.1;

/** The last copy of this page, for browsers that do not let a page read the clipboard. */
let last: Clip | null = null;

const specs = {
  undo: ['Mod+Z', 'undo', 'undo', (bench) => sayStep(bench, bench.editor.undo(), 'draw.undone')],
  redo: ['Mod+Shift+Z', 'redo', 'redo', (bench) => sayStep(bench, bench.editor.redo(), 'draw.redone')],
  cut: ['Mod+X', 'one', null, cut],
  copy: ['Mod+C', 'some', null, (bench) => copied(bench)],
  paste: ['Mod+V', 'edit', null, (bench) => void pasted(bench)],
  duplicate: ['Mod+D', 'one', 'duplicate', duplicated],
  delete: ['Delete', 'one', 'delete', (bench) => change(bench, remove(bench.editor.selection), 'draw.step.delete')],
  all: ['Mod+A', 'nothing', null, (bench) => choose(bench, everythingOn(bench.editor.document, bench.editor.floor))],
  invert: [
    'Mod+I',
    'nothing',
    null,
    (bench) => choose(bench, inverted(bench.editor.document, bench.editor.floor, bench.editor.selection)),
  ],
  kind: ['Mod+Shift+K', 'some', null, chooseKind],
  none: ['Mod+Shift+A', 'some', null, (bench) => bench.editor.select(nothingSelected)],
  next: [']', 'nothing', null, (bench) => walkOn(bench, 1)],
  previous: ['[', 'nothing', null, (bench) => walkOn(bench, -1)],
  alignLeft: ['Shift+L', 'two', 'alignLeft', (bench) => change(bench, align(chosen(bench), 'left'), 'draw.step.align')],
  alignCentre: [
    'Shift+C',
    'two',
    'alignCentre',
    (bench) => change(bench, align(chosen(bench), 'centre'), 'draw.step.align'),
  ],
  alignRight: [
    'Shift+R',
    'two',
    'alignRight',
    (bench) => change(bench, align(chosen(bench), 'right'), 'draw.step.align'),
  ],
  alignTop: ['Shift+T', 'two', 'alignTop', (bench) => change(bench, align(chosen(bench), 'top'), 'draw.step.align')],
  alignMiddle: [
    'Shift+M',
    'two',
    'alignMiddle',
    (bench) => change(bench, align(chosen(bench), 'middle'), 'draw.step.align'),
  ],
  alignBottom: [
    'Shift+B',
    'two',
    'alignBottom',
    (bench) => change(bench, align(chosen(bench), 'bottom'), 'draw.step.align'),
  ],
  distributeAcross: [
    'Shift+X',
    'three',
    'distributeAcross',
    (bench) => change(bench, distribute(chosen(bench), 'across'), 'draw.step.distribute'),
  ],
  distributeDown: [
    'Shift+Y',
    'three',
    'distributeDown',
    (bench) => change(bench, distribute(chosen(bench), 'down'), 'draw.step.distribute'),
  ],
  mirrorAcross: [
    'Shift+H',
    'one',
    'mirrorAcross',
    (bench) => change(bench, mirror(carried(bench), 'across'), 'draw.step.mirror'),
  ],
  mirrorDown: [
    'Shift+V',
    'one',
    'mirrorDown',
    (bench) => change(bench, mirror(carried(bench), 'down'), 'draw.step.mirror'),
  ],
  turnRight: ['.', 'one', 'rotate', (bench) => turn(bench, 5)],
  turnLeft: [',', 'one', null, (bench) => turn(bench, -5)],
  quarterRight: ['>', 'one', null, (bench) => turn(bench, 90)],
  quarterLeft: ['<', 'one', null, (bench) => turn(bench, -90)],
  larger: ['Shift+PageUp', 'one', null, (bench) => grow(bench, GROW)],
  smaller: ['Shift+PageDown', 'one', null, (bench) => grow(bench, 1 / GROW)],
  front: ['Mod+]', 'one', 'front', (bench) => change(bench, reorder(chosen(bench), 'front'), 'draw.step.order')],
  back: ['Mod+[', 'one', null, (bench) => change(bench, reorder(chosen(bench), 'back'), 'draw.step.order')],
  ...shaping,
  zoomIn: ['+', 'nothing', 'plus', ({ board }) => board.view.zoomBy(ZOOM_STEP)],
  zoomOut: ['-', 'nothing', 'minus', ({ board }) => board.view.zoomBy(1 / ZOOM_STEP)],
  fit: ['0', 'nothing', 'fit', ({ board }) => board.view.fit()],
  fitSelection: ['9', 'some', null, showChosen],
  grid: ['Shift+G', 'nothing', 'grid', (bench) => toggle(bench, 'showsGrid', 'draw.grid')],
  below: ['Shift+F', 'nothing', null, (bench) => toggle(bench, 'showsBelow', 'draw.below')],
  snapping: ['Shift+S', 'nothing', 'magnet', (bench) => toggle(bench, 'snaps', 'draw.snapping')],
  find: ['Mod+Shift+F', 'nothing', null, (_, page) => page.find()],
  palette: ['Mod+K', 'nothing', 'more', (_, page) => page.palette()],
  help: ['?', 'nothing', 'help', (_, page) => page.help()],
} as const satisfies Record<string, Spec>;

/** Chosen seats of other objects stay: no copy has them. */
function cut(bench: Bench): void {
  if (!copied(bench)) return;
  const { objects } = carried(bench);
  if (bench.apply(remove({ objects, seats: new Map() }), 'draw.step.cut'))
    bench.say(bench.words().text('draw.cutOut', { count: objects.size }));
}

/**
 * Copying and pasting, within the chart and from one chart to another by the clipboard of the system. A section takes
 * its rows along. Single seats are no objects: their row is copied, or nothing.
 *
 * False if nothing was chosen that can be copied.
 */
function copied(bench: Bench): boolean {
  const { editor, words, say } = bench;
  if (!hasObjects(bench)) return false;
  const clip = copyOf(editor.document, carried(bench));
  last = clip;
  // A page without a right to the clipboard still has its own copy.
  globalThis.navigator?.clipboard?.writeText(JSON.stringify(clip)).catch(() => {});
  say(words().text('draw.copied', { count: clip.objects.length }));
  return true;
}

function hasObjects({ editor, words, notice }: Bench): boolean {
  const { objects } = editor.selection;
  if (objects.size === 0) notice(words().text('draw.noSeatCopies'));
  return objects.size > 0;
}

async function pasted(bench: Bench): Promise<void> {
  const read = await globalThis.navigator?.clipboard?.readText().catch(() => '');
  const clip = clipOf(read ?? '') ?? last;
  if (!clip) return bench.notice(bench.words().text('draw.nothingToPaste'));
  const { document, floor } = bench.editor;
  if (!make(bench, paste(document, floor, clip, bench.cursor), 'draw.step.paste')) return;
  const [first] = chosenObjects(bench);
  if (first) reveal(bench, first);
  sayChoice(bench);
}

function duplicated(bench: Bench): void {
  if (!hasObjects(bench)) return;
  if (make(bench, duplicate(bench.editor.document, carried(bench)), 'draw.step.duplicate')) sayChoice(bench);
}

export type CommandName = keyof typeof specs;

/** A command is there while the session allows one of these. Others that change objects need any kind of objects. */
const featuresOf: Partial<Record<CommandName, readonly Feature[]>> = {
  split: ['rows', 'areas'],
  join: ['rows', 'areas'],
  part: ['rows'],
  longerEnd: ['rows'],
  shorterEnd: ['rows'],
  longerStart: ['rows'],
  shorterStart: ['rows'],
  bringBack: ['rows', 'tables'],
  sectionAround: ['sections'],
  mirrorNumbers: ['labels'],
};

export function makeCommands(bench: Bench, page: PageCommands): ReadonlyMap<CommandName, Command> {
  const commands = (Object.entries(specs) as [CommandName, Spec][]).map(
    ([name, [keys, needs, icon, run]]): [CommandName, Command] => [
      name,
      {
        name,
        icon,
        keys,
        isOfMap: !keys.startsWith('Mod'),
        label: () => bench.words().text(`draw.command.${name}`),
        run: () => run(bench, page),
        canRun: () => has(bench, needs),
        isAllowed: () => isAllowed(bench.editor.may, name, needs),
      },
    ],
  );
  return new Map(commands);
}

/** The commands that the session allows, with one for each other floor. */
export function commandsIn(bench: Bench, commands: ReadonlyMap<CommandName, Command>): Command[] {
  const moves = floorMoves(bench).map(
    ({ floor, label, run }): Command => ({
      name: `toFloor-${floor}`,
      icon: null,
      keys: '',
      isOfMap: false,
      run,
      label: () => label,
      canRun: () => bench.editor.selection.objects.size > 0,
      isAllowed: () => true,
    }),
  );
  return [...[...commands.values()].filter((command) => command.isAllowed()), ...moves];
}

/** The commands that move the chosen objects to another floor: one for each floor but the one that is shown. */
type FloorMove = { readonly floor: number; readonly label: string; run(): void };

/** None in a chart with fewer than two floors, and where the session leaves the floors alone. */
function floorMoves(bench: Bench): FloorMove[] {
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

function isAllowed(may: Permissions, name: CommandName, needs: Needs): boolean {
  if (needs === 'nothing' || needs === 'some') return true;
  if (may.authority === 'read-only') return false;
  if (needs === 'undo' || needs === 'redo') return true;
  return (featuresOf[name] ?? objectFeatures).some((feature) => may.has(feature));
}

function has({ editor }: Bench, needs: Needs): boolean {
  const { objects, seats } = editor.selection;
  const mayEdit = editor.may.authority !== 'read-only';
  switch (needs) {
    case 'nothing':
      return true;
    case 'some':
      return objects.size + seats.size > 0;
    case 'edit':
      return mayEdit;
    case 'one':
      return mayEdit && objects.size + seats.size > 0;
    case 'two':
      return mayEdit && objects.size > 1;
    case 'three':
      return mayEdit && objects.size > 2;
    case 'undo':
      return editor.canUndo;
    case 'redo':
      return editor.canRedo;
  }
}

function change(bench: Bench, edit: Edit, name: MessageKey): void {
  const { words, say } = bench;
  if (bench.apply(edit, name)) say(tell(words(), { key: name }));
}

const chosen = ({ editor }: Bench): ReadonlySet<string> => editor.selection.objects;

/** Objects that somebody else changed too stay as they are, and a person learns it. */
function sayStep(
  { words, say, notice, editor }: Bench,
  name: MessageKey | null,
  key: 'draw.undone' | 'draw.redone',
): void {
  if (!name && editor.refused) notice(tell(words(), editor.refused));
  if (!name) return;
  const { text } = words();
  const count = new Set(editor.left).size;
  const step = text(key, { step: tell(words(), { key: name }) });
  if (count > 0) notice(`${step}. ${text('undo.left', { count })}`);
  else say(step);
}

function turn(bench: Bench, degrees: number): void {
  const frame = frameOf(bench);
  if (frame) change(bench, rotate(carried(bench), degrees, middleOf(frame)), 'draw.step.turn');
}

function grow(bench: Bench, factor: number): void {
  const frame = frameOf(bench);
  if (frame) change(bench, scale(carried(bench), factor, factor, middleOf(frame)), 'draw.step.resize');
}

function choose(bench: Bench, selection: Selection): void {
  bench.editor.select(selection);
  sayChoice(bench);
}

/** All objects of the kinds that are chosen, or have a chosen seat. */
function chooseKind(bench: Bench): void {
  const { document, floor, selection } = bench.editor;
  const kinds = new Set(touchedObjects(bench).map(({ type }) => type));
  const found = ofKind(document, floor, kinds);
  // A locked object may be the only one of its kind.
  choose(bench, isNothing(found) ? selection : found);
}

/** The arrows move the object that is chosen next. */
function walkOn(bench: Bench, step: 1 | -1): void {
  bench.hideCursor();
  walk(bench, step);
}

function showChosen(bench: Bench): void {
  const frame = frameOf(bench);
  if (frame) bench.board.view.visit(frame);
}

function toggle(
  bench: Bench,
  setting: 'showsGrid' | 'showsBelow' | 'snaps',
  key: 'draw.grid' | 'draw.below' | 'draw.snapping',
): void {
  const isOn = !bench.settings[setting];
  bench.settings[setting] = isOn;
  bench.say(bench.words().text(isOn ? `${key}.on` : `${key}.off`));
  bench.redraw();
}
