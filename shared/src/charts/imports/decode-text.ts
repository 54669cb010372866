/** The text of a file. Files are UTF-8, or UTF-16 with its mark; a spreadsheet's CSV may also be Windows-1252. */
import { type ImportFormat, type Notes, Unimportable } from './report.ts';

export function decodeText(bytes: Uint8Array, format: ImportFormat | null, notes: Notes): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const isCsv = format === 'csv' || (format === null && !/^\s*[<{[]/.test(asLatin(bytes.subarray(0, 100))));
    // A byte of zero shows a binary file.
    if (!isCsv || bytes.includes(0)) {
      throw new Unimportable({
        code: 'unreadable_text',
        message: 'The file is not text in UTF-8. Save it as UTF-8, and send it again.',
      });
    }
    notes.ambiguous(
      'windows_1252',
      'The file is not UTF-8. It was read as Windows-1252. Check letters with accents; if they are wrong, save the file as UTF-8.',
    );
    return asLatin(bytes);
  }
}

function asLatin(bytes: Uint8Array): string {
  return new TextDecoder('windows-1252').decode(bytes);
}
