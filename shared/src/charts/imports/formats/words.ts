/** Words of files in the languages of their writers: yes and no, and the kinds of accessible places. */
import { type AccessibilityKind, accessibilityKinds, type Way } from '../../accessibility.ts';

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

/** Words for a way to a place that needs no steps. */
const wayWords = new Map<string, Way>([
  ...'step-free,step free,stepfree,stufenlos,sans marches,sin escalones'
    .split(',')
    .map((word) => [word, 'step-free'] as const),
  ...'lift,elevator,aufzug,ascenseur,ascensor,ascensore'.split(',').map((word) => [word, 'lift'] as const),
]);

export type Accessibility = { kinds: readonly AccessibilityKind[]; way: Way | null; unknown: readonly string[] };

/**
 * `yes` and the like mean a wheelchair place. Other texts list kinds, and a way. `unknown` has the words that name
 * neither.
 */
export function accessibilityIn(text: string): Accessibility {
  const word = plainWord(text);
  if (word === '' || NO.has(word)) return { kinds: [], way: null, unknown: [] };
  if (YES.has(word)) return { kinds: ['wheelchair'], way: null, unknown: [] };
  const kinds = new Set<AccessibilityKind>();
  const unknown: string[] = [];
  let way: Way | null = null;
  for (const part of word.split(/[,;|+]+/)) {
    const whole = kindOf.has(part.trim()) || wayWords.has(part.trim());
    for (const each of whole ? [part.trim()] : part.split(/\s+/)) {
      const kind = kindOf.get(each);
      const its = wayWords.get(each);
      if (kind) kinds.add(kind);
      else if (its) way = way === 'lift' ? way : its;
      else if (each !== '') unknown.push(each);
    }
  }
  return { kinds: accessibilityKinds.filter((kind) => kinds.has(kind)), way, unknown };
}
