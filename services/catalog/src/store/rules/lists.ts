/** The lists that show a document: one for each choice of filters. The index `byList` has their names. Pure. */
import { sha256 } from '@parterre/shared/protocol/ids';

/** The name of the list of an organisation's documents with these values; null stands for any value. */
export function listName(organisationId: string, filters: readonly (string | null)[]): string {
  return sha256(JSON.stringify([organisationId, ...filters]));
}

/** The names of all lists that show a document with these values. */
export function listsOf(organisationId: string, values: readonly (string | null)[]): string[] {
  const choices = values.reduce<(string | null)[][]>(
    (shorter, value) => [value, null].flatMap((filter) => shorter.map((filters) => [...filters, filter])),
    [[]],
  );
  return [...new Set(choices.map((filters) => listName(organisationId, filters)))];
}
