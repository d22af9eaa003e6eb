/** Names the commands of this installation, because a package has no npm. */
const isPackage = process.env.CHAABI_INSTALLED === '1'

/** Puts the commands of a text as they are typed here: `npm run backup -- --copy`, or `sudo chaabi backup --copy`. */
export const withCommands = (text: string, packaged = isPackage): string =>
  packaged ? text.replaceAll(/npm run ([a-z][a-z-]*)( --(?= ))?/g, 'sudo chaabi $1') : text
