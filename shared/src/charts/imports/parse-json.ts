/**
 * Parses JSON. A fault names its place in the file. The platform's parser does not name the place of every fault.
 */
import { Unimportable } from './report.ts';

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const { offset, message } = faultOf(text);
    const before = text.slice(0, offset);
    const line = before.split('\n').length;
    const column = offset - (before.lastIndexOf('\n') + 1) + 1;
    throw new Unimportable({
      code: 'broken_json',
      message: `The file is not valid JSON: ${message} in line ${line}, column ${column}. Export the chart again.`,
      line,
      column,
    });
  }
}

const SPACE = /[ \t\r\n]*/y;
const STRING_PART = /[^"\\\p{Cc}]*/uy;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

type Fault = { offset: number; message: string };

/** Walks the text without recursion, since a broken file may nest without end. */
function faultOf(text: string): Fault {
  const closers: ('}' | ']')[] = [];
  let at = 0;
  let expects: 'value' | 'value or ]' | 'name' | 'name or }' | 'end of value' = 'value';

  const skip = (form: RegExp): boolean => {
    form.lastIndex = at;
    const found = form.exec(text);
    if (!found) return false;
    at += found[0].length;
    return found[0].length > 0;
  };
  const string = (): boolean => {
    at++;
    do skip(STRING_PART);
    while (skip(ESCAPE));
    return text[at++] === '"';
  };
  const fault = (): Fault =>
    at >= text.length
      ? { offset: text.length, message: 'the text ends too early' }
      : { offset: at, message: 'a fault' };

  for (;;) {
    skip(SPACE);
    const next = text[at];
    if (expects === 'end of value') {
      const closer = closers.at(-1);
      if (closer === undefined || next === undefined) return fault();
      if (next === closer) closers.pop();
      else if (next === ',') expects = closer === '}' ? 'name' : 'value';
      else return fault();
      at++;
    } else if (next === '}' && expects === 'name or }') {
      closers.pop();
      at++;
      expects = 'end of value';
    } else if (next === ']' && expects === 'value or ]') {
      closers.pop();
      at++;
      expects = 'end of value';
    } else if (expects === 'name' || expects === 'name or }') {
      if (next !== '"') return fault();
      if (!string()) return { ...fault(), offset: Math.min(at - 1, text.length) };
      skip(SPACE);
      if (text[at] !== ':') return fault();
      at++;
      expects = 'value';
    } else if (next === '{' || next === '[') {
      closers.push(next === '{' ? '}' : ']');
      at++;
      expects = next === '{' ? 'name or }' : 'value or ]';
    } else if (next === '"') {
      if (!string()) return { ...fault(), offset: Math.min(at - 1, text.length) };
      expects = 'end of value';
    } else if (skip(SCALAR)) expects = 'end of value';
    else return fault();
  }
}
