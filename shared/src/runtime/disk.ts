/** The disk of a folder, as statfs tells it, and its metrics. Blocks that only the superuser may use count as used. */
import { statfs } from 'node:fs/promises';
import type { Registry } from 'prom-client';
import { family, type Sample } from './measures.ts';

export async function diskOf(folder: string): Promise<{ bytesFree: number; bytes: number }> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { bytesFree: bavail * bsize, bytes: blocks * bsize };
}

/** A folder that cannot be measured has no sample. */
export function measureDisk(folder: string, registry: Registry): void {
  const read = async (value: 'bytesFree' | 'bytes'): Promise<Sample[]> => {
    const disk = await diskOf(folder).catch(() => null);
    return disk === null ? [] : [[{ folder }, disk[value]]];
  };
  family(registry, 'gauge', 'parterre_disk_free_bytes', 'Free bytes of the disk of a data folder.', () =>
    read('bytesFree'),
  );
  family(registry, 'gauge', 'parterre_disk_size_bytes', 'All bytes of the disk of a data folder.', () => read('bytes'));
}
