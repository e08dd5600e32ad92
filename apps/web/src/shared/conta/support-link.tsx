import { LifeBuoy } from 'lucide-react'
import { useLoginSession } from '#shared/session.tsx'
import { useServerOptions } from './server-options.ts'

const BRAZIL = '55'
/** Area code and number. Longer numbers begin with the country. */
const NATIONAL_DIGITS_MAX = 11

const whatsappUrl = (digits: string): string =>
  `https://wa.me/${digits.length <= NATIONAL_DIGITS_MAX ? BRAZIL : ''}${digits}`

interface SupportLinkProps {
  readonly className: string
  /** True inside a list: draws the list item too, so that a list without the link has no empty item. */
  readonly inList?: boolean
}

export function SupportLink({ className, inList = false }: SupportLinkProps) {
  const { usuario } = useLoginSession()
  const data = useServerOptions({ enabled: usuario?.plano === 'doacao' })
  const digits = data?.suporteWhatsapp ?? ''
  if (usuario?.plano !== 'doacao' || digits === '') return null
  const link = (
    <a
      href={whatsappUrl(digits)}
      target="_blank"
      rel="noopener noreferrer"
      referrerPolicy="no-referrer"
      className={className}
    >
      <LifeBuoy aria-hidden className="size-4.5 flex-none" />
      Falar com o suporte
      <span className="sr-only"> (abre em outra aba)</span>
    </a>
  )
  return inList ? <li>{link}</li> : link
}
