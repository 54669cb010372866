/**
 * The fields of a seats.io chart that are read, and those that mean nothing for a chart here: settings of the seats.io
 * designer, and the size and place of labels. Any other field is told in the report.
 */
import type { KnownFields } from '../unread-fields.ts';

const kinds = [
  ...['chart', 'drawing', 'category', 'zone', 'row', 'seat', 'table', 'booth', 'area', 'section'],
  ...['shape', 'text', 'picture', 'background image'],
] as const;
export type SeatsioKind = (typeof kinds)[number];

const ofAll = [
  ...['uuid', 'label', 'displayLabel', 'displayedLabel', 'objectType', 'displayObjectType', 'published'],
  ...['labelSize', 'labelShown', 'labelHorizontalOffset', 'labelVerticalOffset', 'labelRotationAngle'],
];
const ofPlaces = [
  ...ofAll,
  ...['categoryKey', 'categoryLabel', 'categoryAccessible', 'entrance', 'viewFromYourSeatImage'],
  ...['sectionLabel', 'sectionDisplayedLabel', 'seatLabeling', 'objectLabeling', 'rotationAngle', 'translucent'],
];
const ofOccupancy = ['bookAsAWhole', 'variableOccupancy', 'minOccupancy', 'maxOccupancy', 'capacity'];
const ofBoxes = ['center', 'width', 'height', 'topLeft', 'x', 'y', 'points', 'rotationAngle'];
const ofPictures = ['url', 'imageUrl', 'src', 'href', 'image', 'opacity'];

const read: Record<SeatsioKind, readonly string[]> = {
  chart: [
    ...['name', 'version', 'venueType', 'categories', 'zones', 'subChart', 'subChartFloors', 'sectionScaleFactor'],
    ...['tablesLabelCounter', 'uuidCounter', 'rowSpacing', 'rowChairSpacing', 'colorScheme', 'showAllButtons'],
    ...['referenceChartVisible', 'multiFloorView'],
  ],
  drawing: [
    ...['width', 'height', 'focalPoint', 'backgroundImage', 'referenceChart', 'snapOffset', 'floorName'],
    ...['floorDisplayName', 'subChart'],
  ],
  category: ['key', 'label', 'color', 'accessible'],
  zone: ['key', 'id', 'uuid', 'label', 'name', 'color', 'focalPoint'],
  row: [
    ...ofPlaces,
    ...['seats', 'curve', 'chairSpacing', 'points', 'smooth', 'smoothness'],
    ...['rowLabelPosition', 'rowLabelDisabled', 'verticalRowLabelDirection'],
  ],
  seat: [
    ...ofPlaces,
    ...['x', 'y', 'accessible', 'companionSeat', 'semiAmbulatorySeat', 'hearingImpairedSeat', 'hearingImpaired'],
    ...['signLanguageSeat', 'signLanguage', 'plusSize', 'plusSizeSeat', 'liftUpArmrests', 'liftUpArmrestsSeat'],
    ...['restrictedView', 'disabledBySocialDistancingRules'],
  ],
  table: [...ofPlaces, ...ofOccupancy, ...ofBoxes, 'type', 'radius', 'autoRadius', 'openSpaces', 'seats'],
  booth: [...ofPlaces, ...ofBoxes],
  area: [...ofPlaces, ...ofOccupancy, ...ofBoxes, 'type', 'radius', 'radius1', 'radius2'],
  section: [...ofPlaces, 'points', 'topLeft', 'subChart', 'zone', 'zoneKey', 'zoneId', 'zoneLabel', 'cutoffAngle'],
  shape: [
    ...[...ofAll, ...ofBoxes, 'type', 'radius', 'radius1', 'radius2', 'cornerRadius', 'fillColor', 'strokeColor'],
    ...['strokeWidth', 'autoStroke', 'smartType', 'smartTypeVariation', 'icon', 'translucent'],
  ],
  text: [
    ...[...ofAll, ...ofBoxes, 'text', 'centerX', 'centerY', 'origin', 'position'],
    ...['textColor', 'color', 'fillColor', 'fontSize', 'size'],
  ],
  picture: [...ofAll, ...ofBoxes, ...ofPictures, 'centerX', 'centerY', 'origin', 'position'],
  'background image': [
    ...[...ofBoxes, ...ofPictures, 'name', 'origin', 'backgroundImageUrl', 'backgroundImageKey'],
    ...['backgroundImageWidth', 'backgroundImageHeight', 'backgroundImageZoom', 'backgroundFileSize'],
    ...['backgroundFileType', 'showOnRenderedCharts'],
  ],
};

export const seatsioFields = Object.fromEntries(
  kinds.map((kind) => [kind, new Set(read[kind])]),
) as unknown as KnownFields<SeatsioKind>;
