import { createStore } from '../platform/store.ts'

/** The modal dialogs on the page, the top one last. All but that one is out of reach, so messages have to go into it. */
export const openDialogs = createStore<readonly HTMLDialogElement[]>([])
