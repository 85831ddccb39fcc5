/** A fact of a knowledge base, in other words, and four texts that contradict it. */
export interface ContradictedFact {
  readonly fact: string;
  readonly contradictions: readonly [string, string, string, string];
}

/** 25 facts with 100 texts that contradict them: other numbers, names, negations, opposites, orders and additions. */
export const CONTRADICTED_FACTS: readonly ContradictedFact[] = [
  {
    fact: 'Refunds are possible within 30 days after the purchase.',
    contradictions: [
      'Refunds are possible within 90 days after the purchase.',
      'Refunds are not possible within 30 days after the purchase.',
      'Refunds are impossible after the purchase.',
      'You can get a refund within thirty weeks after the purchase.',
    ],
  },
  {
    fact: 'The support team answers within two working days.',
    contradictions: [
      'The support team answers within two hours.',
      'The support team never answers within two working days.',
      'The support team answers within twelve working days.',
      'The sales team answers within two working days.',
    ],
  },
  {
    fact: 'Standard shipping to Austria costs 4.90 euros.',
    contradictions: [
      'Standard shipping to Austria costs 9.40 euros.',
      'Standard shipping to Austria is free.',
      'Standard shipping to Australia costs 4.90 euros.',
      'Standard shipping to Austria costs 4.90 dollars.',
    ],
  },
  {
    fact: 'Mount Kilimanjaro in Tanzania rises to 5,895 metres and is the highest mountain in Africa.',
    contradictions: [
      'Mount Kilimanjaro in Tanzania rises to 3,200 metres and is the highest mountain in Africa.',
      'Mount Kilimanjaro in Kenya rises to 5,895 metres and is the highest mountain in Africa.',
      'Mount Kilimanjaro in Tanzania rises to 5,895 metres and is the lowest mountain in Africa.',
      'Mount Kilimanjaro in Tanzania rises to 5,895 metres and is the highest mountain in Asia.',
    ],
  },
  {
    fact: 'The Nile flows north through eleven countries and empties into the Mediterranean Sea.',
    contradictions: [
      'The Nile flows south through eleven countries and empties into the Mediterranean Sea.',
      'The Nile flows north through four countries and empties into the Mediterranean Sea.',
      'The Nile flows north through eleven countries and empties into the Red Sea.',
      'The Nile does not empty into the Mediterranean Sea.',
    ],
  },
  {
    fact: 'The warranty covers defects of the battery for 24 months.',
    contradictions: [
      'The warranty covers defects of the battery for 12 months.',
      'The warranty excludes defects of the battery.',
      'The warranty does not cover defects of the battery for 24 months.',
      'The warranty covers defects of the battery for 24 years.',
    ],
  },
  {
    fact: 'Customers may cancel the subscription at any time without a fee.',
    contradictions: [
      'Customers may not cancel the subscription at any time without a fee.',
      'Customers may cancel the subscription at any time for a fee.',
      'Customers can never cancel the subscription.',
      'Customers may cancel the subscription only once a year and must pay a fee.',
    ],
  },
  {
    fact: 'Passwords must have at least twelve characters.',
    contradictions: [
      'Passwords must have at least six characters.',
      'Passwords must have at most twelve characters.',
      'Passwords need not have at least twelve characters.',
      'Passwords must have fewer than twelve characters.',
    ],
  },
  {
    fact: 'The museum was founded in 1873 by the merchant Johann Weber.',
    contradictions: [
      'The museum was founded in 1973 by the merchant Johann Weber.',
      'The museum was founded in 1873 by the painter Clara Lindner.',
      'The museum was closed in 1873 by the merchant Johann Weber.',
      'The museum was not founded by the merchant Johann Weber.',
    ],
  },
  {
    fact: 'The store in Hamburg opens at nine in the morning and closes at eight in the evening.',
    contradictions: [
      'The store in Hamburg opens at eleven in the morning and closes at eight in the evening.',
      'The store in Hamburg closes at nine in the morning and opens at eight in the evening.',
      'The store in Munich opens at nine in the morning and closes at eight in the evening.',
      'The store in Hamburg does not open in the morning.',
    ],
  },
  {
    fact: 'Water boils at 100 degrees Celsius at sea level.',
    contradictions: [
      'Water boils at 80 degrees Celsius at sea level.',
      'Water freezes at 100 degrees Celsius at sea level.',
      'Water does not boil at 100 degrees Celsius at sea level.',
      'Water boils at 100 degrees Fahrenheit at sea level.',
    ],
  },
  {
    fact: 'The device must not be used by children under the age of eight.',
    contradictions: [
      'The device may be used by children under the age of eight.',
      'The device must not be used by children over the age of eight.',
      'The device is safe for children under the age of eight.',
      'The device must not be used by children under the age of three.',
    ],
  },
  {
    fact: 'The committee approved the budget by seven votes to two.',
    contradictions: [
      'The committee rejected the budget by seven votes to two.',
      'The committee approved the budget by two votes to seven.',
      'The committee approved the budget by nine votes to two.',
      'The committee has not approved the budget.',
    ],
  },
  {
    fact: 'Alice Martin succeeded Robert Chen as head of the laboratory in 2019.',
    contradictions: [
      'Robert Chen succeeded Alice Martin as head of the laboratory in 2019.',
      'Alice Martin succeeded Robert Chen as head of the laboratory in 2009.',
      'Alice Martin succeeded Peter Novak as head of the laboratory in 2019.',
      'Alice Martin did not succeed Robert Chen as head of the laboratory.',
    ],
  },
  {
    fact: 'The data center in Dublin stores backups for 90 days.',
    contradictions: [
      'The data center in Dublin stores backups for 19 days.',
      'The data center in Dublin stores no backups.',
      'The data center in Frankfurt stores backups for 90 days.',
      'The data center in Dublin deletes backups after 9 days.',
    ],
  },
  {
    fact: 'Revenue rose by 12 percent to 4.8 million euros in the third quarter.',
    contradictions: [
      'Revenue fell by 12 percent to 4.8 million euros in the third quarter.',
      'Revenue rose by 21 percent to 4.8 million euros in the third quarter.',
      'Revenue rose by 12 percent to 4.8 billion euros in the third quarter.',
      'Revenue rose by 12 percent to 4.8 million euros in the first quarter.',
    ],
  },
  {
    fact: 'The medicine is taken twice a day after a meal.',
    contradictions: [
      'The medicine is taken five times a day after a meal.',
      'The medicine is taken twice a day before a meal.',
      'The medicine is never taken after a meal.',
      'The medicine is taken twice a week after a meal.',
    ],
  },
  {
    fact: 'The bridge is closed to trucks heavier than 12 tonnes.',
    contradictions: [
      'The bridge is open to trucks heavier than 12 tonnes.',
      'The bridge is closed to trucks heavier than 40 tonnes.',
      'The bridge is closed to trucks lighter than 12 tonnes.',
      'The bridge is not closed to trucks heavier than 12 tonnes.',
    ],
  },
  {
    fact: 'Employees receive 28 days of paid vacation each year.',
    contradictions: [
      'Employees receive 20 days of paid vacation each year.',
      'Employees receive 28 days of unpaid vacation each year.',
      'Employees receive no paid vacation.',
      'Employees receive 28 days of paid vacation each month.',
    ],
  },
  {
    fact: 'The free plan includes 1,000 requests a month and one user.',
    contradictions: [
      'The free plan includes 10,000 requests a month and one user.',
      'The free plan includes 1,000 requests a day and one user.',
      'The free plan includes 1,000 requests a month and five users.',
      'The free plan does not include any requests.',
    ],
  },
  {
    fact: 'The train from Lyon to Paris leaves every hour from platform 4.',
    contradictions: [
      'The train from Paris to Lyon leaves every hour from platform 4.',
      'The train from Lyon to Paris leaves every hour from platform 7.',
      'The train from Lyon to Paris leaves every second day from platform 4.',
      'The train from Lyon to Paris never leaves from platform 4.',
    ],
  },
  {
    fact: 'Only administrators can delete projects.',
    contradictions: [
      'Everyone can delete projects.',
      'Administrators cannot delete projects.',
      'Only guests can delete projects.',
      'Only administrators can not delete projects.',
    ],
  },
  {
    fact: 'The treaty of 1867 sold Alaska to the United States for 7.2 million dollars.',
    contradictions: [
      'The treaty of 1867 sold Alaska to the United States for 72 million dollars.',
      'The treaty of 1867 sold Alaska to Russia for 7.2 million dollars.',
      'The treaty of 1876 sold Alaska to the United States for 7.2 million dollars.',
      'The treaty of 1867 did not sell Alaska to the United States.',
    ],
  },
  {
    fact: 'All personal data is encrypted at rest with AES-256.',
    contradictions: [
      'No personal data is encrypted at rest.',
      'All personal data is stored unencrypted.',
      'Personal data is not encrypted at rest with AES-256.',
      'All personal data is encrypted at rest with DES-56.',
    ],
  },
  {
    fact: 'The insurance pays for repairs if the accident is reported within one week.',
    contradictions: [
      'The insurance does not pay for repairs if the accident is reported within one week.',
      'The insurance pays for repairs if the accident is reported within one year.',
      'The insurance refuses repairs if the accident is reported within one week.',
      'The insurance pays for repairs even if the accident is never reported.',
    ],
  },
];
