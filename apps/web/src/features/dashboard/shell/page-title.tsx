import type { Aba } from '@balcao/contract/constants'
import { useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useKnownConversas } from '#shared/data/conversas/known-conversas.ts'
import { TAB_DESCRIPTION } from './tab-list.ts'

interface PageTitleProps {
  readonly aba: Aba
  readonly waiting: number
}

/** Names the open customer. A component without output, because each event changes the known conversas. */
export function PageTitle({ aba, waiting }: PageTitleProps) {
  const open = useSearch({ strict: false, select: ({ c = '' }) => c })
  const { byId } = useKnownConversas()
  const customer = aba === 'atendimento' ? byId.get(open)?.cliente.nome : undefined
  const count = waiting > 0 ? `(${waiting}) ` : ''
  const names = [...(customer === undefined ? [] : [customer]), TAB_DESCRIPTION[aba].title, 'Balcão']
  const title = `${count}${names.join(' · ')}`
  useEffect(() => {
    document.title = title
  }, [title])
  return null
}

/** `app.html` shows it before the scripts load, so it is the first text on screen. The tab atendimento has no room. */
export function TabPurpose({ aba }: { aba: Aba }) {
  return aba === 'atendimento' ? null : (
    <p data-aba={aba} className="mb-4 text-muted">
      {TAB_DESCRIPTION[aba].purpose}
    </p>
  )
}
