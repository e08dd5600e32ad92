import { useEffect, useState } from 'react'
import { type ConversaListFilter, NO_CONVERSA_FILTER } from '#features/atendimento/lista/filters.ts'

const VISAO_KEY = 'visao-da-lista'
const KEPT_VIEWS = ['minhas', 'fila', 'mencoes', 'todas'] as const

/** The view stays for the next visit, the other filters do not. */
export function useConversaFilter() {
  const [filter, setFilter] = useState<ConversaListFilter>(() => {
    const kept = localStorage.getItem(VISAO_KEY)
    return { ...NO_CONVERSA_FILTER, visao: KEPT_VIEWS.find((visao) => visao === kept) ?? 'todas' }
  })
  const { visao } = filter
  useEffect(() => localStorage.setItem(VISAO_KEY, visao), [visao])
  return { filter, setFilter }
}
