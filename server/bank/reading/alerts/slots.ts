/** How banks write sums and days, for the wordings that are known and for those that are not. */
export const RS = '(?:Rs[.:]?|INR|₹)[ .:]{0,2}'
export const SUM = String.raw`\d[\d,]*(?:\.\d{1,2})?`
const MONTH = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}'
export const DAYS = [
  String.raw`\d{1,2}[-/. ]?${MONTH}[-/. ,'‘’]{0,2}\d{2,4}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}`,
  String.raw`\d{4}-\d{1,2}-\d{1,2}|${MONTH} \d{1,2}, ?\d{4}`,
].join('|')
export const TIME = String.raw`(?: at |[ ,T:-]{1,2})\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?: ?[AP]\.?M\.?)?(?: IST)?`
