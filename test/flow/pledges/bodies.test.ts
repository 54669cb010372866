/** The body of a refusal that is spelled once. */
import type { Refusal } from '@parterre/shared/protocol/errors';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { answerOfRefusal, spellOnce } from '../../../services/frontdoor/src/answers/answers.ts';

const texts = fc.oneof(fc.string(), fc.constantFrom('"requestId":"', '\\"requestId":"', 'Sold "A-1" \\'));
const refusals: fc.Arbitrary<Refusal> = fc.record({
  code: fc.constantFrom('conflict', 'forbidden', 'overloaded'),
  message: texts,
  details: fc.record({ conflicts: fc.array(fc.record({ label: texts, status: texts })) }),
});

test('A refusal that is spelled once has the same answer for every request', () => {
  fc.assert(
    fc.property(refusals, fc.stringMatching(/^[A-Za-z0-9._:-]{1,128}$/), (refusal, requestId) => {
      const kept = { ...refusal };
      spellOnce(kept);
      expect(answerOfRefusal(kept, requestId)).toEqual(answerOfRefusal(refusal, requestId));
    }),
  );
});
