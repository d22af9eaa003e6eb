import { textOfFile as textBy, type FileText } from '../../web/bank/admin/upload/text-of-file.ts'
import { readText } from '../../web/bank/admin/files/read-text.ts'

/** Reads a file here, without the worker of a browser. */
export const textOfFile = (file: Blob, password?: string): Promise<FileText> => textBy(file, password, readText)
