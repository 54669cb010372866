#!/usr/bin/env node
/**
 * `npx parterre …`: the operator's commands (scripts/operate). In a checkout this file builds them first where they are
 * out of date.
 */
import { existsSync } from 'node:fs';

const built = new URL('../dist/parterre.js', import.meta.url);
const builder = new URL('build.mjs', import.meta.url);

// An image holds the built commands, and no builder.
if (existsSync(builder)) {
  const { build, isStale } = await import(builder.href);
  try {
    if (isStale()) await build();
  } catch (error) {
    process.stderr.write(
      `The commands of parterre could not be built (${error.message}). Install the packages first: npm ci\n`,
    );
    process.exit(1);
  }
}
await import(built.href);
