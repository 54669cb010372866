/** What a manage session is asked to be able to (specification, Authentication 5). Pure. */
import { type Capability, capabilities } from '@parterre/shared/catalog/scope';
import { done, type Outcome, refuse } from '@parterre/shared/errors';

const known = new Set<unknown>(capabilities);

/** Left out it is exactly event:view; what is no list of known names, and a list of none, is refused. Each counts once. */
export function capabilitiesOf(asked: unknown): Outcome<Capability[]> {
  if (asked === undefined) return done(['event:view']);
  if (!Array.isArray(asked) || asked.length === 0 || !asked.every((each) => known.has(each))) {
    return refuse('invalid_capabilities', `capabilities is a list of at least one of ${capabilities.join(', ')}.`);
  }
  return done([...new Set<Capability>(asked)]);
}
