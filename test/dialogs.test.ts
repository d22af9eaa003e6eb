/** Other engines than Chromium see every dialog of the store. What is not in their list nobody would see there. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript-5'
import { expect, test } from 'vitest'
import { DIALOGS, titlePattern } from './journeys/dialogs.ts'

const WEB = 'web'
const ELEMENTS = new Set([
  'Dialog',
  'EditDialog',
  'ReasonDialog',
  'DeleteDialog',
  'Modal',
  'Drawer',
  'Combobox',
  'CodesShownOnce',
])
/** Most files need not be read as code. */
const MAY_HAVE_ONE = /<([A-Z]\w*Dialog|Dialog|Modal|Drawer|Combobox|CodesShownOnce)\b|\b(confirm|tell)\(/
/** The parts that the others are made of. */
const PARTS = /^ui\/(fields\/combobox|overlays\/(?!edit-)\w+(-dialog)?|admin\/forms\/(delete|reason)-dialog)\.tsx?:/
const FRAME = /(edit-dialog|codes-shown-once)\.tsx: \{title\}$/
/** Opens only in an empty store, which first-run.spec.ts walks. */
const FIRST_RUN = 'reports/admin/guide/first-run.tsx: {Modal}'

const files = readdirSync(WEB, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file))

/** The texts of a title, or the expression that gives it. */
function titlesOf(given: ts.Node | undefined): string[] {
  if (given === undefined) return []
  const texts: string[] = []
  const look = (node: ts.Node): void => {
    const [text] = ts.isCallExpression(node) && node.expression.getText() === 't' ? node.arguments : []
    if (text && ts.isStringLiteral(text)) texts.push(text.text)
    else ts.forEachChild(node, look)
  }
  look(given)
  return texts.length > 0 ? texts : [`{${given.getText().replaceAll(/^\{|\}$/g, '')}}`]
}

function dialogsOf(file: string): string[] {
  const text = readFileSync(path.join(WEB, file), 'utf8')
  if (!MAY_HAVE_ONE.test(text)) return []
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const asks = text.includes("/confirm.ts'")
  const found: string[] = []
  const look = (node: ts.Node): void => {
    if ((ts.isJsxOpeningElement(node) || ts.isJsxSelfClosingElement(node)) && ELEMENTS.has(node.tagName.getText())) {
      const title = node.attributes.properties
        .filter(ts.isJsxAttribute)
        .find(({ name }) => /^(title|label)$/.test(name.getText()))
      found.push(...(title ? titlesOf(title.initializer) : [`{${node.tagName.getText()}}`]))
    } else if (asks && ts.isCallExpression(node) && /^(confirm|tell)$/.test(node.expression.getText())) {
      const [first] = node.arguments
      const title =
        first && ts.isObjectLiteralExpression(first)
          ? first.properties.filter(ts.isPropertyAssignment).find(({ name }) => name.getText() === 'title')?.initializer
          : first
      found.push(...titlesOf(title))
    }
    ts.forEachChild(node, look)
  }
  look(source)
  return found.map((title) => `${file}: ${title}`)
}

test('every dialog in the sources is in the list that other engines open, and no other', () => {
  const inSources = files
    .flatMap(dialogsOf)
    .filter((each) => !PARTS.test(each) && !FRAME.test(each) && each !== FIRST_RUN)
  expect([...new Set(DIALOGS)].toSorted()).toEqual([...new Set(inSources)].toSorted())
})

test('nothing is laid over the page but by the components that this knows', () => {
  const layers = /\b(showModal|showPopover|popover=|<dialog\b)/
  const found = files.filter((file) => layers.test(readFileSync(path.join(WEB, file), 'utf8')))
  expect(found.toSorted()).toEqual(['orders/combobox.tsx', 'ui/overlays/modal.tsx'])
})

test('a title in the sources is found in what a dialog is called', () => {
  expect('Delete Orbit (5 Days)?').toMatch(titlePattern('keys.tsx: Delete {name}?'))
  expect('Discard 1 key?').toMatch(titlePattern('x: Discard {count, plural, one {# key} other {# keys}}?'))
  expect('Delete?').not.toMatch(titlePattern('keys.tsx: Delete {name}?'))
})
