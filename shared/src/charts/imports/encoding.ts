/**
 * The text of a file. UTF-8 and UTF-16 show themselves. Excel outside of the West saves CSV in the code page of its
 * country: the letters of the file then decide (`scoreOf`), or the caller names the encoding. A byte without a letter
 * is never dropped: it ends the import, or takes a guess out of the choice.
 */
import { encodingNames, type ImportEncoding } from './encoding-names.ts';
import { knownNamesIn } from './formats/csv-columns.ts';
import { type ImportFormat, type Notes, Unimportable } from './report.ts';

export const importEncodings = Object.keys(encodingNames) as readonly ImportEncoding[];

/** `isGuess`: the letters alone told the encoding. */
export type DecodedText = { text: string; encoding: ImportEncoding; isGuess: boolean };

/** `asked` is the encoding that the caller names; null where the file shall show it. */
export function decodeText(
  bytes: Uint8Array,
  { format, asked }: { format: ImportFormat | null; asked: ImportEncoding | null },
  notes: Notes,
): DecodedText {
  const told = asked ?? markedEncoding(bytes);
  if (told !== null) return { text: decodedAs(bytes, told), encoding: told, isGuess: false };
  const text = decoded(bytes, 'utf-8');
  if (text !== null) {
    return { text, encoding: 'utf-8', isGuess: false };
  }
  const start = decoded(bytes.subarray(0, 1_000), 'macintosh')!.trimStart();
  const declared = declaredEncoding(start);
  if (declared !== null) return { text: decodedAs(bytes, declared), encoding: declared, isGuess: false };
  const isCsv = format === 'csv' || (format === null && !/^[<{[]/.test(start));
  // A byte of zero shows a binary file.
  if (!isCsv || bytes.includes(0)) throw notText();
  const guess = guessed(bytes);
  if (guess === null) throw notText();
  const message = `The file is not UTF-8. By its letters it was read as ${encodingNames[guess.encoding]}. Look at the names; if letters are wrong, import the file again and name its encoding, or save it as UTF-8.`;
  notes.ambiguous('encoding_guessed', message);
  return { ...guess, isGuess: true };
}

function notText(): Unimportable {
  return new Unimportable({
    code: 'unreadable_text',
    message:
      'The file is not text in UTF-8. Its encoding is the likely cause, unless it is no text at all, such as a workbook (xlsx). ' +
      'Save it as UTF-8 (in Excel: "CSV UTF-8"), or name its encoding, and send it again.',
  });
}

/** By the mark of UTF-16 at the start, or by the empty half of its plain letters. */
function markedEncoding(bytes: Uint8Array): ImportEncoding | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const [low, high] = [0, 1].map((half) => [0, 2, 4, 6].filter((at) => bytes[at + half] === 0).length);
  if (low === 0 && high === 4) return 'utf-16le';
  return low === 4 && high === 0 ? 'utf-16be' : null;
}

/** The encoding that an XML declaration names. */
function declaredEncoding(start: string): ImportEncoding | null {
  const [, label] = /^<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(start) ?? [];
  if (label === undefined) return null;
  try {
    const { encoding } = new TextDecoder(label);
    const name = encoding === 'gbk' ? 'gb18030' : encoding;
    return Object.hasOwn(encodingNames, name) && name !== 'utf-8' ? (name as ImportEncoding) : null;
  } catch {
    return null;
  }
}

/** Throws `Unimportable` with the line of a byte that has no letter in the encoding. */
function decodedAs(bytes: Uint8Array, encoding: ImportEncoding): string {
  const text = decoded(bytes, encoding);
  if (text !== null) return text;
  const message = `is not text in ${encodingNames[encoding]}. The encoding is the likely cause: name another, or save the file as UTF-8.`;
  if (encoding.startsWith('utf-16'))
    throw new Unimportable({ code: 'unreadable_text', message: `The file ${message}` });
  let line = 1;
  let start = 0;
  for (let end = bytes.indexOf(0x0a); end !== -1; end = bytes.indexOf(0x0a, start)) {
    if (decoded(bytes.subarray(start, end), encoding) === null) break;
    start = end + 1;
    line++;
  }
  throw new Unimportable({ code: 'unreadable_text', message: `Line ${line} ${message}`, line });
}

/** The signs of Windows-1252 from 0x80 on; a space for a byte without a sign. */
const WESTERN_SIGNS = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';
/** Decoders give these characters for bytes without a sign. */
const SIGNLESS = /[\u0080-\u009F]/;

/** Null where a byte has no letter in the encoding. */
function decoded(bytes: Uint8Array, encoding: ImportEncoding): string | null {
  let text: string;
  try {
    text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
  if (encoding === 'utf-8' || encoding.startsWith('utf-16')) return text;
  // Some decoders read Windows-1252 as ISO-8859-1.
  if (encoding === 'windows-1252') {
    text = text.replace(/[\u0080-\u009F]/g, (sign) => {
      const western = WESTERN_SIGNS[sign.charCodeAt(0) - 0x80]!;
      return western === ' ' ? sign : western;
    });
  }
  return SIGNLESS.test(text) ? null : text;
}

/** Letters from the frequent to the rare, in lower case. */
type Language = { letters: string; encoding: ImportEncoding; script: RegExp };

const LATIN = /\p{Script=Latin}/u;
const CYRILLIC = /\p{Script=Cyrillic}/u;
const GREEK = /\p{Script=Greek}/u;
const HEBREW = /\p{Script=Hebrew}/u;
const ARABIC = /\p{Script=Arabic}/u;
const THAI = /\p{Script=Thai}/u;

/** Where two encodings give one text, the first counts. */
const languages: readonly Language[] = [
  ...of('windows-1252', LATIN, ['äüöß', 'éèàêçôîûâëïùœ', 'éóíáñúü', 'ãáéçóíõêâúàô', 'àèéìòù', 'äöåéæø', 'áéíóúþæö']),
  ...of('iso-8859-15', LATIN, ['äüöß', 'éèàêçôîûâëïùœ', 'äöåéšž']),
  ...of('windows-1250', LATIN, ['áíéěřýčžšůúťňďó', 'áíčéžýúšľťôňäďóŕĺ', 'ąęółżśćńź', 'éáöóőíüúű', 'čšžćđ', 'ăâîşţ']),
  ...of('windows-1254', LATIN, ['ıüşöğçİâî']),
  ...of('windows-1257', LATIN, ['ėšąžįųūčę', 'āīēšūņļķģžč', 'äõüöšž']),
  ...of('windows-1251', CYRILLIC, [
    'оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё',
    'оаинвтериксулдмпяьзгйбчєхжїцюшщфґ',
    'аиоетнрсвлпкдмзуягбъчшжцйхщфьюѝ',
  ]),
  ...of('windows-1253', GREEK, ['αοιετσνηυρπκμλςωδγχθβφξζψάίόέήώύϊϋΐΰ']),
  ...of('windows-1255', HEBREW, ['יוהלארתבשמנעחדכקפזגסטצםןךףץ']),
  ...of('windows-1256', ARABIC, ['البيمونرتةعدسفحكقهأجصشطىخضإذزثئءغظآؤ']),
  ...of('windows-874', THAI, ['านรกอเงมยลวดทส่ตะปบคหแจพช้ขใไโผีิืุู์็ั']),
];

function of(encoding: ImportEncoding, script: RegExp, alphabets: readonly string[]): Language[] {
  return alphabets.map((letters) => ({ encoding, script, letters }));
}

/** Bytes of lines that are looked at. */
const SAMPLE_BYTES = 2 ** 16;
const KNOWN_NAME_SCORE = 12;

/** The encoding whose letters fit best, among those that can read every byte. Null where none can. */
function guessed(bytes: Uint8Array): { text: string; encoding: ImportEncoding } | null {
  const sample = sampleOf(bytes);
  const encodings = [
    ...new Set(languages.map(({ encoding }) => encoding)),
    'shift_jis',
    'gb18030',
    'big5',
    'euc-kr',
  ] as const;
  const ranked = encodings
    .map((encoding) => ({ encoding, score: scoreOf(sample, encoding) }))
    .filter(({ score }) => score > -Infinity)
    .sort((a, b) => b.score - a.score);
  for (const { encoding } of ranked) {
    const text = decoded(bytes, encoding);
    if (text !== null) return { text, encoding };
  }
  return null;
}

/** The first line, and lines with bytes that are not ASCII. Line feeds are no part of any letter. */
function sampleOf(bytes: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  let size = 0;
  for (let start = 0; start < bytes.length && size < SAMPLE_BYTES; ) {
    const feed = bytes.indexOf(0x0a, start);
    const end = feed === -1 ? bytes.length : feed + 1;
    const line = bytes.subarray(start, Math.min(end, start + SAMPLE_BYTES));
    if (start === 0 || line.some((byte) => byte >= 0x80)) {
      parts.push(line);
      size += line.length;
    }
    start = end;
  }
  const sample = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    sample.set(part, at);
    at += part.length;
  }
  return sample;
}

function scoreOf(sample: Uint8Array, encoding: ImportEncoding): number {
  const text = decoded(sample, encoding);
  if (text === null) return -Infinity;
  const header = text.slice(0, Math.max(0, text.search(/[\r\n]/)) || undefined);
  const names = knownNamesIn(header.split(/[,;\t|]/).filter(isForeign)) * KNOWN_NAME_SCORE;
  const words = text.split(/[\s,;|"]+/).filter(isForeign);
  const own = languages.filter((each) => each.encoding === encoding);
  if (own.length === 0) {
    const frequent = frequentCharacters(encoding);
    return names + sum(words, (word) => eastAsianScore(word, encoding, frequent));
  }
  return names + Math.max(...own.map((language) => sum(words, (word) => wordScore(word, language))));
}

const isForeign = (text: string) => [...text].some((sign) => sign > '\x7F');

function sum(words: readonly string[], score: (word: string) => number): number {
  return words.reduce((total, word) => total + score(word), 0);
}

/** Signs that texts of every country have. */
const USUAL_SIGNS = /^[\u00A0°º№–—‘’“”„…«»€·•©®™\u200E\u200F]$/;

function wordScore(word: string, { letters, script }: Language): number {
  let score = 0;
  let before = '';
  for (const sign of word) {
    if (sign > '\x7F') score += signScore(sign, letters, script);
    // A small letter before a capital, two scripts in one word, and in Latin two letters with marks.
    const isLetter = /\p{Letter}/u.test(sign) && /\p{Letter}/u.test(before);
    if (isLetter && isLower(before) && isUpper(sign)) score -= 3;
    if (isLetter && script.test(before) !== script.test(sign)) score -= 3;
    if (isLetter && script === LATIN && before > '\x7F' && sign > '\x7F') score -= 1;
    if (before === 'œ' && sign !== 'u') score -= 4;
    before = sign;
  }
  // Greek words have an accent.
  if (script === GREEK && /^[α-ω]{3,}$/.test(word)) score -= 6;
  return score;
}

function signScore(sign: string, letters: string, script: RegExp): number {
  if (!/[\p{Letter}\p{Mark}]/u.test(sign)) return USUAL_SIGNS.test(sign) ? 0 : -2;
  const rank = letters.includes(sign) ? letters.indexOf(sign) : letters.indexOf(sign.toLowerCase());
  if (rank === -1) return script.test(sign) ? -2 : -3;
  return script === LATIN ? 3 : 3 - (2 * rank) / letters.length;
}

const isLower = (letter: string) => letter !== letter.toUpperCase();
const isUpper = (letter: string) => letter !== letter.toLowerCase();

/** The first bytes of the frequent characters in encodings that order characters by their use. */
const FREQUENT = { gb18030: [0xb0, 0xd7], big5: [0xa4, 0xc6] } as const;

/** Characters of words for places in halls. They tell Korean from Chinese. */
const HALL_CHARACTERS = new Set(
  '层層楼樓排座席区區号號厅廳池包厢廂台上下左右中前后後一二三四五층열석좌우구역번호일이삼발코니중앙단',
);

/** A character has two bytes, so it counts as two letters. */
function eastAsianScore(word: string, encoding: ImportEncoding, frequent: ReadonlySet<string>): number {
  let score = 0;
  let before = '';
  for (const sign of word) {
    if (sign > '\x7F') score += characterScore(sign, encoding, frequent);
    if (HALL_CHARACTERS.has(sign)) score += 2;
    const [left, right] = before > '\x7F' ? [before, sign] : [sign, before];
    if (left > '\x7F' && /[a-z]/.test(right)) score -= 4;
    before = sign;
  }
  return score;
}

function characterScore(sign: string, encoding: ImportEncoding, frequent: ReadonlySet<string>): number {
  if (/[\u3040-\u30FF]/.test(sign)) return encoding === 'shift_jis' ? 6 : 0;
  if (/[\uFF61-\uFF9F]/.test(sign)) return -1;
  if (/[\uFF01-\uFF5E\u3000-\u303F]/.test(sign)) return 2;
  if (/\p{Script=Hangul}/u.test(sign)) return encoding === 'euc-kr' ? 5 : -4;
  if (!/\p{Script=Han}/u.test(sign)) return -3;
  if (encoding === 'shift_jis') return 3;
  return encoding === 'euc-kr' ? -1 : frequent.has(sign) ? 5 : -2;
}

/** The characters of two bytes whose first byte is in the range of the frequent ones. */
function frequentCharacters(encoding: ImportEncoding): ReadonlySet<string> {
  if (encoding !== 'gb18030' && encoding !== 'big5') return new Set();
  const [first, last] = FREQUENT[encoding];
  const bytes: number[] = [];
  for (let lead = first; lead <= last; lead++) {
    for (let trail = 0xa1; trail <= 0xfe; trail++) bytes.push(lead, trail);
    for (let trail = 0x40; trail <= 0x7e && encoding === 'big5'; trail++) bytes.push(lead, trail);
  }
  return new Set(new TextDecoder(encoding).decode(Uint8Array.from(bytes)));
}
