/**
 * Two rules for comments. A file that a comment names exists in the repository: `mailbox.ts`, or `intake/mailbox.ts` to
 * name its folder too. No line of a comment is wider than the page, since the formatter wraps no comment.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';

const PAGE_WIDTH = 120;
const fileName = /(?<![\w@/.*-])(?:[\w-]+\/)*[\w-]+(?:\.[\w-]+)*\.(?:ts|mjs|md|ya?ml)\b(?![\w/*-])/g;

/** One sentence for each comment in `files` that names a missing file of `all` or passes the page. */
export function commentFaults(root, files, all) {
  const names = endings(all);
  const faults = [];
  for (const file of files) {
    const text = readFileSync(join(root, file), 'utf8');
    const { comments } = parseSync(file, text);
    for (const { start, end, value } of comments) {
      const place = () => `${file}:${text.slice(0, start).split('\n').length}`;
      for (const [name] of value.matchAll(fileName))
        if (!names.has(name)) faults.push(`${place()}: the comment names ${name}, and no such file exists.`);
      const from = text.lastIndexOf('\n', start) + 1;
      const widest = Math.max(
        ...text
          .slice(from, end)
          .split('\n')
          .map((line) => line.length),
      );
      if (widest > PAGE_WIDTH && !/https?:|biome-ignore/.test(value))
        faults.push(`${place()}: a line of the comment has ${widest} characters. Wrap it at ${PAGE_WIDTH}.`);
    }
  }
  return faults;
}

/** Every ending of every path, by whole folders: three for a file two folders down. */
function endings(paths) {
  const names = new Set();
  for (const path of paths) {
    const parts = path.split('/');
    for (let from = 0; from < parts.length; from += 1) names.add(parts.slice(from).join('/'));
  }
  return names;
}
