/** What the headings of statements say, whichever bank gave them. The browser looks for them on pages, too. */

/** Words of a heading in small letters: "Withdrawal Amt (INR)" → "withdrawal amt inr", "refNo" → "ref no". */
export const wordsOf = (heading: string): string =>
  heading
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()

/** Each is to be tried on `wordsOf` a heading. */
export const HEADINGS = {
  date: /(?:\b|tran|txn|value|post)(?:date|dt|dat|timestamp)\b|दिनांक|तिथि|तारीख/,
  /** The first that some heading has is the one that counts. */
  narration: [/narr|विवरण/, /particular/, /description|\bdesc\b/, /remark|\brmks\b/, /\b(?:details?|memo)\b/],
  reference: /\b(?:ref|reference|utr|utrnumber|rrn)\b/,
  debit: /\b(?:debit\w*|with ?draw\w*|drcr|crdr|dr|(?:paid|money) out)\b|^(?:payments?|outflow)$|निकासी|नामे|डेबिट/,
  credit: /\b(?:credit(?:s|ed)?|deposit(?:s|ed)?|drcr|crdr|cr|(?:paid|money) in)\b|^receipts?$|^inflow$|जमा|क्रेडिट/,
  amount: /\b(?:amount|amt)\b|राशि/,
  balance: /\b(?:balance|bal)\b|शेष|बैलेंस/,
} as const
