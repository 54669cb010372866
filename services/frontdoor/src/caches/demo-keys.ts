/**
 * The keys under which visitors of a demo draw charts and put them on sale. The launcher of the demo writes the file.
 * It is read for each request, since it changes with the demo, and requests are few. A deployment without the file, or
 * with an unreadable one, has no drawing visitors.
 */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';

const demoKeys = z.object({
  /** A test secret key of the workspace that holds the drawings, and nothing else. */
  secret: z.string().startsWith('sk_test_'),
  /** For the picker's demo page. */
  publishable: z.string().startsWith('pk_test_'),
});

export type DemoKeys = z.infer<typeof demoKeys>;

export function createDemoKeys(file: string | null): () => Promise<DemoKeys | null> {
  return async () => {
    if (file === null) return null;
    const text = await readFile(file, 'utf8').catch(() => null);
    return text === null ? null : parse(text);
  };
}

function parse(text: string): DemoKeys | null {
  try {
    return demoKeys.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
