/** The type of a picture by its first bytes, not by its Content-Type. Pure. */
import type { ImageType } from '@parterre/shared/catalog/events';

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);
const WEBP_AT = 8;

/** Null for anything but PNG, JPEG and WebP. */
export function imageTypeOf(bytes: Buffer): ImageType | null {
  if (startsWith(bytes, PNG)) return 'image/png';
  if (startsWith(bytes, JPEG)) return 'image/jpeg';
  const isWebp = bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', WEBP_AT, WEBP_AT + 4) === 'WEBP';
  return isWebp ? 'image/webp' : null;
}

function startsWith(bytes: Buffer, magic: Buffer): boolean {
  return bytes.length >= magic.length && bytes.compare(magic, 0, magic.length, 0, magic.length) === 0;
}
