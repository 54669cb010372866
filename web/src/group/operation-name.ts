/** The name of a new hold of a group. The page gives the name, so that a repetition finds the first hold. */
export const newOperation = (): string => `pghop_${crypto.randomUUID()}`;
