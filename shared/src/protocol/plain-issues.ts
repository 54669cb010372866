/**
 * The messages of issues in plain English: each says what the field must be. A file that parses a caller's value
 * imports this file, which replaces the schema library's own words for the whole process. A message that a schema gives
 * itself wins. The function runs only for values that are refused. It is no argument of `safeParse`, because an
 * argument costs every accepted body a microsecond.
 */
import { z } from 'zod';

type RawIssue = z.core.$ZodRawIssue;
type Raw<Code extends RawIssue['code']> = Extract<RawIssue, { code: Code }>;

z.config({ customError: plainMessage });

function plainMessage(issue: RawIssue): string {
  const wanted = wantedBy(issue);
  return isMissing(issue) ? `This field is missing. It must be ${wanted}.` : `Must be ${wanted}.`;
}

/** The issue of an unknown kind of object has the whole object as its input. */
function isMissing(issue: RawIssue): boolean {
  if (issue.code !== 'invalid_union' || issue.discriminator === undefined) return issue.input === undefined;
  return (issue.input as Record<string, unknown>)[issue.discriminator] === undefined;
}

/** The words after "must be". */
function wantedBy(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return kindOf(issue.expected);
    case 'invalid_value':
      return oneOf(issue.values);
    case 'too_small':
      return sized(issue.origin, Number(issue.minimum), 'at least');
    case 'too_big':
      return sized(issue.origin, Number(issue.maximum), 'at most');
    case 'invalid_format':
      return formats[issue.format] ?? 'a text of the form that the API description gives';
    case 'unrecognized_keys':
      return `without the unknown ${issue.keys.length === 1 ? 'field' : 'fields'} ${shortened(issue.keys)}`;
    case 'invalid_key':
      return 'an object whose field names have the form that the API description gives';
    case 'invalid_union':
      return formOf(issue);
    case 'not_multiple_of':
      return `a multiple of ${issue.divisor}`;
    default:
      return 'as the API description says';
  }
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

const formats: Readonly<Record<string, string>> = {
  email: 'an email address',
  url: 'a whole address with its scheme, such as https://example.com/path',
};

function kindOf(expected: string): string {
  return kinds[expected] ?? 'as the API description says';
}

function oneOf(values: readonly unknown[]): string {
  const words = values.map(String);
  return words.length === 1 ? words[0]! : `one of ${words.join(', ')}`;
}

function sized(origin: string, bound: number, side: 'at least' | 'at most'): string {
  if (origin === 'string') return `a text of ${side} ${counted(bound, 'character', 'characters')}`;
  if (origin === 'array') return `a list of ${side} ${counted(bound, 'entry', 'entries')}`;
  return `${side} ${bound}`;
}

function counted(n: number, one: string, many: string): string {
  return `${n} ${n === 1 ? one : many}`;
}

/** The values of the field that tells the kinds of object apart; else the kinds that the union takes. */
function formOf({ options, errors }: Raw<'invalid_union'>): string {
  if (Array.isArray(options)) return oneOf(options.filter((option) => option !== undefined));
  const wanted = errors.map(([first]) =>
    first?.code === 'invalid_type' && first.path.length === 0 ? kindOf(first.expected) : null,
  );
  return wanted.includes(null)
    ? 'of one of the forms that the API description gives'
    : [...new Set(wanted)].join(' or ');
}

const NAMES_MAX = 5;
const NAME_LENGTH_MAX = 40;

/** A caller chooses these names. */
function shortened(names: readonly string[]): string {
  const shown = names.slice(0, NAMES_MAX).map((name) => JSON.stringify(name.slice(0, NAME_LENGTH_MAX)));
  return names.length > NAMES_MAX ? `${shown.join(', ')} and ${names.length - NAMES_MAX} more` : shown.join(', ');
}
