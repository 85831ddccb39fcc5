import type { LanguageData } from './language-data.ts';

/** Arabic. */
export const language: LanguageData = {
  tag: 'ar',
  name: 'Arabic',
  pii: {
    cues: {
      ssn: 'الضمان الاجتماعي',
      credit_card: 'بطاقة, الائتمان',
      phone_number: 'هاتف, الهاتف, جوال, الجوال, اتصل, الاتصال, موبايل, واتساب, فاكس',
      email: 'بريد',
      passport: 'جواز, الجواز',
      ip_address: 'عنوان',
      bank_account: 'الحساب, حساب, الآيبان, آيبان, البنك',
    },
    accountWords: 'الحساب, حساب, الآيبان, آيبان',
    numberedWords: 'طلب, الطلب, فاتورة',
  },
  injection: {
    override: {
      pattern: 'تجاهل.{0,20}(?:التعليمات|الأوامر)',
      needs: 'تجاهل',
    },
    questionOpenings: 'كيف',
    turnLabels: 'المستخدم, مستخدم, المساعد, مساعد, العميل, الوكيل',
  },
};
