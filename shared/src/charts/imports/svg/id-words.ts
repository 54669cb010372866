/** Words in the ids of drawings, in lower case and without digits. */

/** Words that drawing programs put into ids by themselves, in the languages of the programs. */
const GENERATED = new Set(
  (
    'path rect rectangle circle ellipse oval use group layer text tspan line polygon polyline svg image bitmap shape ' +
    'object element clip clippath mask gradient symbol instance component style defs item icon vector frame node ' +
    'linear radial filter pattern marker page artboard slice canvas star union subtract intersect exclude combined ' +
    'xmlid svgid fill stroke background bg arrow spiral curve compound drawing namedview metadata ' +
    // Layer
    'ebene calque couche capa livello laag camada слой warstwa vrstva lager lag taso réteg katman шар επίπεδο strat ' +
    'sloj plast sluoksnis slānis kiht geruza שכבה طبقة レイヤー 图层 圖層 레이어 ' +
    // Group, rectangle, ellipse, path, line
    'gruppe groupe grupo gruppo groep grupp grupa skupina группа グループ 编组 ' +
    'rechteck rectángulo rettangolo retângulo rechthoek rektangel prostokąt obdélník прямоугольник 長方形 矩形 ' +
    'kreis cercle círculo cerchio cirkel elipse ellisse ovaal эллипс 楕円形 椭圆 ' +
    'pfad tracé trazado tracciato caminho pad bana ścieżka контур パス 路径 linie ligne línea linea linha lijn'
  ).split(' '),
);
/** Words that are names of rows when they are written in upper case: row G. */
const GENERATED_SHORT = new Set(['g', 'id', 'el']);
/** Things that stand in numbers beside the seats. */
const THINGS = new Set(
  (
    'stage exit entrance entry door doors stair stairs staircase step steps wall aisle bar lift elevator toilet wc ' +
    'emergency foyer window pillar column lamp plant sign logo number label title legend table screen ' +
    'bühne buehne ausgang eingang notausgang tür tuer treppe wand gang säule tisch theke fenster ' +
    'scène scene sortie entrée entree porte escalier mur issue ' +
    'escenario salida entrada puerta escalera pared mesa uscita ingresso porta scala palcoscenico tavolo'
  ).split(' '),
);
type Role = 'seat' | 'row' | 'section';

const ROLES: Record<Role, string> = {
  seat: 'seat seats chair sitz sitzplatz platz stuhl siège siege place fauteuil asiento butaca posto poltrona stoel место',
  row: 'row reihe rangée rangee fila riga rij ряд',
  section: 'section sec sector block bereich sektor bloc secteur sección seccion settore vak сектор',
};
const roles = new Map(
  Object.entries(ROLES).flatMap(([role, words]) => words.split(' ').map((word) => [word, role as Role] as const)),
);

const bare = (word: string) => (/\d/.test(word) ? word.replace(/\d+/g, '') : word);

export function isGenerated(word: string): boolean {
  const letters = bare(word);
  return GENERATED_SHORT.has(letters) || GENERATED.has(letters.toLowerCase());
}

export function isThing(word: string): boolean {
  return THINGS.has(bare(word).toLowerCase());
}

/** Whether the word says that a seat, a row or a section follows; null for other words. */
export function roleOf(word: string): Role | null {
  return roles.get(word.toLowerCase()) ?? null;
}
