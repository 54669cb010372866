/**
 * `GET /openapi.json`: the description of every route, itself included. It is made at the first request (about 30 ms)
 * and kept, so the start does not pay for it.
 */
import { done } from '@parterre/shared/errors';
import { sha256 } from '@parterre/shared/ids';
import type { z } from 'zod';
import { budgets } from '../../admission/admission.ts';
import { hasEtag, preparedJson, spell, unchanged } from '../../answers/answers.ts';
import { openRoute } from '../calls/calls.ts';
import { describeApiAnswer } from './answers.ts';

const file = { budget: budgets.publicFiles };

type Described = z.output<typeof describeApiAnswer>;

export function descriptionRoute(describe: () => Described) {
  let made: ReturnType<typeof prepare> | null = null;
  return openRoute('GET /openapi.json', { ...file, answer: describeApiAnswer }, ({ request }) => {
    made ??= prepare(describe());
    return done(hasEtag(request.ifNoneMatch, made.etag) ? made.unchanged : made.full);
  });
}

function prepare(described: Described) {
  const text = spell(described);
  const etag = `"${sha256(text)}"`;
  const caching = [['ETag', etag] as const, ['Cache-Control', 'no-cache'] as const];
  return {
    etag,
    full: preparedJson(text, caching),
    unchanged: unchanged(caching),
  };
}
