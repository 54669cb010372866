/** A workbench without a page: an editor, the tools on its floor, and the sentences that were said. Nothing snaps. */
import { expect } from 'vitest';
import type { ChartDocument, ChartObject } from '../../../../shared/src/charts/document.ts';
import { LiveHall } from '../../../../web/designer/canvas/live-hall.ts';
import { Editor } from '../../../../web/designer/document/editor.ts';
import { everythingAllowed, type Permissions } from '../../../../web/designer/document/permissions.ts';
import { selectionOf } from '../../../../web/designer/document/selection.ts';
import { type CommandName, commandsIn, makeCommands } from '../../../../web/designer/frame/commands.ts';
import type { Bench } from '../../../../web/designer/frame/workbench.ts';
import { designerWords, tell } from '../../../../web/designer/messages/words.ts';
import { firstSettings, type Settings } from '../../../../web/designer/tools/settings.ts';
import type { Pointed, ToolName } from '../../../../web/designer/tools/tool.ts';
import { groupsFor, makeTools } from '../../../../web/designer/tools/tools.ts';

export type At = readonly [number, number];

export function benchOf(document: ChartDocument, settings: Partial<Settings> = {}, may: Partial<Permissions> = {}) {
  const permissions = { ...everythingAllowed, ...may };
  const editor = new Editor(document, { permissions });
  const words = designerWords();
  const said: string[] = [];
  const nothing = (): void => {};
  let live = new LiveHall(editor.document, editor.floor);
  editor.subscribe(() => {
    live = new LiveHall(editor.document, editor.floor);
  });
  const view = {
    isNear: true,
    camera: { scale: 1, x: 0, y: 0 },
    size: { width: 10_000, height: 10_000 },
    spoilOverlay: nothing,
    visit: nothing,
    panBy: nothing,
  };
  const bench = {
    editor,
    said,
    settings: { ...firstSettings(), ...settings },
    cursor: null,
    board: {
      view,
      get live() {
        return live;
      },
      get hall() {
        return live.hall;
      },
    },
    words: () => words,
    say: (text: string) => void said.push(text),
    notice: (text: string) => void said.push(text),
    apply(edit: Parameters<Editor['apply']>[0], name: Parameters<Editor['apply']>[1], gesture?: string) {
      const refusal = editor.apply(edit, name, gesture);
      if (refusal) said.push(tell(words, refusal));
      return refusal === null;
    },
    painting: () => null,
    use: nothing,
    drawn: nothing,
    remark: nothing,
    redraw: nothing,
    dropGuides: nothing,
    hideCursor: nothing,
    snap: ({ at }: Pointed) => at,
    snapBox: () => ({ dx: 0, dy: 0 }),
  };
  const tools = makeTools(bench as unknown as Bench);
  let isMore = false;
  let isToggle = false;
  const pointed = ([x, y]: At): Pointed => ({ at: { x, y }, reach: 2, isMore, isToggle, isFree: true, clicks: 1 });
  return {
    editor,
    said,
    tools,
    bench: bench as unknown as Bench,
    objects: (): readonly ChartObject[] => editor.document.objects,
    toolNames: () => groupsFor(tools, permissions).flatMap((group) => group.map(({ name }) => name)),
    holdShift(isHeld = true): void {
      isMore = isHeld;
    },
    holdCtrl(isHeld = true): void {
      isToggle = isHeld;
    },
    click(name: ToolName, at: At): void {
      tools.get(name)!.press(pointed(at))?.end(pointed(at));
    },
    enter(name: ToolName, at: At): void {
      tools.get(name)!.enter!(pointed(at));
    },
    drag(name: ToolName, from: At, to: At): void {
      const dragged = tools.get(name)!.press(pointed(from))!;
      dragged.move(pointed(to));
      dragged.end(pointed(to));
    },
  };
}

const page = { palette() {}, help() {}, find() {} };

/** A workbench with its commands, which run by their names. */
export function openBench(document: ChartDocument, may: Partial<Permissions> = {}) {
  const hands = benchOf(document, {}, may);
  const commands = makeCommands(hands.bench, page);
  return {
    ...hands,
    commands,
    listed: () => commandsIn(hands.bench, commands),
    select: (...ids: string[]) => hands.editor.select(selectionOf(ids)),
    async run(...names: CommandName[]): Promise<void> {
      for (const name of names) {
        expect(commands.get(name)!.canRun(), name).toBe(true);
        commands.get(name)!.run();
        // A paste asks for the clipboard of the system first.
        await new Promise<void>((done) => void setImmediate(done));
      }
    },
  };
}
