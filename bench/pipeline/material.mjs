// What is measured: texts of 512 characters, and five plain regular expressions as the unit of cost.

/** What somebody would write who looks for the same things with one expression each. */
export const EXPRESSIONS = [
  /[\w.+-]+@[\w-]+\.[\w.-]+/g,
  /\b\d{3}-\d{2}-\d{4}\b/g,
  /\b(?:\d[ -]?){13,19}\b/g,
  /\+?\d{1,3}[ .-]?\(?\d{3}\)?[ .-]?\d{3}[ .-]?\d{4}/g,
  /\b(?:ignore|disregard|forget)\b.{0,40}\b(?:previous|prior|above)\b.{0,40}\b(?:instructions|rules)\b/gi,
];

const SENTENCES = [
  'Thank you for writing to us about the coffee grinder that you ordered last week.',
  'Your parcel has been packed and will leave the warehouse in Leipzig tomorrow morning.',
  'It usually takes two or three working days from there, and four before public holidays.',
  'The invoice over 149.90 euros is attached, and the warranty runs for twenty-four months.',
  'If anything is missing, answer this message and we will send a replacement at no cost.',
  'The motor makes 1,400 turns a minute and needs about 165 watts under full load.',
  'You can clean the burrs with a dry brush; never hold them under running water.',
  'Several customers told us that a coarser setting gives a better taste with this roast.',
  'We have asked the manufacturer whether a spare lid can be ordered without the jar.',
  'Please keep the carton until you know that the device works as you expected.',
  'Our shop in the old town is open from nine to six, on Saturdays from ten to four.',
  'A short film on our page shows how the upper burr is taken out and put back.',
];

/** `count` different texts of `length` characters of ordinary prose. */
export function makeTexts(count, length) {
  return Array.from({ length: count }, (_, turn) => {
    const order = SENTENCES.map((_, at) => SENTENCES[(at * 5 + turn) % SENTENCES.length]);
    const once = `${order.join(' ')} `;
    const text = once.repeat(Math.ceil(length / once.length)).slice(0, length);
    return text;
  });
}

const SUBJECTS = [
  ['The lighthouse', 'was built in', 'on the northern cliff'],
  ['Our bakery', 'sold bread for the first time in', 'beside the station'],
  ['The river ferry', 'has carried cars since', 'except in winter'],
  ['This violin', 'was repaired in', 'by a maker from Cremona'],
  ['The coffee grinder', 'has been sold since', 'with a steel burr'],
  ['A glacier above the valley', 'lost its tongue in', 'after a hot summer'],
  ['The town library', 'moved in', 'to the former brewery'],
  ['Their orchestra', 'played abroad first in', 'under a young conductor'],
  ['The reactor', 'was shut down in', 'for good'],
  ['This apple variety', 'was named in', 'after a gardener'],
];

/** What the stages that compare are given to compare with. */
export const KNOWLEDGE = Array.from({ length: 200 }, (_, index) => {
  const [subject, verb, end] = SUBJECTS[index % SUBJECTS.length];
  return `${subject} number ${Math.floor(index / 10) + 1} ${verb} ${1800 + index} ${end}.`;
});
export const PROTECTED = Array.from({ length: 100 }, (_, index) => {
  const [subject, verb, end] = SUBJECTS[(index * 3) % SUBJECTS.length];
  return (
    `Internal note ${index + 1}: ${subject.toLowerCase()} ${verb} ${1900 + index} ${end}, and nobody ` +
    'outside the purchasing department may know before the contract has been signed by both sides.'
  );
});
export const PROMPT = 'When will my coffee grinder arrive, and what does the warranty cover?';
