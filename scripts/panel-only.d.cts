export const panelOnly: RegExp
