/** The money of a category or a tier: its price, the price before, and its fees. */
import type { Category, Tier } from '@parterre/shared/charts/document';
import { feeNameLengthMax, feesMax } from '@parterre/shared/protocol/limits';
import { html, nothing, type TemplateResult } from 'lit-html';
import { tell } from '../../messages/words.ts';
import { addFee, amountFrom, amountsOf, changeFee, feeNameProblem, removeFee } from '../../painting/money.ts';
import { withField } from '../../painting/overrides.ts';
import { isReadOnly, type Panel } from '../host.ts';

type AmountField = { id: string; label: string; value: number | undefined; hint?: string; isOptional?: boolean };

/** `change` gets the amount as the chart keeps it; undefined for an empty field. */
export function amountField(
  panel: Panel,
  { id, label, value, hint, isOptional = false }: AmountField,
  change: (amount: number | undefined) => string | null,
): TemplateResult {
  const { fields, words, editor } = panel;
  const amounts = amountsOf(editor.document, panel.currency());
  const scale = 10 ** amounts.digits;
  return fields.number({
    ...{ id, label, isOptional },
    ...(hint === undefined ? {} : { hint }),
    value: value === undefined ? null : value / scale,
    digits: amounts.digits,
    min: 0,
    change(written) {
      if (written === null) return change(undefined);
      const amount = amountFrom(written, amounts);
      return typeof amount === 'number' ? change(amount) : tell(words(), amount);
    },
  });
}

/** A category, or one of its tiers. `change` changes it in the document. */
type Priced<Of extends Category | Tier> = { id: string; of: Of; change(to: (of: Of) => Of): string | null };

export function previousPriceField<Of extends Category | Tier>(
  panel: Panel,
  { id, of, change }: Priced<Of>,
): TemplateResult {
  const { text } = panel.words();
  const field = { id: `${id}-previous`, label: text('category.previousPrice'), value: of.previousPrice };
  const hint = text('category.previousPrice.hint');
  return amountField(panel, { ...field, hint, isOptional: true }, (to) =>
    change((before) => withField(before, 'previousPrice', to)),
  );
}

export function feeFields<Of extends Category | Tier>(
  panel: Panel,
  priced: Priced<Of>,
  isTier: boolean,
): TemplateResult {
  const { fields } = panel;
  const { text } = panel.words();
  const { id, of, change } = priced;
  const fees = of.fees ?? [];
  return html`<ol class="fees">${fees.map((_, at) => html`<li>${feeForm(panel, priced, at, isTier)}</li>`)}</ol>
    ${
      fees.length === 0
        ? nothing
        : fields.toggle({
            id: `${id}-allIn`,
            label: text('fees.allIn'),
            hint: text(of.allIn === true ? 'fees.allIn.on' : 'fees.allIn.off'),
            value: of.allIn === true,
            change: (to) => change((before) => withField(before, 'allIn', to ? true : isTier ? false : undefined)),
          })
    }
    ${
      isReadOnly(panel) || fees.length >= feesMax
        ? nothing
        : html`<button type="button" @click=${() => change((before) => addFee(before, text('fee.new')))}>${text('fee.add')}</button>`
    }`;
}

function feeForm<Of extends Category | Tier>(
  panel: Panel,
  { id, of, change }: Priced<Of>,
  at: number,
  isTier: boolean,
): TemplateResult {
  const { fields } = panel;
  const { text } = panel.words();
  const fees = of.fees ?? [];
  const { name, amount } = fees[at]!;
  return html`${fields.text({
    id: `${id}-fee-${at}-name`,
    label: text('fee.name'),
    value: name,
    check: (to) =>
      to.length > feeNameLengthMax
        ? { key: 'fee.nameLong', values: { most: feeNameLengthMax } }
        : feeNameProblem(fees, at, to),
    change: (to) => change((before) => changeFee(before, at, { name: to })),
  })}
  ${amountField(panel, { id: `${id}-fee-${at}-amount`, label: text('fee.amount', { name }), value: amount }, (to) =>
    change((before) => changeFee(before, at, { amount: to ?? 0 })),
  )}
  ${
    isReadOnly(panel)
      ? nothing
      : html`<button type="button" @click=${() => change((before) => removeFee(before, at, isTier))}>${text('fee.delete', { name })}</button>`
  }`;
}
