/** The focal point follows the stage and the rows of a hall that is drawn by hand, until a person sets it. */
import { compilePlan } from '@parterre/shared/charts/compile';
import type { ChartDocument, ChartObject } from '@parterre/shared/charts/document';
import { supposedFocalPoint } from '@parterre/shared/charts/focal-point';
import { describe, expect, test } from 'vitest';
import { warningsOf } from '../../../web/designer/checking/warnings.ts';
import { Editor } from '../../../web/designer/document/editor.ts';
import { setFocalPoint, suppose } from '../../../web/designer/document/focal-points.ts';
import { mergeDocuments } from '../../../web/designer/document/merge.ts';
import { idOf, withObjects } from '../../../web/designer/document/objects.ts';
import { addFloor } from '../../../web/designer/edits/floors.ts';
import { move } from '../../../web/designer/edits/transform.ts';
import { chart, point, row } from '../../support/charts.ts';
import { house } from '../../support/inventory/house.ts';
import { benchOf } from './tools/bench.ts';

const add = (document: ChartDocument, floor: number, ...objects: ChartObject[]) =>
  withObjects(document, floor, (present) => [...present, ...objects]);
const shape = (label: string, more: object = {}) =>
  ({
    type: 'shape',
    id: 'stage',
    kind: 'rect',
    center: point(300, 900),
    width: 400,
    height: 80,
    label,
    ...more,
  }) as never;
const far = row({ origin: point(400, 300), seatCount: 11 });

describe('a hall that is drawn by hand', () => {
  const drawn = () => {
    const bench = benchOf(chart([]));
    bench.drag('block', [400, 300], [880, 620]);
    return bench;
  };

  test('has its best seats in the middle of its front row', () => {
    const { editor } = drawn();
    const event = house('platform', compilePlan(editor.document, 'drawn'));
    const { labels } = event.ok({ type: 'hold-best', holdId: 'h', query: { qty: 2 } });
    expect(labels).toEqual(['A-10', 'A-11']);
  });

  test('has its focal point before its rows, and it moves with them', () => {
    const { editor } = drawn();
    expect(editor.document.focalPoint).toEqual({ x: 640, y: 240, supposed: true });
    editor.apply(
      move({ objects: new Set(editor.document.objects.map(idOf)), seats: new Map() }, 10, -5),
      'draw.step.move',
    );
    expect(editor.document.focalPoint).toMatchObject({ x: 650, y: 235 });
    editor.undo();
    expect(editor.document.focalPoint).toMatchObject({ x: 640, y: 240 });
  });

  test('keeps a point that a person sets, also by the tool on the map', () => {
    const { editor, click, drag } = drawn();
    click('focal', [640, 700]);
    expect(editor.document.focalPoint).toEqual(point(640, 700));
    drag('block', [400, 700], [880, 820]);
    expect(editor.document.focalPoint).toEqual(point(640, 700));
    editor.apply(suppose(null), 'did.focalPoint');
    expect(editor.document.focalPoint).toEqual({ x: 640, y: 240, supposed: true });
  });

  test('keeps the point of a chart that had places before', () => {
    const editor = new Editor(chart([far]));
    editor.apply((document) => add(document, 0, row({ id: 'b', label: 'B', origin: point(0, 900) })), 'draw.step.add');
    expect(editor.document.focalPoint).toEqual(point(0, 0));
  });

  test('has a point on each floor: of its own rows where the stage is elsewhere', () => {
    const { editor } = drawn();
    editor.apply(addFloor('Circle', 'Stalls'), 'did.floors');
    editor.apply((document) => add(document, 1, { ...far, id: 'c', label: 'C' }), 'draw.step.add');
    expect(editor.document.floors!.map(({ focalPoint }) => focalPoint)).toEqual([
      { x: 640, y: 240, supposed: true },
      { x: 500, y: 240, supposed: true },
    ]);
    editor.apply((document) => add(document, 0, shape('Bühne', { center: point(520, 100) })), 'draw.step.add');
    expect(editor.document.floors!.map(({ focalPoint }) => focalPoint)).toMatchObject([
      point(520, 100),
      point(520, 100),
    ]);
  });
});

test.each([
  ['Stage', true],
  ['Hauptbühne', true],
  ['SCÈNE', true],
  ['Main stage 1', true],
  ['المسرح', true],
  ['舞台', true],
  ['Stage door', false],
  ['Backstage', false],
  ['Bar', false],
])('%s is a stage: %s', (label, isStage) => {
  expect(supposedFocalPoint([far, shape(label)])).toEqual(isStage ? point(300, 900) : point(500, 240));
});

test.each([
  ['a new chart’s point beside the seats', point(0, 0), [far], true],
  ['a new chart’s point before the seats', point(0, 0), [row({ origin: point(-100, 60), seatCount: 11 })], false],
  ['a point that a person set before the seats', point(500, 0), [far], false],
  ['a point far from all seats', point(500, 5_000), [far], true],
  ['a supposed point', { x: 0, y: 0, supposed: true }, [far], false],
  ['a chart without seats', point(0, 0), [], false],
] as const)('%s is a warning: %s', (_, focalPoint, objects, isWarned) => {
  const kinds = warningsOf(chart([...objects], { focalPoint })).map(({ kind }) => kind);
  expect(kinds).toEqual(isWarned ? ['focalPoint'] : []);
});

test('two people who draw have no conflict over supposed points, and a point that one of them sets wins', () => {
  const base = chart([far], { focalPoint: { x: 500, y: 240, supposed: true } });
  const mine = { ...add(base, 0, row({ id: 'm', label: 'M' })), focalPoint: { x: 1, y: 1, supposed: true } };
  const theirs = { ...add(base, 0, row({ id: 't', label: 'T' })), focalPoint: { x: 2, y: 2, supposed: true } };
  expect(mergeDocuments(base, mine, theirs)).toMatchObject({ conflicts: [], document: { focalPoint: point(1, 1) } });
  const set = setFocalPoint(null, point(7, 7));
  for (const [one, other] of [
    [mine, set(theirs)],
    [set(mine), theirs],
  ] as const)
    expect(mergeDocuments(base, one, other)).toMatchObject({ conflicts: [], document: { focalPoint: point(7, 7) } });
});
