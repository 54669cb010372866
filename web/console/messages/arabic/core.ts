/** Arabic of the frame around every view. */
import type { english } from '../english/core.ts';
import type { In } from '../translation.ts';

export const arabic: In<typeof english> = {
  'console.title': 'لوحة Parterre',
  'console.loading': 'لحظة…',
  'console.again': 'حاول مرة أخرى',
  'console.view.unknown': 'لا توجد صفحة كهذه. ربما العنوان مقطوع.',
  'session.title': 'تسجيل الدخول',
  'session.email': 'البريد الإلكتروني',
  'session.password': 'كلمة المرور',
  'session.enter': 'دخول',
  'session.leave': 'خروج',
  'session.ended': 'انتهت جلستك. سجّل الدخول من جديد ليستمر عملك.',
  'session.refused': 'البريد وكلمة المرور غير متطابقين.',
  'session.locked': 'محاولات فاشلة كثيرة. سجّل الدخول بعد ربع ساعة.',
  'session.silent': 'الخادم لا يجيب. حاول مرة أخرى.',
  'frame.mode': 'الوضع',
  'frame.mode.live': 'فعلي',
  'frame.mode.test': 'تجربة',
  'frame.mode.note': 'وضع التجربة. لا شيء يباع هنا حقًا.',
  'frame.workspace': 'مساحة العمل',
  'frame.workspace.all': 'كل المساحات',
  'frame.workspace.unknown': 'مساحة عمل غير معروفة',
  'frame.views': 'الصفحات',

  'frame.notices': 'ما حدث',
  'frame.undo': 'تراجع',
  'frame.undone': 'تم التراجع.',
  'frame.close': 'إغلاق',
  'frame.cancel': 'إلغاء',

  'refused.unknown': 'لم يجب الخادم. ربما حدث التغيير. حاول مرة أخرى: لن يحدث أكثر من مرة.',
  'refused.forbidden': 'دورك لا يسمح بهذا. اسأل مالك المؤسسة.',
  'refused.not_found': 'لم يعد هذا موجودًا. ربما حذفه أحد.',
  'refused.conflict': 'سبقك غيرك، ولم يتغير شيء.',
  'refused.rate_limited': 'طلبات كثيرة في وقت قصير. انتظر لحظة ثم حاول مرة أخرى.',
  'refused.in_progress': 'الطلب نفسه في الطريق. انتظر لحظة.',
  'refused.mode_mismatch': 'هذا من الوضع الآخر. بدّل الوضع ثم حاول مرة أخرى.',
  'refused.other': 'رفض الخادم الطلب ({code}).',
  'refused.places': 'الأماكن: {places}.',
  'refused.more': {
    zero: 'ولا غيرها.',
    one: 'ومكان آخر.',
    two: 'ومكانان آخران.',
    few: 'و{count} أماكن أخرى.',
    many: 'و{count} مكانًا آخر.',
    other: 'و{count} مكان آخر.',
  },

  'console.view.failed': 'تعذر تحميل هذه الصفحة.',

  'event.tabs': 'أقسام الفعالية',

  'role.owner': 'مالك',
  'role.admin': 'مالك',
  'role.manager': 'مدير',
  'role.box_office': 'شباك التذاكر',
  'role.marketing': 'تسويق',
  'role.door': 'الدخول',
  'role.viewer': 'قارئ',
  'role.member': 'قارئ',
};
