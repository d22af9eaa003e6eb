import { useEffect, useState } from 'react'
import { TERMS_CHANGED, TERMS_EFFECTIVE } from '../../contract/limits.ts'
import { loadWords } from '../platform/catalogues.ts'
import { getLanguage, own, t } from '../platform/i18n.ts'
import { Link } from '../platform/navigation/router.tsx'
import { useFace } from '../platform/calls/site.ts'
import { cx } from '../ui/cx.ts'
import { Page } from '../ui/page/page.tsx'
import { termsSections, USUAL_REFUNDS, type TermsSection } from './terms.ts'

/** Fetches the words of the terms, which not everybody reads, and then shows them. */
export const loadTerms = () => loadWords('-terms').then(() => TermsScreen)

function TermsScreen() {
  const face = useFace()
  const { websiteName, refundFee } = face
  const sections = termsSections(websiteName, {
    refundFee: refundFee ?? USUAL_REFUNDS.refundFee,
    refundNote: own(face, 'refundNote'),
  })
  return (
    <Page
      title={t('Terms and Conditions')}
      description={t('Effective {date}, amended {changed}', { date: t(TERMS_EFFECTIVE), changed: t(TERMS_CHANGED) })}
      className="mx-auto max-w-240"
    >
      {getLanguage() !== 'en' && <p className="mb-6 font-medium">{t('The English text applies.')}</p>}
      <div className="gap-16 lg:grid lg:grid-cols-[224px_minmax(0,68ch)]">
        <Contents sections={sections} />
        <div className="grid grid-cols-1 gap-10">
          {sections.map((section, index) => (
            <Section key={section.id} section={section} number={index + 1} />
          ))}
        </div>
      </div>
    </Page>
  )
}

function Contents({ sections }: { sections: readonly TermsSection[] }) {
  const current = useSectionInView(sections)
  return (
    <nav
      aria-label={t('Contents')}
      className={
        'mb-10 self-start rounded-panel border border-line bg-surface p-3 lg:sticky lg:top-24 lg:mb-0 ' +
        'lg:rounded-none lg:-ml-3 lg:border-0 lg:bg-transparent lg:p-0'
      }
    >
      <ol className="text-sm">
        {sections.map(({ id, title }, index) => (
          <li key={id}>
            <Link
              to="/terms-policy"
              hash={id}
              replace
              aria-current={id === current ? 'location' : false}
              className={cx(
                'flex min-h-11 items-center gap-2.5 rounded-control px-3 py-2 transition-colors hover:bg-hover ' +
                  'hover:text-fg lg:min-h-10',
                id === current ? 'font-medium text-fg lg:bg-hover' : 'text-fg-2',
              )}
            >
              <span className="tabular w-5 shrink-0 text-fg-3">{index + 1}</span>
              {title}
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  )
}

function Section({ section, number }: { section: TermsSection; number: number }) {
  const { id, title, paragraphs, points, closing, note } = section
  return (
    <section aria-labelledby={id} className="[contain-intrinsic-block-size:auto_18rem] [content-visibility:auto]">
      <h2 id={id} className="text-xl font-semibold">
        <span className="tabular mr-2 text-fg-3">{`${number}.`}</span>
        {title}
      </h2>
      <div className="mt-3 grid gap-3 leading-relaxed wrap-anywhere text-fg-2">
        {paragraphs.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
        {points && (
          <ul className="grid list-disc gap-1.5 pl-5 marker:text-fg-3">
            {points.map((point) => (
              <li key={point}>{point}</li>
            ))}
          </ul>
        )}
        {closing && <p>{closing}</p>}
        {note && <p className="whitespace-pre-line">{note}</p>}
      </div>
    </section>
  )
}

/** Returns the section whose heading was passed last on the way down. */
function useSectionInView(sections: readonly TermsSection[]): string | undefined {
  const [current, setCurrent] = useState<string>()
  const ids = sections.map(({ id }) => id).join(' ')
  useEffect(() => {
    const headings = ids.split(' ').map((id) => document.getElementById(id))
    const observer = new IntersectionObserver(
      () => {
        const passed = headings.filter((heading) => heading && heading.getBoundingClientRect().top < READING_LINE_PX)
        setCurrent(passed.at(-1)?.id)
      },
      { rootMargin: `-${READING_LINE_PX}px 0px 0px 0px`, threshold: [0, 1] },
    )
    for (const heading of headings) if (heading) observer.observe(heading)
    return () => observer.disconnect()
  }, [ids])
  return current
}

/** Just below the header, in px, where a section is after a jump to it. */
const READING_LINE_PX = 120
