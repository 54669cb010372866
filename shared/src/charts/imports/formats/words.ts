/** Words of files in the languages of their writers: yes and no, and the kinds of accessible places. */
import { type AccessibilityKind, accessibilityKinds } from '../../accessibility.ts';

/** In lower case, without accents. Spreadsheets write the truth values of their own language. */
const YES = new Set(
  (
    '1 true yes y x on ja j wahr oui o vrai si s sim verdadero verdadeiro vero waar tak prawda ano pravda sant sand ' +
    'sann tosi kylla igen igaz evet dogru da да истина так ✓ ✔ ☑ ✅'
  ).split(' '),
);
const NO = new Set(
  (
    '0 false no n off none n/a na nein falsch keine non faux falso nao onwaar nee nie fałsz ne nepravda falskt falsk ' +
    'nej nei usann epatosi ei nem hamis hayir yanlis нет ложь ні - – — ✗ ✘ ☐'
  ).split(' '),
);

const OTHER_KINDS: Partial<Record<AccessibilityKind, string>> = {
  wheelchair:
    'wheelchair space,wheelchair place,wheelchair seat,wheelchair user,rollstuhl,rollstuhlplatz,rollstuhlfahrer,' +
    'fauteuil roulant,pmr,silla de ruedas,sedia a rotelle,carrozzina,rolstoel,rolstoelplaats,cadeira de rodas,' +
    'rullstol,korestol,wozek,коляска',
  companion:
    'carer,companion seat,begleitperson,begleitung,begleiter,accompagnateur,accompagnant,acompanante,accompagnatore,' +
    'begeleider,acompanhante',
};

const kindOf = new Map<string, AccessibilityKind>([
  ...accessibilityKinds.map((kind) => [kind, kind] as const),
  ...accessibilityKinds.flatMap((kind) => (OTHER_KINDS[kind] ?? '').split(',').map((word) => [word, kind] as const)),
]);
kindOf.delete('');

/** Lower case, without accents and without spaces around it. */
export function plainWord(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .trim();
}

/** Null for a text that is neither. */
export function yesOrNo(text: string): boolean | null {
  const word = plainWord(text);
  if (YES.has(word)) return true;
  return NO.has(word) ? false : null;
}

export type Accessibility = { kinds: readonly AccessibilityKind[]; unknown: readonly string[] };

/** `yes` and the like mean a wheelchair place. Other texts list kinds. `unknown` has the words that name no kind. */
export function accessibilityIn(text: string): Accessibility {
  const word = plainWord(text);
  if (word === '' || NO.has(word)) return { kinds: [], unknown: [] };
  if (YES.has(word)) return { kinds: ['wheelchair'], unknown: [] };
  const kinds = new Set<AccessibilityKind>();
  const unknown: string[] = [];
  for (const part of word.split(/[,;|+]+/)) {
    const whole = kindOf.get(part.trim());
    for (const each of whole ? [part.trim()] : part.split(/\s+/)) {
      const kind = kindOf.get(each);
      if (kind) kinds.add(kind);
      else if (each !== '') unknown.push(each);
    }
  }
  return { kinds: accessibilityKinds.filter((kind) => kinds.has(kind)), unknown };
}
