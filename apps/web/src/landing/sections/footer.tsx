import { ANO_COPYRIGHT } from '@balcao/contract/constants'
import { FOOTER_TEXTS } from '#landing/texts.ts'

const LINK = 'inline-block py-1 underline-offset-4 hover:text-ink hover:underline'

export function LandingFooter() {
  return (
    <footer className="mx-auto flex max-w-6xl flex-wrap items-center gap-x-6 gap-y-2 px-4 py-8 text-[0.85rem] text-muted sm:px-6">
      <p>© {ANO_COPYRIGHT} Balcão</p>
      <a href="/terms" className={LINK}>
        Termos
      </a>
      <a href="/privacy" className={LINK}>
        Privacidade
      </a>
      <p className="md:ml-auto">{FOOTER_TEXTS.vinculo}</p>
    </footer>
  )
}
