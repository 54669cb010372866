/** No body nests so deep that a walk over it exhausts the stack. */
import { bodyNestingMax, documentNestingMax } from '@parterre/shared/protocol/limits';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fieldThatNestsDeeper, readBody } from '../../../services/frontdoor/src/admission/reading.ts';
import { routes } from '../../../services/frontdoor/src/api/api.ts';

const received = (text: string) => ({
  idempotencyKey: 'k',
  contentType: 'application/json',
  body: Buffer.from(text),
});
const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

describe('the nesting of a JSON text', () => {
  it('is that of its value, whatever its texts say', () => {
    const text = fc.string({ unit: fc.constantFrom('[', '{', ']', '}', '"', '\\', 'a', 'é') });
    const value = fc.letrec((tie) => ({
      any: fc.oneof({ maxDepth: 9 }, text, fc.array(tie('any')), fc.dictionary(text, tie('any'))),
    })).any;
    fc.assert(
      fc.property(value, fc.integer({ min: 1, max: 8 }), (any, depthMax) => {
        const json = JSON.stringify([any, 'longer than any short text, so that the depth is counted']);
        expect(fieldThatNestsDeeper(json, depthMax) !== null).toBe(depthOf([any]) > depthMax);
      }),
    );
  });

  it('has room for the deepest chart document', () => {
    expect(bodyNestingMax).toBeGreaterThan(documentNestingMax + 1);
  });
});

describe.each(routes.filter(({ schema }) => schema !== null).map((route) => [route.signature, route] as const))(
  'a body of %s',
  (_signature, route) => {
    it('that nests 400,000 levels deep is refused, in every field', () => {
      const fields = Object.keys((route.schema as { shape?: object }).shape ?? { any: 1 });
      for (const name of ['features', ...fields]) {
        const refused = readBody(route, received(`{${JSON.stringify(name)}:${deep(400_000)}}`));
        expect(refused).toMatchObject({ refusal: { code: 'invalid_request', details: { issues: [{ path: name }] } } });
      }
    });
  },
);
