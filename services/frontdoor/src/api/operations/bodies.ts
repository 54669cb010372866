/** Names that callers give to operations over several events and to their actions. */
import { z } from 'zod';

const nameCharacters = '[A-Za-z0-9._:-]';

/** An operation's name has the prefix of its owner's kind. */
export function operationName(prefix: 'pghop' | 'sop') {
  return z
    .string()
    .regex(
      new RegExp(`^${prefix}_${nameCharacters}{1,122}$`),
      `Must be ${prefix}_ and 1 to 122 letters, digits, dots, _, : or -.`,
    )
    .describe("The caller's name of the hold. A repetition finds the first hold.");
}

export const actionId = z
  .string()
  .regex(new RegExp(`^${nameCharacters}{1,128}$`), 'Must be 1 to 128 letters, digits, dots, _, : or -.')
  .describe("The caller's name of the action. A repetition finds the first one.");
