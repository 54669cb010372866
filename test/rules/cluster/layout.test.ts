/** The number of a deployment's partitions, the partitions of a region's events, and the refusals of other layouts. */

import { journalForm } from '@parterre/shared/protocol/journal/heads';
import { regions } from '@parterre/shared/protocol/vocabulary';
import {
  askedLayout,
  type ClusterLayout,
  firstLayout,
  partitionsOfRegion,
  placementOf,
  placementTags,
  preferredRegions,
  readLayout,
  regionOfPartition,
  whyRefused,
} from '@parterre/shared/runtime/cluster-layout';
import { SettingFault } from '@parterre/shared/runtime/environment';
import { createPlacement } from '@parterre/shared/runtime/placement';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

const asked = (partitions?: string, ranges?: string) =>
  askedLayout({ JOURNAL_PARTITIONS: partitions, PARTERRE_REGIONS: ranges });
const layout = (partitions?: string, ranges?: string) => firstLayout(asked(partitions, ranges), 'dep_1');
const span = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, i) => first + i);

describe('the layout that is asked for', () => {
  test('is any layout without settings', () => {
    const any = { partitions: null, partitionsAtFirst: null, regions: null, form: null };
    expect(asked()).toEqual(any);
    expect(asked('', '')).toEqual(any);
    expect(layout()).toEqual({ deployment: 'dep_1', form: journalForm, partitions: 8, regions: {} });
  });

  test('has the partitions of a first start only where nothing stands and nothing else is asked', () => {
    const atFirst = (more: NodeJS.ProcessEnv = {}) => askedLayout({ JOURNAL_PARTITIONS_AT_FIRST: '2', ...more });
    expect(firstLayout(atFirst(), 'dep_1').partitions).toBe(2);
    expect(firstLayout(atFirst({ JOURNAL_PARTITIONS: '16' }), 'dep_1').partitions).toBe(16);
    expect(firstLayout(atFirst({ PARTERRE_REGIONS: 'africa=0-3' }), 'dep_1').partitions).toBe(8);
    expect(whyRefused(layout('16'), atFirst())).toBeNull();
    expect(() => atFirst({ JOURNAL_PARTITIONS_AT_FIRST: '3' })).toThrow('read JOURNAL_PARTITIONS_AT_FIRST: 3 is not');
  });

  test('has both ends of every range, in any order', () => {
    expect(layout('32', 'north-america-east=16-31, western-europe=0-7,africa=9')).toEqual({
      deployment: 'dep_1',
      form: journalForm,
      partitions: 32,
      regions: { 'north-america-east': [16, 31], 'western-europe': [0, 7], africa: [9, 9] },
    });
  });

  test.each([
    ['0', undefined, 'read JOURNAL_PARTITIONS: 0 is not a power of two from 1 to 1024'],
    ['12', undefined, 'read JOURNAL_PARTITIONS: 12 is not a power of two from 1 to 1024'],
    ['2048', undefined, 'read JOURNAL_PARTITIONS: 2048 is not a power of two from 1 to 1024'],
    ['eight', undefined, 'read JOURNAL_PARTITIONS: "eight" is not a whole number'],
    ['8', 'africa', 'read PARTERRE_REGIONS: "africa" is not of the form western-europe=0-15'],
    ['8', 'africa=0-3,', 'read PARTERRE_REGIONS: "" is not of the form western-europe=0-15'],
    ['8', 'africa=-1-3', 'read PARTERRE_REGIONS: "africa=-1-3" is not of the form western-europe=0-15'],
    ['8', 'atlantis=0-3', 'read PARTERRE_REGIONS: "atlantis" is not a region. The regions are western-europe, '],
    ['8', 'constructor=0-3', 'read PARTERRE_REGIONS: "constructor" is not a region. The regions are western-europe, '],
    ['8', 'africa=0-1,africa=2-3', 'read PARTERRE_REGIONS: africa is named twice'],
    ['8', 'africa=3-2', 'read PARTERRE_REGIONS: africa=3-2 ends before it begins'],
    ['8', 'africa=4-7,oceania=0-4', 'read PARTERRE_REGIONS: oceania and africa share partition 4'],
    ['8', 'africa=4-8', 'read PARTERRE_REGIONS: africa ends with partition 8, and the last one is 7'],
    [undefined, 'default=0-15', 'read PARTERRE_REGIONS: default ends with partition 15, and the last one is 7'],
  ])('JOURNAL_PARTITIONS=%s PARTERRE_REGIONS=%s is refused in words', (partitions, ranges, words) => {
    const read = () => layout(partitions, ranges);
    expect(read).toThrow(SettingFault);
    expect(read).toThrow(words);
  });

  test('names the preferred regions of a shard', () => {
    expect(preferredRegions({})).toEqual([]);
    expect(preferredRegions({ PARTERRE_REGION: 'africa, oceania' })).toEqual(['africa', 'oceania']);
    expect(() => preferredRegions({ PARTERRE_REGION: 'default' })).toThrow(
      'read PARTERRE_REGION: "default" is not a region',
    );
  });
});

describe('the standing layout', () => {
  test('comes back from its bytes unchanged, and other bytes are no layout', () => {
    const kept = layout('16', 'oceania=8-15,africa=0-3');
    expect(readLayout(JSON.stringify(kept))).toEqual(kept);
    expect(Object.keys(readLayout(JSON.stringify(kept))!.regions)).toEqual(['oceania', 'africa']);
    for (const text of ['', '{}', 'null', '{"v":2,"partitions":8,"regions":{}}', '{"form":1,"partitions":8}']) {
      expect(readLayout(text)).toBeNull();
    }
  });

  test('names the form of the journal, and a program that cannot read the form reads no layout', () => {
    const kept = firstLayout(asked(), 'dep_1');
    expect(kept.form).toBe(journalForm);
    expect(askedLayout({ JOURNAL_FORM: String(journalForm) }).form).toBe(journalForm);
    expect(readLayout(JSON.stringify({ ...kept, form: journalForm + 1 }))).toBeNull();
    for (const text of ['0', '2', 'new']) {
      expect(() => askedLayout({ JOURNAL_FORM: text })).toThrow(
        `read JOURNAL_FORM: "${text}" is not a form that this version reads. The highest is 1`,
      );
    }
  });

  const standing = layout('16', 'western-europe=0-7,africa=8-11');

  test.each([
    ['nothing set', undefined, undefined],
    ['the same', '16', 'western-europe=0-7,africa=8-11'],
    ['the same in another order', '16', 'africa=8-11,western-europe=0-7'],
    ['what the default range is anyway', undefined, 'africa=8-11,western-europe=0-7,default=12-15'],
  ])('is gone by with %s', (_, partitions, ranges) => {
    expect(whyRefused(standing, asked(partitions, ranges))).toBeNull();
  });

  test.each([
    ['8', undefined, ['JOURNAL_PARTITIONS=8', 'has had 16 partitions', 'Set JOURNAL_PARTITIONS=16 or unset it']],
    [
      '16',
      'western-europe=0-8',
      ['PARTERRE_REGIONS=western-europe=0-8', 'has had western-europe=0-7,africa=8-11', 'or unset it'],
    ],
    ['16', 'western-europe=0-7,africa=8-11,default=12-13', ['default=12-13', 'need a new deployment']],
    [undefined, 'western-europe=0-7,africa=8-31', ['africa=8-31']],
  ])(
    'refuses JOURNAL_PARTITIONS=%s PARTERRE_REGIONS=%s: what stands, what was asked, what to do',
    (partitions, ranges, words) => {
      const why = whyRefused(standing, asked(partitions, ranges));
      for (const word of words) expect(why).toContain(word);
      expect(why).not.toContain('\n');
    },
  );

  test('refuses ranges where it has none, and says to unset them', () => {
    const why = whyRefused(layout('8'), asked(undefined, 'africa=0-3'));
    expect(why).toContain('has had no regions since its first start');
    expect(why).toContain('Unset it');
  });

  test('keeps the order of regions where the first is the default range', () => {
    const full = layout('4', 'africa=0-1,oceania=2-3');
    expect(whyRefused(full, asked('4', 'oceania=2-3,africa=0-1'))).toContain('PARTERRE_REGIONS=oceania=2-3,africa=0-1');
  });
});

describe('places', () => {
  test.each<[string, ClusterLayout, Record<string, number[]>]>([
    ['without regions', layout('4'), { africa: span(0, 3), '': span(0, 3) }],
    ['of a region and of the rest', layout('8', 'africa=2-5'), { africa: span(2, 5), oceania: [0, 1, 6, 7] }],
    ['with a default range', layout('8', 'africa=0-3,default=4-5'), { africa: span(0, 3), oceania: [4, 5] }],
    ['with a shared default range', layout('8', 'africa=0-3,default=0-1'), { africa: span(0, 3), oceania: [0, 1] }],
    ['with nothing left', layout('4', 'africa=2-3,oceania=0-1'), { oceania: [0, 1], '': [2, 3] }],
    ['of names that objects have', layout('4', 'africa=2-3'), { constructor: [0, 1], default: [0, 1] }],
  ])('%s', (_, given, expected) => {
    for (const [region, partitions] of Object.entries(expected)) {
      expect(partitionsOfRegion(given, region)).toEqual(partitions);
    }
  });

  test('a partition is of its region, of none outside, and of none in the default range only', () => {
    const given = layout('8', 'africa=0-1,default=1-5,oceania=6-7');
    expect(span(0, 7).map((partition) => regionOfPartition(given, partition))).toEqual([
      'africa',
      'africa',
      null,
      null,
      null,
      null,
      'oceania',
      'oceania',
    ]);
  });

  test('every event lives in its range, and a range is filled evenly whatever its size', () => {
    const ranges = fc
      .uniqueArray(fc.integer({ min: 0, max: 64 }), { minLength: 2, maxLength: 8 })
      .map((cuts) => cuts.sort((a, b) => a - b));
    fc.assert(
      fc.property(ranges, fc.string(), (cuts, prefix) => {
        const named = cuts.slice(1).map((end, i) => `${regions[i]}=${cuts[i]}-${end - 1}`);
        const given = layout('64', named.join(','));
        const place = createPlacement(given);
        for (const region of regions) {
          const range = partitionsOfRegion(given, region);
          const counts = new Map(range.map((partition) => [partition, 0]));
          for (let i = 0; i < range.length * 60; i++) {
            const partition = place({ key: `${prefix}${i}`, region });
            counts.set(partition, (counts.get(partition) ?? Number.NaN) + 1);
          }
          // 60 a partition, give or take six standard deviations. A partition outside the range counts as NaN.
          const furthest = Math.max(...[...counts.values()].map((count) => Math.abs(count - 60)));
          expect(furthest).toBeLessThan(6 * Math.sqrt(60));
        }
      }),
      { numRuns: 25 },
    );
  });

  test('an event keeps its partition: these places are fixed for ever', () => {
    const place = createPlacement(layout('32', 'africa=16-31'));
    const places = ['demo-night', 'evt_1'].flatMap((key) => [
      place({ key, region: 'oceania' }),
      place({ key, region: 'africa' }),
    ]);
    expect(places).toEqual([3, 19, 11, 27]);
    expect(createPlacement(layout())({ key: 'evt_1', region: 'africa' })).toBe(3);
  });
});

describe('the tags of NATS servers', () => {
  const tags = (text?: string) => placementTags({ JOURNAL_PLACEMENT_TAGS: text });

  test('place the streams of a region, all other streams, and the buckets', () => {
    const both = tags('western-europe=eu+ssd, default=ssd');
    const regional = layout('8', 'western-europe=0-3,africa=4-5');
    const placed = (partition?: number) => placementOf(both, regional, partition).placement?.tags;
    expect([placed(0), placed(4), placed(7), placed()]).toEqual([['eu', 'ssd'], ['ssd'], ['ssd'], ['ssd']]);
    expect(placementOf(tags('africa=af'), regional, 0)).toEqual({});
    expect([placementOf(tags(), regional, 0), placementOf(tags(''))]).toEqual([{}, {}]);
  });

  test.each([
    ['ssd', 'read JOURNAL_PLACEMENT_TAGS: "ssd" is not of the form western-europe=eu+ssd'],
    ['africa=', 'read JOURNAL_PLACEMENT_TAGS: "africa=" is not of the form western-europe=eu+ssd'],
    ['atlantis=a', 'read JOURNAL_PLACEMENT_TAGS: "atlantis" is not a region. The regions are western-europe, '],
    ['africa=a,africa=b', 'read JOURNAL_PLACEMENT_TAGS: africa is named twice'],
  ])('%s is refused', (text, why) => {
    expect(() => tags(text)).toThrow(SettingFault);
    expect(() => tags(text)).toThrow(why);
  });
});
