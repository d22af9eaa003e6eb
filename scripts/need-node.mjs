/**
 * Says in a sentence that Node is too old. The first import of each script that a person starts: it imports nothing
 * itself, so no module that needs a newer Node is evaluated before it.
 */
const NODE_MIN = [20, 19]

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < NODE_MIN[0] || (major === NODE_MIN[0] && minor < NODE_MIN[1])) {
  console.error(`Chaabi needs Node ${NODE_MIN.join('.')} or newer. This is ${process.versions.node}.`)
  process.exit(1)
}
