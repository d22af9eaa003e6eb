// The words that this product does not use, each with the one to use, so that a thing has one name everywhere.
// scripts/check-words.mjs reads them for texts on screens ('screen'), and for the API's descriptions, the server's
// messages and the command line ('server'). A check of the Markdown files reads them for docs ('docs').

/** @typedef {'screen' | 'server' | 'docs'} Place */
/** @typedef {Place | 'comment'} PlaceOrComment */

/**
 * `word` is a regular expression, matched as whole words and in either case. `only` names the places where it is
 * banned; without it the word is banned in all texts. `comments` bans it in comments of the code, too.
 * @type {readonly { word: string, use: string, only?: Place[], comments?: true }[]}
 */
export const bannedWords = [
  // People and places
  { word: 'shops?', use: 'store' },
  { word: 'customers?', use: 'buyer', comments: true },
  { word: '(?<!best )sellers?', use: 'support, or the store', only: ['screen', 'server'], comments: true },
  { word: 'colleagues?', use: 'another admin', comments: true },
  { word: 'who ?ever', use: 'anyone who, or a name for the person', comments: true },
  // Accounts
  { word: 'sign(s|ed|ing)?[ -](in|out)', use: 'log in, log out' },
  { word: 'let(s|ting)? in', use: 'log in, or approve', comments: true },
  { word: 'register(s|ed|ing)?', use: 'sign up', only: ['screen', 'server'] },
  { word: '^log (in|out)$', use: 'Login, Logout for a button or a name' },
  { word: '(can|now|please|then) log(in|out)', use: 'log in, log out for the verb', only: ['screen'] },
  { word: 'device rule', use: 'device lock' },
  { word: 'device unlock|unlock(s|ed|ing)? (the|a|your|their|this) device', use: 'reset device lock' },
  { word: 'free(s|d|ing)? the device', use: 'reset the device lock' },
  { word: 'sessions?', use: 'device', only: ['screen'] },
  { word: 'second factors?', use: 'two-step verification' },
  { word: 'two locks', use: 'two-step verification' },
  { word: 'code of the app', use: '6-digit code' },
  { word: 'stored codes?', use: 'recovery code' },
  { word: 'prove(s|d)? (yourself|themselves|again)', use: 'confirm it’s you' },
  { word: '(made|chosen) for you', use: 'temporary password' },
  { word: 'welcome back', use: 'nothing, because a login may be the first', only: ['screen'] },
  { word: 'given password', use: 'temporary password' },
  { word: 'links? for a new password', use: 'password reset link' },
  // Money
  { word: 'purses?', use: 'wallet' },
  { word: 'recharge[sd]?', use: 'top-up' },
  { word: 'request no', use: 'Request #' },
  { word: 'movements?', use: 'transaction' },
  { word: 'laps(e|es|ed|ing)', use: 'expire', comments: true },
  { word: 'com(e|es|ing) to an end', use: 'expire' },
  { word: 'own prices?', use: 'custom price' },
  { word: 'Rs|INR', use: '₹', only: ['screen'] },
  // Products and keys
  { word: 'articles?', use: 'product', only: ['screen', 'server'] },
  { word: 'shel(f|ves)', use: 'stock' },
  { word: 'sold[ -]out', use: 'out of stock', comments: true },
  { word: 'few left', use: 'low stock' },
  {
    word: '(run|runs|ran|running) (out|low)',
    use: 'expire (money, keys), or be out of stock',
    only: ['screen', 'server'],
  },
  { word: 'low below', use: 'Alert below' },
  { word: 'imports?|imported|importing', use: 'batch, or add keys', only: ['screen', 'server'] },
  { word: 'deliver(y|ies)', use: 'batch', only: ['screen', 'server'] },
  { word: 'max usage', use: 'maximum uses' },
  { word: 'unproven', use: 'not in a statement yet', only: ['screen'] },
  { word: '(nobody|no one) (has )?claimed', use: 'without a request', only: ['screen', 'server'], comments: true },
  { word: 'unclaimed|(also )?claimed by', use: 'without a request, submitted by', only: ['screen'] },
  { word: 'typed', use: 'entered', only: ['screen'] },
  { word: 'used up', use: 'limit reached', only: ['screen'] },
  { word: 'banners?', use: 'notice', only: ['screen'] },
  { word: 'health of the store', use: 'Store health' },
  // The machine
  {
    word:
      '(phone|push) messages?|messages? (to|on) (this|the|a|your) (phone|device)|' +
      '(get|gets|send|sends|receive) (no more |the store’s )?messages?',
    use: 'notification',
    only: ['screen'],
  },
  { word: 'seal(s|ed|ing)?', use: 'encrypt' },
  // English that reads as if translated
  { word: 'told|heard|no word', use: 'get a message', comments: true },
  { word: 'by (itself|themselves)', use: 'automatically', comments: true },
  { word: 'put right', use: 'corrected', comments: true },
  { word: 'at once', use: 'right away, or instantly' },
  { word: 'anew', use: 'again', comments: true },
  { word: 'meanwhile', use: 'while …, or a new sentence', comments: true },
  { word: 'for good', use: 'permanently' },
  { word: 'of (before|now)', use: 'old, previous; current', comments: true },
  { word: "one[’']s own", use: 'your own', comments: true },
  { word: '(?<!there )is none', use: 'isn’t a …', comments: true },
  { word: 'afterwards', use: 'then', comments: true },
  { word: 'kindly|do the needful', use: 'please', comments: true },
  { word: 'possible again', use: 'try again in …' },
]

/** Texts that hold a banned word and stay: the specification or the design fixes them to the letter. */
export const fixedTexts = [
  'Runs out',
  'Wallet Recharge',
  'Please login again.',
  'You can now login on other devices',
  'Please logout from the other device first.',
  'Register failed with status {status}',
  'Register failed with status',
]

const patterns = bannedWords.map((banned) => ({
  ...banned,
  pattern: new RegExp(`(?<![\\p{L}\\d_./-])(?:${banned.word})(?![\\p{L}\\d_/-]|\\.\\w)`, 'giu'),
}))

/**
 * Returns the banned words of a text in their order, each as it is written there and with the word to use.
 * @param {string} text
 * @param {PlaceOrComment} place
 * @returns {{ found: string, use: string, at: number }[]}
 */
export function findBannedWords(text, place) {
  const open = fixedTexts.reduce((rest, fixed) => rest.replaceAll(fixed, ' '.repeat(fixed.length)), text)
  return patterns
    .filter(({ only, comments }) => (place === 'comment' ? comments : !only || only.includes(place)))
    .flatMap(({ pattern, use }) => [...open.matchAll(pattern)].map((m) => ({ found: m[0], use, at: m.index })))
    .toSorted((a, b) => a.at - b.at)
}
