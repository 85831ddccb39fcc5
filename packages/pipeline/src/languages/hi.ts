import type { LanguageData } from './language-data.ts';

/** Hindi. */
export const language: LanguageData = {
  tag: 'hi',
  name: 'Hindi',
  pii: {
    cues: {
      credit_card: 'क्रेडिट कार्ड, कार्ड',
      phone_number: 'फ़ोन, फोन, मोबाइल, कॉल, दूरभाष',
      email: 'ईमेल',
      passport: 'पासपोर्ट',
      ip_address: 'पता',
      bank_account: 'खाता, बैंक',
      in_aadhaar: 'आधार',
    },
    accountWords: 'खाता',
    numberedWords: 'ऑर्डर, इनवॉइस',
  },
  injection: {
    override: {
      pattern: '(?:पिछले|सभी).{0,12}निर्देश.{0,16}(?:अनदेखा|नज़रअंदाज़|भूल)',
      needs: 'निर्देश',
    },
    turnLabels: 'उपयोगकर्ता, ग्राहक, सहायक',
  },
};
