/** A row of what asks for the owner, on the dashboard: an icon, words, and what to do. */
export const NEED = 'flex min-h-13 flex-wrap items-center gap-x-3 px-4 py-2 text-sm wrap-anywhere'
/** The words, beside which an action stands where both have room. */
export const NEED_WORDS = 'min-w-0 flex-[1_1_12rem]'
