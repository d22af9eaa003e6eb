import { createStore } from '../store.ts'

/** Lists the open modal dialogs, the top one last. Messages go into the top one, because the rest is out of reach. */
export const openDialogs = createStore<readonly HTMLDialogElement[]>([])
