/** Writes the digits of every script as 0 to 9, because Indian keyboards give those of their script. */
export function plainDigits(written: string): string {
  return written.replaceAll(/(?!\d)\p{Nd}/gu, digitValue)
}

/** Unicode digits come in runs of ten. Walks back to the run's zero to get the value. */
function digitValue(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let before = 0
  while (/\p{Nd}/u.test(String.fromCodePoint(code - before - 1))) before++
  return String(before % 10)
}
