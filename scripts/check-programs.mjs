/** What a package must hold for the machines that it is for: programs and libraries that run there. */
import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs'
import path from 'node:path'

/** The oldest glibc that runs the store: the package depends on it. */
export const GLIBC_MIN = '2.28'
/** As a program's head names its machine. */
const MACHINES = { x64: 62, arm64: 183 }
/** Kernels of arm64 have pages of up to 64 KB, such as 16 KB on a Raspberry Pi 5. */
const PAGE_BYTES_MAX = { x64: 4_096, arm64: 65_536 }
const LOADED = 1

/**
 * @param {string} tree
 * @param {'x64' | 'arm64'} arch
 * @returns {number} how many programs and libraries lie there
 * @throws Error in a sentence for the first that does not run on each such machine
 */
export function checkPrograms(tree, arch) {
  let count = 0
  for (const entry of readdirSync(tree, { withFileTypes: true, recursive: true })) {
    const file = path.join(entry.parentPath, entry.name)
    if (!entry.isFile() || !isElf(file)) continue
    count++
    const fault = faultOf(readFileSync(file), arch)
    if (fault !== undefined) throw new Error(`${path.relative(tree, file)} ${fault}`)
  }
  return count
}

/** @param {Buffer} elf of 64 bits, little-endian */
function faultOf(elf, arch) {
  if (elf.readUInt16LE(18) !== MACHINES[arch]) return `is not for ${arch}.`
  const [headersAt, size, headers] = [Number(elf.readBigUInt64LE(32)), elf.readUInt16LE(54), elf.readUInt16LE(56)]
  for (let at = headersAt; at < headersAt + size * headers; at += size)
    if (elf.readUInt32LE(at) === LOADED && Number(elf.readBigUInt64LE(at + 48)) < PAGE_BYTES_MAX[arch])
      return `does not start on a kernel with pages of ${PAGE_BYTES_MAX[arch] / 1024} KB.`
  const newest = [...elf.toString('latin1').matchAll(/GLIBC_2\.(\d+)/g)].reduce(
    (most, [, minor]) => Math.max(most, Number(minor)),
    0,
  )
  if (newest > Number(GLIBC_MIN.split('.')[1])) return `needs glibc 2.${newest}, and the package promises ${GLIBC_MIN}.`
  return undefined
}

function isElf(file) {
  const head = Buffer.alloc(4)
  const opened = openSync(file, 'r')
  readSync(opened, head)
  closeSync(opened)
  return head.readUInt32BE() === 0x7f454c46
}
