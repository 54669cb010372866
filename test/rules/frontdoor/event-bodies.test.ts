import { accessibilityKinds } from '@parterre/shared/charts/accessibility';
import { idLengthMax, unitLabelLengthMax } from '@parterre/shared/protocol/limits';
import { describe, expect, it } from 'vitest';
import { bestAvailableBody } from '../../../services/frontdoor/src/api/best-available.ts';
import { eventBody, eventChangesBody } from '../../../services/frontdoor/src/api/events.ts';
import { holdBody } from '../../../services/frontdoor/src/api/inventory.ts';

const chartId = 'cht_1';
const pathsOf = (schema: typeof eventBody | typeof eventChangesBody, body: object) =>
  schema.safeParse(body).error?.issues.map(({ path }) => path.join('.'));

describe('the body of a new event', () => {
  it.each([
    { slug: 'abc' },
    { slug: `${'a_-9'.repeat(16)}` },
    { timezone: 'Europe/Zurich', locale: 'de-CH', currency: 'CHF', region: 'africa' },
    { timezone: 'UTC', locale: 'zh-Hant-TW' },
    { startsAt: 5, endsAt: 5 },
    { mode: 'test', ownership: 'platform', posterAssetId: 'ast_1' },
    { externalRef: 'x'.repeat(128), currency: null, timezone: null, locale: null, posterAssetId: null, endsAt: null },
  ])('can be %j', (body) => {
    expect(pathsOf(eventBody, { chartId, ...body })).toBeUndefined();
  });

  it.each([
    ['slug', { slug: 'ab' }],
    ['slug', { slug: 'a'.repeat(65) }],
    ['slug', { slug: 'Gala' }],
    ['slug', { slug: 'gala ball' }],
    ['name', { name: '  ' }],
    ['endsAt', { startsAt: 10, endsAt: 9 }],
    ['startsAt', { startsAt: '2026-01-01' }],
    ['region', { region: 'atlantis' }],
    ['timezone', { timezone: 'Europe/Atlantis' }],
    ['timezone', { timezone: '+02:00' }],
    ['timezone', { timezone: '' }],
    ['locale', { locale: 'not a locale' }],
    ['locale', { locale: '' }],
    ['currency', { currency: 'EURO' }],
    ['currency', { currency: 'eur' }],
    ['currency', { currency: 'ABC' }],
    ['currency', { currency: 'XAU' }],
    ['mode', { mode: 'both' }],
    ['ownership', { ownership: 'mine' }],
    ['externalRef', { externalRef: 'x'.repeat(129) }],
    ['chartId', { chartId: undefined }],
  ])('cannot have the %s of %j', (path, body) => {
    expect(pathsOf(eventBody, { chartId, ...body })).toEqual([path]);
  });
});

describe('the body of a change', () => {
  it('clears nullable fields with null', () => {
    const cleared = ['startsAt', 'venue', 'externalRef', 'currency', 'description', 'endsAt', 'timezone', 'locale'];
    const body = Object.fromEntries(cleared.map((field) => [field, null]));
    expect(eventChangesBody.parse(body)).toEqual(body);
  });

  it('drops fields that it does not know', () => {
    expect(eventChangesBody.parse({ slug: 'other', chartId, mode: 'live', region: 'africa' })).toEqual({});
  });

  it.each([
    ['name', { name: null }],
    ['sectionStates', { sectionStates: null }],
    ['sectionStates.s1', { sectionStates: { s1: 'shut' } }],
    ['sectionStates', { sectionStates: ['s1'] }],
    ['sectionStates.__proto__', JSON.parse('{"sectionStates":{"s1":"open","__proto__":"hidden"}}')],
    ['timezone', { timezone: 'Mars/Olympus' }],
  ])('cannot have the %s of %j', (path, body) => {
    expect(pathsOf(eventChangesBody, body)).toEqual([path]);
  });
});

describe('the body of a hold', () => {
  it('accepts labels and tier ids of the longest lengths that charts allow', () => {
    const named = (label: number, tier: number) => {
      const selections = [{ label: 'l'.repeat(label), tierId: 't'.repeat(tier) }];
      return holdBody.safeParse({ selections }).error?.issues.map(({ path }) => path.join('.'));
    };
    expect(named(unitLabelLengthMax, idLengthMax)).toBeUndefined();
    expect(named(unitLabelLengthMax + 1, idLengthMax + 1)).toEqual(['selections.0.label', 'selections.0.tierId']);
  });
});

describe('the body of a best-available call', () => {
  it.each([['wheelchr'], [['wheelchr']], [7]])(
    'lists the accessibility kinds for an unknown accessible: %j',
    (accessible) => {
      const { error } = bestAvailableBody.safeParse({ qty: 1, accessible });
      expect(error?.issues).toEqual([expect.objectContaining({ path: ['accessible'] })]);
      expect(error?.issues[0]?.message).toContain(accessibilityKinds.join(', '));
    },
  );
});
