/**
 * Passwords are hashed one at a time on two cores, so that no two registrations would ever meet. Imported before
 * the server, this lets them: as on a larger machine, or on two.
 */
import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'

const CORES = 5

os.availableParallelism = () => CORES
syncBuiltinESMExports()
