/**
 * Labels that look the same to a person: a Cyrillic А for a Latin A, a space before or after, two spaces for one, a
 * space that is no-break, letters without a width. Tickets with such labels cannot be told apart. Pure.
 */

/** Letters of other scripts that have the form of a Latin letter in usual fonts. */
const twins: Readonly<Record<string, string>> = {
  ...pairs('АВЕЅІЈКМНОРСТУХҮ', 'ABESIJKMHOPCTYXY'),
  ...pairs('аеѕіјорсухһԁԛԝ', 'aesijopcyxhdqw'),
  ...pairs('ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', 'ABEZHIKMNOPTYX'),
  ...pairs('ονϲϳ', 'ovcj'),
  ...pairs('ԚԜԌԍ', 'QWGg'),
};

function pairs(from: string, to: string): Record<string, string> {
  const latin = [...to];
  return Object.fromEntries(Array.from(from, (letter, at) => [letter, latin[at]!]));
}

const PLAIN = /^[!-~]+(?: [!-~]+)*$/;

/** Equal for labels that look the same. Nearly every label is its own. */
export function lookOf(label: string): string {
  if (PLAIN.test(label) && !label.includes(' -') && !label.includes('- ')) return label;
  return label
    .normalize('NFC')
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Control}\p{Format}]/gu, '')
    .replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/\p{Letter}/gu, (letter) => twins[letter] ?? letter)
    .replace(/\s+/gu, ' ')
    .replace(/ ?- ?/g, '-')
    .trim();
}
