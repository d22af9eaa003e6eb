/** What the headings of statements say, whichever bank gave them. The browser looks for them on pages, too. */

/** Words of a heading in small letters, with one space in between: "Withdrawal Amt (INR)" → "withdrawal amt inr". */
export const wordsOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()

/** Each is to be tried on `wordsOf` a heading. */
export const HEADINGS = {
  date: /(?:\b|tran|txn|value|post)(?:date|dt|dat)\b|दिनांक|तिथि|तारीख/,
  /** The first that some heading has is the one that counts. */
  narration: [/narration|विवरण/, /particular/, /description|\bdesc\b/, /remarks/, /\bdetails?\b/],
  reference: /\b(?:ref|reference|utr|rrn)\b/,
  debit: /\b(?:debits?|debited|withdraw\w*|drcr|crdr|dr|paid out|money out)\b|निकासी|नामे|डेबिट/,
  credit: /\b(?:credits?|credited|deposits?|deposited|drcr|crdr|cr|paid in|money in)\b|जमा|क्रेडिट/,
  amount: /\b(?:amount|amt)\b|राशि/,
  balance: /\b(?:balance|bal)\b|शेष|बैलेंस/,
} as const
