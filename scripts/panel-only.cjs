const { readFileSync } = require('node:fs')
const path = require('node:path')

/** The files of `web` whose looks are not in the user area's style sheet, by its `@source not` lines. */
const sheet = readFileSync(path.join(__dirname, '../web/styles/app.css'), 'utf8')
const beginnings = [...sheet.matchAll(/@source not '\.\.\/([^']+)'/g)].map(([, glob]) =>
  glob.replace(/\*$/, '').replace('**/*', '.*').replaceAll('{', '(').replaceAll('}', ')').replaceAll(',', '|'),
)

module.exports = { panelOnly: new RegExp(`^web/(${beginnings.join('|')})`) }
