/**
 * The secrets of the people in the tests, and the search for them in what a test run leaves behind: the logs of all
 * its stores, and what its programs print (security.md: 16.2.5). Nothing of the kind may be there.
 */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** What must never be printed or logged, by its kind. */
export const CANARIES = {
  password:
    /a long (?:buyer|owner) password|another long (?:admin )?password|a forgotten password|canary password 7f3a9c/,
  key: /(?:KEY|LATE|EDITED)-[0-9a-f]{10}|CANARY-KEY-7f3a9c/,
  phone: /(?<!\d)(?:9876543210|9123456780|9123456789|900000000[1-3])(?!\d)/,
  UTR: /(?<!\d)(?:1000000\d{5}|412345678901)(?!\d)/,
  'payer VPA': /ravi@okaxis/i,
}

/** How an alert of the tests begins and goes on. In logs only: a test may be named after one. */
const SMS_TEXT = /Credit Alert!|credited to HDFC Bank/i

/** 256 bits as they are in a cookie or a link. In logs only: a program may print a long word of another kind. */
const TOKEN = /(?<![\w-])(?=[\w-]*[A-Z])(?=[\w-]*[a-z])[\w-]{43}(?![\w-])/

/** What the demo says to the person who starts it, once. */
const GREETING = /^ {2}admin {3}\/admin-login /

/** A search through too little would find nothing, and mean nothing. */
const LOG_LINES_MIN = 2_000

/**
 * @param directory holds `*.log` (of stores) and `*.output` (of programs)
 * @returns what was found, one line each, without the secrets themselves
 */
export function findCanaries(directory: string, logLinesMin = LOG_LINES_MIN): { found: string[]; logLines: number } {
  const found: string[] = []
  let logLines = 0
  for (const name of readdirSync(directory).toSorted()) {
    const isLog = name.endsWith('.log')
    const canaries = Object.entries({ ...CANARIES, ...(isLog && { token: TOKEN, 'SMS text': SMS_TEXT }) })
    for (const [index, line] of readFileSync(path.join(directory, name), 'utf8').split('\n').entries()) {
      if (isLog && line !== '') logLines += 1
      if (GREETING.test(line)) continue
      for (const [kind, pattern] of canaries) {
        if (pattern.test(line)) found.push(`${name}:${index + 1} holds a ${kind}`)
      }
    }
  }
  if (logLines < logLinesMin) found.push(`only ${logLines} lines of logs were searched, of at least ${logLinesMin}`)
  return { found, logLines }
}
