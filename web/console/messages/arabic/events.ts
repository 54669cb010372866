/** Arabic of the list of events. */
import type { english } from '../english/events.ts';
import type { In } from '../translation.ts';

export const arabic: In<typeof english> = {
  'events.title': 'الفعاليات',
  'events.search': 'ابحث بالاسم أو المفتاح',
  'events.shown': {
    zero: 'لا فعاليات',
    one: 'فعالية واحدة',
    two: 'فعاليتان',
    few: '{count} فعاليات',
    many: '{count} فعالية',
    other: '{count} فعالية',
  },
  'events.none': 'لا توجد فعالية هنا بعد.',
  'events.none.found': 'لا توجد فعالية مطابقة.',
  'events.failed': 'تعذرت قراءة الفعاليات.',
  'events.more': 'فعاليات أخرى',
  'events.name': 'الفعالية',
  'events.date': 'التاريخ',
  'events.status': 'الحالة',
  'events.free': 'متاح',
  'events.held': 'محجوز مؤقتًا',
  'events.booked': 'مبيع',
  'events.blocked': 'مغلق',
  'events.status.active': 'معروضة للبيع',
  'events.status.closed': 'مغلقة',
  'events.status.archived': 'مؤرشفة',
};
