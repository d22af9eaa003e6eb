/**
 * TypeScript 7 has no programming interface, which dependency-cruiser needs in order to read .ts files: for that
 * process alone, "typescript" means the last version that has one.
 */
import Module, { register } from 'node:module'

const rename = (name) => name.replace(/^typescript(?=\/|$)/, 'typescript-5')

const resolveFilename = Module._resolveFilename
Module._resolveFilename = function resolveRenamed(request, ...rest) {
  return resolveFilename.call(this, rename(request), ...rest)
}

register(
  `data:text/javascript,${encodeURIComponent(
    "export const resolve = (name, context, next) => next(name.replace(/^typescript(?=\\/|$)/, 'typescript-5'), " +
      'context)',
  )}`,
)
