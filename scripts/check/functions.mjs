/**
 * The length of functions. A function has at most 70 lines of code, with the functions inside it; lines without code
 * do not count. A function that was longer when the rule began stands in long-functions.json with its length, and that
 * length may only shrink. Tests are free: a `describe` is a function too.
 */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

export const FUNCTION_LINES_MAX = 70;
const listPath = 'scripts/check/long-functions.json';

/** One sentence for each function that is too long, and for each entry of the list that no longer fits. */
export function functionFaults(root, files) {
  const longest = lengths(root, files);
  const known = JSON.parse(readFileSync(join(root, listPath), 'utf8'));
  const faults = [];
  for (const [name, { lines, file }] of longest) {
    const most = known[name] ?? FUNCTION_LINES_MAX;
    if (lines > most) faults.push(`${file}: ${name.split(' ')[1]} has ${lines} lines. At most ${most} are allowed.`);
  }
  for (const [name, most] of Object.entries(known)) {
    const lines = longest.get(name)?.lines ?? 0;
    if (lines <= FUNCTION_LINES_MAX) faults.push(`${listPath}: remove "${name}". No such function is too long.`);
    else if (lines < most) faults.push(`${listPath}: lower "${name}" from ${most} to ${lines}.`);
  }
  return faults;
}

/**
 * The longest function past the bound of each name. A key is the name of the file and the name of the function.
 */
function lengths(root, files) {
  const longest = new Map();
  for (const file of files) {
    const text = readFileSync(join(root, file), 'utf8');
    const { program, comments } = parseSync(file, text);
    const isCode = codeLines(text, comments);
    const lineOf = lineCounter(text);
    const measure = (node, name) => {
      const lines = isCode.slice(lineOf(node.start), lineOf(node.end) + 1).filter(Boolean).length;
      const key = `${basename(file)} ${name}`;
      if (lines > FUNCTION_LINES_MAX && lines > (longest.get(key)?.lines ?? 0)) longest.set(key, { lines, file });
    };
    visitFunctions(program, measure);
  }
  return longest;
}

/** Calls `visit` with each outermost function of a module or class, and its name. */
function visitFunctions(program, visit) {
  let depth = 0;
  const names = [];
  const enter = (node) => {
    if (depth === 0) visit(node, node.id?.name ?? names.at(-1) ?? 'anonymous');
    depth += 1;
  };
  const leave = () => {
    depth -= 1;
  };
  const naming = (key) => [
    (node) => names.push(node[key]?.name ?? 'anonymous'),
    () => {
      names.pop();
    },
  ];
  const [enterVariable, leaveVariable] = naming('id');
  const [enterMethod, leaveMethod] = naming('key');
  new Visitor({
    VariableDeclarator: enterVariable,
    'VariableDeclarator:exit': leaveVariable,
    MethodDefinition: enterMethod,
    'MethodDefinition:exit': leaveMethod,
    Property: enterMethod,
    'Property:exit': leaveMethod,
    PropertyDefinition: enterMethod,
    'PropertyDefinition:exit': leaveMethod,
    FunctionDeclaration: enter,
    'FunctionDeclaration:exit': leave,
    FunctionExpression: enter,
    'FunctionExpression:exit': leave,
    ArrowFunctionExpression: enter,
    'ArrowFunctionExpression:exit': leave,
  }).visit(program);
}

/** For each line: true when it holds more than comments and spaces. */
function codeLines(text, comments) {
  let code = '';
  let at = 0;
  for (const { start, end } of comments) {
    code += text.slice(at, start) + text.slice(start, end).replace(/[^\n]/g, ' ');
    at = end;
  }
  code += text.slice(at);
  return code.split('\n').map((line) => line.trim() !== '');
}

function lineCounter(text) {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle] <= offset) low = middle;
      else high = middle;
    }
    return low;
  };
}
