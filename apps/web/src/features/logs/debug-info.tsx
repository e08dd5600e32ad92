import { openConversas } from '@balcao/contract/sync/known-conversas'
import { useSearch } from '@tanstack/react-router'
import { useKnownConversas } from '#shared/data/conversas/known-conversas.ts'
import { useAddressPart } from '#shared/hooks/use-address-part.ts'
import { useSocketState } from '#shared/realtime/socket.ts'

/** The menu of the list of conversas leads here, with the selected conversa in the address. */
export function DebugInfo() {
  const { tipo } = useSocketState()
  const selected = useSearch({ strict: false, select: ({ c }) => c })
  const known = useKnownConversas()
  useAddressPart('depuracao')
  const rows = [
    ['Conversas', known.byId.size],
    ['Abertas', openConversas(known).length],
    ['Tempo real', tipo],
    ['Selecionada', selected ?? 'nenhuma'],
  ] as const
  return (
    <details className="card p-4">
      <summary id="depuracao" className="min-h-8 cursor-pointer py-1.5 font-semibold">
        Depuração
      </summary>
      <p className="mt-2 text-sm text-muted">O que este aparelho guarda da lista de conversas.</p>
      <dl className="mt-2 grid grid-cols-[auto_1fr] gap-x-3 font-mono text-sm">
        {rows.map(([name, value]) => [
          <dt key={name}>{name}</dt>,
          <dd key={`${name}-v`} className="min-w-0 break-all">
            {value}
          </dd>,
        ])}
      </dl>
    </details>
  )
}
