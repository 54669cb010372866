/** The options of a benchmark, from the command line. A fault ends the process with one line. */
import { type ParseArgsConfig, parseArgs } from 'node:util';

export function readArguments<const Options extends NonNullable<ParseArgsConfig['options']>>(options: Options) {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    return endWith(String((error as Error).message).split('. ')[0]!);
  }
}

export function endWith(fault: string): never {
  console.error(`${fault}. "npm run bench -- --help" lists the benchmarks with their options.`);
  process.exit(1);
}
