/** Arabic of the live map. */
import type { english } from '../english/map.ts';
import type { In } from '../translation.ts';

export const arabic: In<typeof english> = {
  'map.title': 'المخطط',
  'map.live': 'المخطط محدّث.',
  'map.behind': 'الخادم لا يجيب. يعرض المخطط آخر حالة معروفة.',
  'map.stale': 'لا بيع حاليًا. يعرض المخطط آخر حالة معروفة.',
  'map.failed': 'تعذر فتح الفعالية. ربما حُذفت أو تنتمي إلى الوضع الآخر.',
  'map.free': 'متاح {free} من {count}',
  'map.places': {
    zero: 'لا أماكن',
    one: 'مكان واحد',
    two: 'مكانان',
    few: '{count} أماكن',
    many: '{count} مكانًا',
    other: '{count} مكان',
  },
  'map.find': 'اختر مقعدًا باسمه',
  'map.chosen': {
    zero: 'لم يُختر شيء',
    one: 'اختير مقعد واحد',
    two: 'اختير مقعدان',
    few: 'اختيرت {count} مقاعد',
    many: 'اختير {count} مقعدًا',
    other: 'اختير {count} مقعد',
  },
  'map.leave': 'استبعد {seat}',
  'map.reservations': 'الحجوزات',
  'map.status.free': 'متاح',
  'map.status.held': 'محجوز مؤقتًا',
  'map.status.booked': 'مبيع',
  'map.status.blocked': 'مغلق',
  'map.status.not_for_sale': 'ليس للبيع',
};
