/** The seat numbers of the selected rows. A change shows at once; a number that is typed shows on the map before. */
import type { Row } from '@parterre/shared/charts/document';
import { countedSeats, seatNumberer } from '@parterre/shared/charts/numbering';
import { html, nothing, type TemplateResult } from 'lit-html';
import {
  directions,
  type Numbers,
  numberSchemes,
  numbersOf,
  numbersProblem,
  renumber,
  renumbered,
  withoutOwnLabels,
} from '../labelling/numbers.ts';
import { proposed } from './clashes.ts';
import { common, mixed } from './fields.ts';
import { applied, type Panel } from './host.ts';

const SAMPLE_ENDS = 4;

export function numbersPanel(panel: Panel, rows: readonly Row[]): TemplateResult {
  const { fields, words } = panel;
  const { text } = words();
  const ids = new Set(rows.map(({ id }) => id));
  const all = rows.map(numbersOf);
  const of = <Name extends keyof Numbers>(name: Name) => common(all.map((each) => each[name]));
  const change = (to: Partial<Numbers>) => applied(panel, renumber(ids, to), 'did.numbers');
  const typing = (to: Partial<Numbers> | null) => {
    if (to === null) panel.preview(null);
    const isGood = to !== null && numbersProblem(to) === null;
    return isGood
      ? proposed(
          panel,
          rows.map((row) => renumbered(row, to)),
          'number',
        )
      : null;
  };
  const scheme = of('scheme');
  const isUpDown = scheme === 'updown' || scheme === 'updown-descending';
  const isPaced = scheme === 'odd' || scheme === 'even' || isUpDown;
  const isFromEnd = common(all.map(({ endAt }) => endAt !== null));
  return html`<details open class="group"><summary>${text('numbers.title')}</summary>
    <p class="sample">${sampleOf(rows[0]!)}</p>
    ${fields.choice({
      id: 'numbers-scheme',
      label: text('numbers.scheme'),
      value: scheme,
      options: numberSchemes.map((each) => [each, text(`scheme.${each}`)] as const),
      change: (to) => change({ scheme: to as Numbers['scheme'] }),
    })}
    ${fields.choice({
      id: 'numbers-direction',
      label: text('numbers.direction'),
      value: of('direction'),
      isDisabled: isUpDown,
      options: directions.map((each) => [each, text(`direction.${each}`)] as const),
      change: (to) => change({ direction: to as Numbers['direction'] }),
    })}
    ${fields.choice({
      id: 'numbers-step',
      label: text('numbers.step'),
      isDisabled: isPaced,
      value: isPaced ? '2' : asText(of('step')),
      options: [
        ['1', text('step.one')],
        ['2', text('step.two')],
      ],
      change: (to) => change({ step: to === '2' ? 2 : 1 }),
    })}
    ${fields.choice({
      id: 'numbers-from',
      label: text('numbers.from'),
      isDisabled: isUpDown,
      value: isFromEnd === mixed ? mixed : isFromEnd ? 'end' : 'start',
      options: [
        ['start', text('from.start')],
        ['end', text('from.end')],
      ],
      change: (to) => change({ endAt: to === 'end' ? highestOf(rows[0]!) : null }),
    })}
    ${
      isFromEnd === true && !isUpDown
        ? fields.number({
            id: 'numbers-end',
            label: text('numbers.endAt'),
            value: of('endAt'),
            isInteger: true,
            ...numberBounds,
            change: (to) => change({ endAt: to }),
            typing: (to) => typing(to === null ? null : { endAt: to }),
          })
        : fields.number({
            id: 'numbers-start',
            label: text('numbers.start'),
            value: of('start'),
            isInteger: true,
            ...numberBounds,
            change: (to) => change({ start: to ?? 1 }),
            typing: (to) => typing(to === null ? null : { start: to }),
          })
    }
    ${fields.text({
      id: 'numbers-prefix',
      label: text('numbers.prefix'),
      value: of('prefix'),
      change: (to) => change({ prefix: to }),
      typing: (to) => typing(to === null ? null : { prefix: to }),
    })}
    ${skippedField(panel, rows)}
    ${ownNote(panel, rows)}
  </details>`;
}

/** Rows without a removed seat need no choice. */
function skippedField(panel: Panel, rows: readonly Row[]): TemplateResult | typeof nothing {
  const { fields, words } = panel;
  const { text } = words();
  const value = common(rows.map((row) => numbersOf(row).countSkipped));
  if (value === true && !rows.some(hasRemoved)) return nothing;
  const ids = new Set(rows.map(({ id }) => id));
  return fields.toggle({
    id: 'numbers-skipped',
    label: text('numbers.countSkipped'),
    hint: text('numbers.countSkipped.hint'),
    value,
    change: (countSkipped) => applied(panel, renumber(ids, { countSkipped }), 'did.numbers'),
  });
}

function ownNote(panel: Panel, rows: readonly Row[]): TemplateResult | typeof nothing {
  const { text } = panel.words();
  const count = rows.reduce(
    (sum, { overrides }) => sum + (overrides?.filter(({ label }) => label !== undefined).length ?? 0),
    0,
  );
  if (count === 0) return nothing;
  const follow = () => applied(panel, withoutOwnLabels(new Set(rows.map(({ id }) => id))), 'did.numbers');
  return html`<p class="note">${text('numbers.own', { count })}
    <button type="button" class="plain" @click=${follow}>${text('numbers.ownOff')}</button></p>`;
}

const hasRemoved = ({ overrides = [] }: Row): boolean => overrides.some(({ skip }) => skip);

const numberBounds = { min: -999_999, max: 999_999 };

const asText = (value: number | typeof mixed) => (value === mixed ? mixed : String(value));

/** The number that keeps the row's numbers when they are counted from their end. */
function highestOf(row: Row): number {
  const { start, step, scheme } = numbersOf(row);
  return (
    start + Math.max(countedSeats(row, 0, row.seatCount) - 1, 0) * (scheme === 'odd' || scheme === 'even' ? 2 : step)
  );
}

/** The first and the last numbers of a row. */
function sampleOf(row: Row): string {
  const number = seatNumberer(row);
  const all = Array.from({ length: Math.min(row.seatCount, 2 * SAMPLE_ENDS + 1) }, (_, at) => at);
  if (row.seatCount <= 2 * SAMPLE_ENDS + 1) return all.map(number).join(' ');
  const first = all.slice(0, SAMPLE_ENDS).map(number);
  const last = all.slice(-SAMPLE_ENDS).map((at) => number(row.seatCount - all.length + at));
  return `${first.join(' ')} … ${last.join(' ')}`;
}
