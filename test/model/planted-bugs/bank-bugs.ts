/** Mistakes in what banks say and what becomes of it. */
import type { PlantedBug } from './plant.ts'

export const bankBugs: readonly PlantedBug[] = [
  {
    name: 'bank: amount compared in rupees',
    changes: [
      {
        file: 'server/bank/matching/decide-match.ts',
        find: 'if (credit.amountPaise !== request.amountPaise)',
        replace: 'if (Math.floor(credit.amountPaise / 100) !== Math.floor(request.amountPaise / 100))',
      },
    ],
  },
  {
    name: 'bank: a rival claim is ignored',
    test: 'server/bank/matching/decide-match.test.ts',
    changes: [
      {
        file: 'server/bank/matching/decide-match.ts',
        find: 'if (request.isContested) return',
        replace: 'if (request.isContested && credit.differs) return',
      },
    ],
  },
  {
    name: 'bank: the ceiling is read before it is written',
    test: 'server/bank/matching/approve-by-rules.test.ts',
    changes: [
      {
        file: 'server/bank/matching/approve-by-rules.ts',
        find: 'await readRules(tx, now, true)',
        replace: 'await readRules(tx, now)',
      },
    ],
  },
  {
    name: 'bank: a proof is not raised',
    changes: [
      {
        file: 'server/bank/credits/record-credits.ts',
        find: 'STRENGTH[seen.proof] > STRENGTH[credit.proof]',
        replace: 'STRENGTH[seen.proof] > STRENGTH.statement',
      },
    ],
  },
  {
    name: 'bank: a proof is raised by a source that disagrees',
    changes: [
      {
        file: 'server/bank/credits/record-credits.ts',
        find: 'again.filter(({ credit, seen }) => isSame(credit, seen)),',
        replace: 'again,',
      },
    ],
  },
  {
    name: 'bank: a reference is read from the note',
    changes: [
      {
        file: 'server/bank/reading/references.ts',
        find: 'const refs = (isBank ? [wireReference(text, own, bank)] : printed)',
        replace: [
          'const noted = /UPI (\\d{12})$/.exec(text)?.[1]',
          'const refs = (isBank ? [wireReference(text, own, bank)] : [...printed, noted])',
        ].join('\n'),
      },
    ],
  },
  {
    name: 'bank: a sender from a body of plain text',
    test: 'server/bank/reading/alerts/alert-message.test.ts',
    changes: [
      {
        file: 'server/bank/reading/alerts/alert-message.ts',
        find: 'const isJson = JSON_TYPE.test(contentType)',
        replace: 'const isJson = /^text.plain/.test(contentType) || JSON_TYPE.test(contentType)',
      },
      {
        file: 'server/bank/reading/alerts/alert-message.ts',
        find: "senderHeader || (fields ? only(fields, SENDERS) : '')",
        replace: "(fields ? only(fields, SENDERS) : '') || senderHeader",
      },
    ],
  },
  {
    name: 'bank: what is only proposed counts as an alert',
    test: 'server/bank/inbox/proposals.test.ts',
    changes: [
      {
        file: 'server/bank/inbox/note-alerts.ts',
        find: "proof: heard.reading.outcome === 'proposed' ? 'none' : 'alert'",
        replace: "proof: 'alert'",
      },
    ],
  },
  {
    name: 'bank: a request is not read again under the lock',
    test: 'server/bank/matching/automation.test.ts',
    changes: [
      {
        file: 'server/bank/matching/approve-by-rules.ts',
        find: 'const lots = await lockWallets(',
        replace: 'const early = await readLocked(tx, candidates)\n    const lots = await lockWallets(',
      },
      {
        file: 'server/bank/matching/approve-by-rules.ts',
        find: 'chooseAllowed(tx, await readLocked(tx, candidates), rules, now)',
        replace: 'chooseAllowed(tx, early, rules, now)',
      },
    ],
  },
  {
    name: 'bank: swapped labels are preferred',
    test: 'server/bank/reading/statements/read-statement.test.ts',
    changes: [
      {
        file: 'server/bank/reading/statements/statement-balances.ts',
        find: 'return provenBy(fitting, steps)\n\n  const turned = swappedReading(steps, readings, known)',
        replace: '{}\n\n  const turned = swappedReading(steps, readings, known)',
      },
      {
        file: 'server/bank/reading/statements/statement-balances.ts',
        find: '  if (turned) return provenBy([turned], steps)',
        replace:
          '  if (turned) return provenBy([turned], steps)\n  if (fitting.length > 0) return provenBy(fitting, steps)',
      },
      {
        file: 'server/bank/reading/statements/statement-balances.ts',
        find: 'if (!known.swaps || printed.some(({ fits }) => fits.size > 0)) return undefined',
        replace: 'if (!known.swaps) return undefined',
      },
    ],
  },
  {
    name: 'bank: the payer’s note is read as a reference',
    test: 'server/bank/reading/references.test.ts',
    changes: [
      {
        file: 'server/bank/reading/references.ts',
        find: 'ICICI: [UPI_FIRST, UPI_SHORT, IMPS],',
        replace: 'ICICI: [UPI_FIRST, UPI_AFTER_NAME, IMPS],',
      },
      {
        file: 'server/bank/reading/references.ts',
        find: 'if (atEnd) return atEnd',
        replace: '',
      },
    ],
  },
  {
    name: 'bank: a sender on trial is proposed at once',
    test: 'server/bank/inbox/trials.test.ts',
    changes: [
      {
        file: 'server/bank/reading/alerts/read-alert.ts',
        find: 'if (sender.isProven) return',
        replace: 'if (sender) return',
      },
    ],
  },
  {
    name: 'bulk approval of what is marked',
    test: 'server/bank/matching/matching.test.ts',
    changes: [
      {
        file: 'server/payments/routes.ts',
        find: "get(id)?.verdict !== 'confirmed')",
        replace: 'has(id) && false)',
      },
    ],
  },
  {
    name: 'bank: a masked account is taken for a reference',
    test: 'server/bank/reading/reference-forms.test.ts',
    changes: [
      {
        file: 'server/bank/reading/reference-forms.ts',
        find: 'const isOfBank = KNOWN.has(utr.slice(0, 4)) || /^N\\d{15}$/.test(utr)',
        replace: 'const isOfBank = true',
      },
      {
        file: 'server/bank/reading/alerts/read-parts.ts',
        find: "written.replaceAll(NO_REFERENCE, ' # ')",
        replace: 'written',
      },
      { file: 'contract/utr.ts', find: '(?!X{2})', replace: '' },
    ],
  },
]
