/**
 * The designer's page around its map: the bar above, the tools at the left, the panels at the right, the line of counts
 * below. It draws itself at most once a frame, after anything has changed.
 */
import { draftSeatTotal, partsOf } from '@parterre/shared/charts/places';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import type { Change, Editor } from './document/editor.ts';
import { floorOf, objectsOf } from './document/objects.ts';
import { selectionOf } from './document/selection.ts';
import { type Command, type CommandName, commandsIn, makeCommands } from './frame/commands.ts';
import { type Dialogs, makeDialogs } from './frame/dialogs.ts';
import { looks } from './frame/looks.ts';
import { listenToKeys } from './frame/map-keys.ts';
import { Notice } from './frame/notice.ts';
import { createOutline } from './frame/outline.ts';
import { numberField, rail, toolOptions } from './frame/rail.ts';
import { ariaKeys, shownKeys } from './frame/shortcuts.ts';
import { Bench } from './frame/workbench.ts';
import type { Words } from './messages/words.ts';
import type { PaintWhat } from './painting/painting.ts';
import { createPanels } from './panels/panels.ts';
import { icon } from './tools/icons.ts';
import { reveal } from './tools/selecting.ts';

export type ShellOptions = {
  editor: Editor;
  words: Words;
  /** The state of saving, and publishing: rendered in the bar above. */
  bar(): TemplateResult | typeof nothing;
  /** Keys of categories that a published chart may have. */
  publishedKeys(): ReadonlySet<string>;
  currency(): string | null;
  /** What stands over the map of a chart without objects, while nothing is drawn. */
  start(): TemplateResult | typeof nothing;
};

/** Commands with a button in the bar above, and over a selection. */
const barCommands: readonly CommandName[] = ['undo', 'redo'];
const arranging: readonly (readonly CommandName[])[] = [
  ['duplicate', 'delete'],
  ['alignLeft', 'alignCentre', 'alignRight', 'alignTop', 'alignMiddle', 'alignBottom'],
  ['distributeAcross', 'distributeDown'],
  ['mirrorAcross', 'mirrorDown', 'turnRight', 'front'],
];

export function openShell(root: HTMLElement, options: ShellOptions): Shell {
  return new Shell(root, options);
}

export class Shell {
  readonly bench: Bench;
  readonly #root: HTMLElement;
  readonly #options: ShellOptions;
  readonly #page = part('div', 'page');
  readonly #map = part('div', 'map');
  readonly #canvas = part('div', 'canvas');
  readonly #said = part('div', 'say');
  readonly #sheet = new CSSStyleSheet();
  readonly #notice = new Notice(() => this.redraw());
  readonly #commands: ReadonlyMap<CommandName, Command>;
  readonly #dialogs: Dialogs;
  readonly #outline: () => TemplateResult;
  readonly #panels: ReturnType<typeof createPanels>;
  readonly #endings: (() => void)[];
  #isListed = false;
  #brush: PaintWhat | null = null;
  #planned = 0;
  #counted: { of: unknown; seats: number } | null = null;

  constructor(root: HTMLElement, options: ShellOptions) {
    this.#root = root;
    this.#options = options;
    const { editor } = options;
    this.#dress();
    this.bench = new Bench({
      canvas: this.#canvas,
      editor,
      words: () => options.words,
      say: (text) => this.say(text),
      notice: (text) => this.notice(text),
      redraw: () => this.redraw(),
      painting: () => this.#brush,
      drawn: () => this.#panels.showSelection(),
      currency: () => options.currency(),
    });
    this.#commands = makeCommands(this.bench, {
      palette: () => this.#dialogs.palette(),
      help: () => this.#dialogs.help(),
      find: () => this.#find(),
    });
    const listed = () => commandsIn(this.bench, this.#commands);
    this.#dialogs = makeDialogs(
      root,
      () => options.words,
      listed,
      () => this.bench.toolGroups.flat(),
    );
    this.#outline = createOutline(this.bench);
    this.#panels = createPanels({
      editor,
      words: () => options.words,
      say: (text) => this.say(text),
      notice: (text) => this.notice(text),
      redraw: () => this.redraw(),
      focus: (ids) => this.focus(ids),
      preview: (labels) => this.bench.board.preview(labels),
      mark: (issues) => this.bench.mark(issues),
      brush: (what) => this.#useBrush(what),
      painting: () => this.#brushInUse(),
      extent: () => this.bench.board.hall.bounds,
      publishedKeys: () => options.publishedKeys(),
      currency: () => options.currency(),
      pick: (zone) => this.#pick(zone),
      prices: (areShown) => this.bench.board.showPrices(areShown),
    });
    this.#endings = [
      listenToKeys(root, this.#map, this.bench, listed),
      editor.subscribe((change) => this.#follow(change)),
      () => this.#panels.end(),
      () => this.#dialogs.end(),
      () => this.#notice.end(),
      () => this.bench.end(),
    ];
    // For a page's own scripts, as the picker's element has its map.
    Object.assign(root, { editor, shell: this });
    this.#draw();
  }

  say(text: string): void {
    // A screen reader speaks the same words twice only when the text has changed in between.
    this.#said.textContent = this.#said.textContent === text ? `${text}\u00a0` : text;
  }

  /** A refusal, or news that everybody must see. */
  notice(text: string): void {
    this.say(text);
    this.#notice.show(text);
  }

  /** Warnings. They do not stop a publish. */
  warnings(): TemplateResult | typeof nothing {
    return this.#panels.warnings();
  }

  redraw(): void {
    if (this.#planned === 0) this.#planned = requestAnimationFrame(() => this.#draw());
  }

  /** Chooses these objects and shows them. */
  focus(objectIds: readonly string[]): void {
    const { editor } = this.bench;
    const [first] = objectIds;
    if (first === undefined) return;
    const floor = floorOf(editor.document, first);
    if (floor >= 0 && floor !== editor.floor) editor.showFloor(floor);
    editor.select(selectionOf(objectIds));
    const [object] = objectsOf(editor.document, new Set([first]));
    if (object) reveal(this.bench, object);
  }

  end(): void {
    cancelAnimationFrame(this.#planned);
    this.#planned = -1;
    for (const end of this.#endings) end();
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== this.#sheet);
    this.#root.replaceChildren();
  }

  #dress(): void {
    const { words } = this.#options;
    this.#sheet.replaceSync(looks);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, this.#sheet];
    this.#root.classList.add('parterre', 'designer');
    this.#root.lang = words.locale;
    this.#canvas.setAttribute('aria-hidden', 'true');
    this.#said.setAttribute('role', 'status');
    this.#said.setAttribute('aria-live', 'polite');
    Object.assign(this.#map, { tabIndex: 0, ariaLabel: words.text('draw.map') });
    this.#map.setAttribute('role', 'application');
    this.#map.setAttribute('aria-roledescription', words.text('draw.map.role'));
    this.#map.setAttribute('aria-describedby', 'map-help');
    this.#map.append(this.#canvas);
    this.#map.addEventListener('pointerdown', () => this.#map.focus({ preventScroll: true }));
    // The map reads its colours and its size at once, so it stands on the page before it is drawn.
    this.#page.append(this.#map);
    this.#root.replaceChildren(this.#page, this.#said);
  }

  #follow(change: Change): void {
    this.bench.follow(change);
    this.redraw();
  }

  #toggleList(): void {
    this.#isListed = !this.#isListed;
    this.redraw();
  }

  #useBrush(what: PaintWhat | null): void {
    this.#brush = what;
    const mayPaint = this.bench.editor.may.authority !== 'read-only';
    if (what && mayPaint && this.bench.tool.name !== 'paint') this.bench.use('paint');
    if (!what && this.bench.tool.name === 'paint') this.bench.use('select');
    this.redraw();
  }

  #pick(zone: string | null): void {
    this.bench.use('focal');
    this.bench.settings.focalZone = zone;
    this.#map.focus({ preventScroll: true });
  }

  /** A session that only looks has no brush, and marks places all the same. */
  #brushInUse(): PaintWhat | null {
    const { tool, editor } = this.bench;
    return tool.name === 'paint' || editor.may.authority === 'read-only' ? this.#brush : null;
  }

  /** Opens the list of objects at its search; closes it where it has the focus. */
  #find(): void {
    const list = this.#root.querySelector('.list');
    this.#isListed = !list?.contains(document.activeElement);
    this.#draw();
    if (this.#isListed) this.#root.querySelector<HTMLElement>('.outline input')?.focus();
    else this.#map.focus();
  }

  #draw(): void {
    this.#planned = 0;
    this.bench.board.highlight(this.#brushInUse());
    this.#map.classList.toggle('panning', this.bench.isPanning);
    this.#map.classList.toggle('drawing', this.bench.isDrawing);
    render(this.#template(), this.#page);
  }

  #template(): TemplateResult {
    const { text } = this.#options.words;
    const { editor } = this.bench;
    return html`
      <header class="bar">
        <h1>${editor.document.name || text('draw.unnamed')}</h1>
        <div class="buttons" role="group" aria-label=${text('draw.history')}>${barCommands.map((name) => this.#button(name))}</div>
        <button type="button" class="wide" aria-pressed=${this.#isListed} aria-keyshortcuts=${ariaKeys('Mod+Shift+F')} @click=${() => this.#toggleList()}>
          ${icon('list')}<span>${text('draw.outline')}</span>
        </button>
        <button type="button" class="wide" aria-keyshortcuts=${ariaKeys('Mod+K')} @click=${() => this.#dialogs.palette()}>
          ${icon('more')}<span>${text('draw.commands')}</span><kbd>${shownKeys('Mod+K').join(' ')}</kbd>
        </button>
        <div class="space"></div>
        ${this.#options.bar()}
        ${this.#button('help')}
      </header>
      <div class="left">${rail(this.bench)}${this.#list()}</div>
      <main class="stage">
        ${this.#map}
        <p id="map-help" class="unseen">${text('draw.map.help')}</p>
        <div class="over-map">${this.#floors()}${toolOptions(this.bench)}${this.#panels.marked()}${this.#notice.template()}</div>
        ${this.bench.tool.name === 'select' ? this.#options.start() : nothing}
        ${this.#arrange()}
        <div class="zoom" role="group" aria-label=${text('draw.zoom')}>${(['zoomIn', 'zoomOut', 'fit'] as const).map((name) => this.#button(name))}</div>
      </main>
      <aside class="side" aria-label=${text('draw.side')}>${this.#panels.template()}</aside>
      ${this.#status()}
    `;
  }

  #button(name: CommandName, isOn?: boolean): TemplateResult | typeof nothing {
    const command = this.#commands.get(name)!;
    if (!command.isAllowed()) return nothing;
    const label = command.label();
    return html`<button
      type="button"
      data-command=${name}
      aria-label=${label}
      aria-keyshortcuts=${ariaKeys(command.keys)}
      aria-pressed=${isOn ?? nothing}
      aria-disabled=${!command.canRun()}
      title="${label} (${shownKeys(command.keys).join(' ')})"
      @click=${() => command.canRun() && command.run()}
    >${command.icon ? icon(command.icon) : label}</button>`;
  }

  #floors(): TemplateResult | typeof nothing {
    const { editor } = this.bench;
    const floors = editor.document.floors ?? [];
    if (floors.length < 2) return nothing;
    return html`<div class="floors" role="group" aria-label=${this.#options.words.text('draw.floors')}>
      ${floors.map(({ name }, index) => html`<button type="button" aria-pressed=${index === editor.floor} @click=${() => editor.showFloor(index)}>${name}</button>`)}
    </div>`;
  }

  #arrange(): TemplateResult | typeof nothing {
    const { editor, tool } = this.bench;
    const { objects } = editor.selection;
    if (objects.size === 0 || tool.name !== 'select') return nothing;
    const groups = (objects.size > 1 ? arranging : [arranging[0]!, arranging[3]!])
      .map((names) => names.filter((name) => this.#commands.get(name)!.isAllowed()))
      .filter(({ length }) => length > 0);
    if (groups.length === 0) return nothing;
    return html`<div class="arrange" role="toolbar" aria-label=${this.#options.words.text('draw.arrange')}>
      ${groups.map((names) => html`<div class="group">${names.map((name) => this.#button(name))}</div>`)}
    </div>`;
  }

  /** The list of objects, beside the tools while it is open. */
  #list(): TemplateResult | typeof nothing {
    const { text } = this.#options.words;
    if (!this.#isListed) return nothing;
    return html`<nav class="list" aria-label=${text('draw.outline')}>${this.#outline()}</nav>`;
  }

  #status(): TemplateResult {
    const { editor, board, settings } = this.bench;
    const { text, number } = this.#options.words;
    const { objects, seats } = editor.selection;
    let chosen = objects.size;
    for (const its of seats.values()) chosen += its.size;
    const counts = partsOf(editor.document).reduce((sum, { objects }) => sum + objects.length, 0);
    return html`<footer class="status">
      <span>${text('draw.places', { count: this.#places() })}</span>
      <span>${text('draw.objects', { count: counts })}</span>
      <span>${chosen > 0 ? text('draw.chosen.many', { count: chosen }) : nothing}</span>
      <span class="space"></span>
      ${numberField(this.bench, 'grid')} ${this.#button('grid', settings.showsGrid)} ${this.#button('snapping', settings.snaps)}
      <span class="percent">${number(Math.round(board.view.camera.scale * 100))} %</span>
    </footer>`;
  }

  /** Counted once for each document. */
  #places(): number {
    const { document } = this.bench.editor;
    if (this.#counted?.of !== document) this.#counted = { of: document, seats: draftSeatTotal(document) };
    return this.#counted.seats;
  }
}

function part(name: 'div', className: string): HTMLElement {
  const element = document.createElement(name);
  element.className = className;
  return element;
}
