/**
 * Objects as lists of their fields by position, in msgpack. `positions` describes a type by the codecs of its fields: a
 * field that is missing does not compile. Required fields stand first. Optional fields follow, and an absent one is
 * nil, or left out at the end of the list. So a new optional field is appended at the end. A reader passes over
 * positions that it does not know.
 */
import { Fault } from '../errors.ts';
import { readList, readNamed, readNumber, readText, repeatedText, skipValues, takeNil } from './msgpack-reader.ts';
import { writeList, writeNamed, writeNil, writeNumber, writeText } from './msgpack-writer.ts';

type Coding<T> = { readonly write: (value: T) => void; readonly read: () => T };
export type Codec<T> = Coding<T> & { readonly isOptional?: never };
type OptionalCodec<T> = Coding<T> & { readonly isOptional: true };

/** The codecs of all fields of `T`, in the order of their positions. A field that may be absent cannot be null. */
export type Positions<T> = {
  readonly [Name in keyof T]-?: Record<never, never> extends Pick<T, Name>
    ? OptionalCodec<NonNullable<T[Name]>>
    : Codec<T[Name]>;
};

/** `number` names the type in the bytes. `read` gets the number of positions. */
export type RecordCodec = { number: number; write: (record: object) => void; read: (count: number) => object };

export const number: Codec<number> = { write: writeNumber, read: readNumber };
export const text: Codec<string> = { write: writeText, read: readText };

/** A text that is often the same as the one before, as the names of callers are. */
export function sameText(): Codec<string> {
  return { write: writeText, read: repeatedText() };
}

/** A value with the names of its fields, for settings that are rare. */
export function named<T>(): Codec<T> {
  return { write: writeNamed, read: readNamed<T> };
}

export function optional<T>({ write, read }: Codec<T>): OptionalCodec<T> {
  return { write, read, isOptional: true };
}

export function orNull<T>({ write, read }: Codec<T>): Codec<T | null> {
  return {
    write: (value) => (value === null ? writeNil() : write(value)),
    read: () => (takeNil() ? null : read()),
  };
}

export function listOf<T>({ write, read }: Codec<T>): Codec<T[]> {
  return {
    write(values) {
      writeList(values.length);
      for (let i = 0; i < values.length; i++) write(values[i]!);
    },
    read() {
      const values: T[] = [];
      for (let left = readList(); left > 0; left--) values.push(read());
      return values;
    },
  };
}

/** Words as numbers, which never change. */
export function oneOf<Word extends string>(numbers: Readonly<Record<Word, number>>): Codec<Word> {
  const words: Word[] = [];
  for (const word of Object.keys(numbers) as Word[]) words[numbers[word]] = word;
  return {
    write: (word) => writeNumber(numbers[word]),
    read() {
      const read = readNumber();
      const word = words[read];
      if (word === undefined) throw new Fault(`decode the word ${read} of ${words.join(', ')}`);
      return word;
    },
  };
}

export function positions<T extends object>(fields: Positions<T>): Codec<T> {
  const { write, read } = coderOf(fields, []);
  return { write: write as Codec<T>['write'], read: () => read(readList()) as T };
}

/** A record: its number stands before its fields, in the same list. */
export function recordPositions(type: string, number: number, fields: object): RecordCodec {
  const { write, read } = coderOf(fields, [type, number]);
  return { number, write, read };
}

type Coder = { write: (value: object) => void; read: (count: number) => object };

function coderOf(fields: object, [type, number]: [type: string, number: number] | []): Coder {
  const names = Object.keys(fields);
  const codecs = Object.values(fields) as (Codec<unknown> | OptionalCodec<unknown>)[];
  const required = codecs.filter((codec) => !codec.isOptional).length;
  const late = codecs.findIndex(({ isOptional }, i) => !isOptional && i >= required);
  if (late !== -1) throw new Fault(`describe positions: the required ${names[late]} stands behind optional fields`);
  const writes = codecs.map(({ write }) => write);
  const reads = codecs.map(({ read }) => read);

  function write(value: object): void {
    const fields = value as Record<string, unknown>;
    let length = names.length;
    while (length > required && fields[names[length - 1]!] === undefined) length--;
    writeList(number === undefined ? length : length + 1);
    if (number !== undefined) writeNumber(number);
    for (let i = 0; i < length; i++) {
      const field = fields[names[i]!];
      if (i >= required && field === undefined) writeNil();
      else writes[i]!(field);
    }
  }

  function read(count: number): object {
    if (count < required) throw tooShort(count, required);
    const value: Record<string, unknown> = type === undefined ? {} : { type };
    const known = Math.min(count, names.length);
    for (let i = 0; i < known; i++) {
      if (i < required || !takeNil()) value[names[i]!] = reads[i]!();
    }
    if (count > known) skipValues(count - known);
    return value;
  }

  return { write, read };
}

function tooShort(count: number, required: number): Fault {
  return new Fault(`decode positions: ${count} of at least ${required} are there`);
}
