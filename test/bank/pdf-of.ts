import type { PdfLibrary } from '../../web/bank/admin/pdf/read-pdf.ts'

type Sink = ReadableStreamDefaultController<{ items: readonly object[] }>

/** A file of one page, whose words come from a stream: at its start, or as they are asked for. */
export const pdfOf = (start: ((sink: Sink) => void) | undefined, pull?: (sink: Sink) => void): PdfLibrary => ({
  getDocument: () => ({
    promise: Promise.resolve({
      numPages: 1,
      getPage: () =>
        Promise.resolve({
          getViewport: () => ({ transform: [1, 0, 0, -1, 0, 800] }),
          streamTextContent: () => new ReadableStream({ ...(start && { start }), ...(pull && { pull }) }),
        }),
    }),
    destroy: () => Promise.resolve(),
  }),
})
