/** The tiers of a category: prices to choose from, each for some places or all. A brush paints the places of a tier. */
import { type AccessibilityKind, accessibilityKinds } from '@parterre/shared/charts/accessibility';
import type { Category, Tier } from '@parterre/shared/charts/document';
import { html, nothing, type TemplateResult } from 'lit-html';
import { isNothing } from '../../document/selection.ts';
import { labelsOf, restrictTier } from '../../painting/applicability.ts';
import { changeCategory } from '../../painting/categories.ts';
import { ownFees } from '../../painting/money.ts';
import { withField } from '../../painting/overrides.ts';
import { type PaintWhat, paint } from '../../painting/painting.ts';
import { forAllPlaces, tierGuests } from '../../painting/tier-places.ts';
import { addTier, changeTier, moveTier, removeTier } from '../../painting/tiers.ts';
import { applied, type Panel } from '../host.ts';
import { brushPair } from './brushes.ts';
import { amountField, feeFields, previousPriceField } from './money-fields.ts';

export function tiersOf(panel: Panel, category: Category): TemplateResult {
  const { words } = panel;
  const { text } = words();
  const tiers = category.tiers ?? [];
  const change = (to: (category: Category) => Category) =>
    applied(panel, changeCategory(category.key, to), 'did.tiers');
  return html`<fieldset><legend>${text('tiers.title')}</legend>
    <p class="note">${text('tiers.hint')}</p>
    <ol class="tiers">${tiers.map((tier, at) => html`<li>${tierForm(panel, category, tier, at)}</li>`)}</ol>
    <button type="button" @click=${() => change((before) => addTier(before, text(tiers.length === 0 ? 'tier.first' : 'tier.new')))}>${text('tier.add')}</button>
  </fieldset>`;
}

function tierForm(panel: Panel, category: Category, tier: Tier, at: number): TemplateResult {
  const { fields, words } = panel;
  const { text } = words();
  const name = (field: string) => `tier-${at}-${field}`;
  const apply = (to: (category: Category) => Category) => applied(panel, changeCategory(category.key, to), 'did.tiers');
  const change = (to: (tier: Tier) => Tier) => apply((before) => changeTier(before, tier.id, to));
  const { accessibility = [] } = tier.applicability ?? {};
  const toggled = (kind: AccessibilityKind, isOn: boolean) =>
    accessibilityKinds.filter((each) => (each === kind ? isOn : accessibility.includes(each)));
  return html`
    ${fields.text({
      id: name('name'),
      label: text('tier.name'),
      value: tier.name,
      check: (to) => (to.trim() === '' ? { key: 'field.needsText' } : null),
      change: (to) => change((before) => withField(before, 'name', to)),
    })}
    ${amountField(panel, { id: name('price'), label: text('category.price'), value: tier.price }, (to) =>
      change((before) => withField(before, 'price', to ?? 0)),
    )}
    ${previousPriceField(panel, { id: name('price'), of: tier, change })}
    ${fields.toggle({
      id: name('ownFees'),
      label: text('tier.ownFees'),
      hint: text('tier.ownFees.hint'),
      value: tier.fees !== undefined,
      change: (to) => change((before) => ownFees(before, category, to)),
    })}
    ${tier.fees === undefined ? nothing : feeFields(panel, { id: name('fees'), of: tier, change }, true)}
    ${fields.toggle({
      id: name('companion'),
      label: text('tier.companion'),
      hint: text('tier.companion.hint'),
      value: tier.restriction === 'companion',
      change: (to) => change((before) => withField(before, 'restriction', to ? 'companion' : undefined)),
    })}
    ${placesOf(panel, category, tier, change)}
    ${fields.text({
      id: name('seats'),
      label: text('tier.seats'),
      value: labelsOf(tier).join(', '),
      hint: text('tier.seats.hint'),
      change: (to) => change((before) => restrictTier(before, 'seatLabels', listIn(to))),
    })}
    <details><summary>${text('tier.kinds')}</summary>
      ${accessibilityKinds.map((kind) =>
        fields.toggle({
          id: name(kind),
          label: text(`kind.${kind}`),
          value: accessibility.includes(kind),
          change: (isOn) => change((before) => restrictTier(before, 'accessibility', toggled(kind, isOn))),
        }),
      )}
    </details>
    <div class="actions">
      <button type="button" ?disabled=${at === 0} @click=${() => apply((before) => moveTier(before, tier.id, -1))}>${text('list.up')}</button>
      <button type="button" ?disabled=${at === category.tiers!.length - 1} @click=${() => apply((before) => moveTier(before, tier.id, 1))}>${text('list.down')}</button>
      <button type="button" @click=${() => apply((before) => removeTier(before, tier.id))}>${text('tier.delete')}</button>
    </div>`;
}

/** Labels are separated by commas, since they may contain spaces. */
function listIn(text: string): string[] {
  const all = text.split(',').map((each) => each.trim());
  return [...new Set(all.filter((each) => each !== ''))];
}

/** The count of its places, the brush for them, and the same for the keyboard. */
function placesOf(
  panel: Panel,
  category: Category,
  tier: Tier,
  change: (to: (tier: Tier) => Tier) => string | null,
): TemplateResult {
  const { words, editor } = panel;
  const { text } = words();
  const what = (isOn: boolean): PaintWhat => ({ kind: 'tier', category: category.key, tier: tier.id, isOn });
  const give = (isOn: boolean) => {
    const before = editor.document;
    const refusal = applied(panel, paint(editor.selection, what(isOn)), 'did.tiers');
    if (refusal === null && editor.document === before) panel.notice(text('tier.unchanged'));
  };
  const isForAll = labelsOf(tier).length === 0;
  const isForKinds = (tier.applicability?.accessibility ?? []).length > 0;
  const count = tierGuests(editor.document, { category, tier }, (labels) => panel.labels().objectsWith(labels));
  return html`<div class="tier-places">
      <span>${text(isForAll && !isForKinds ? 'tier.placesAll' : 'tier.places', { count })}</span>${brushPair(panel, tier.name, what(true), what(false))}
    </div>
    <p class="note">${text(isForAll ? 'tier.brush.all' : 'tier.brush.some')}</p>
    <div class="actions">
      ${
        isNothing(editor.selection)
          ? nothing
          : html`<button type="button" @click=${() => give(true)}>${text('tier.giveSelection')}</button>
            <button type="button" @click=${() => give(false)}>${text('tier.takeSelection')}</button>`
      }
      ${isForAll ? nothing : html`<button type="button" @click=${() => change(forAllPlaces)}>${text('tier.forAll')}</button>`}
    </div>`;
}
