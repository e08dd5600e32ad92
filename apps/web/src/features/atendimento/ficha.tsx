import type { Conversa, FichaDoCliente } from '@balcao/contract/entities/conversa'
import { fichaDoClienteRoute } from '@balcao/contract/routes/atendimento'
import { useQuery } from '@tanstack/react-query'
import { Star } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { call } from '#shared/api-client.ts'
import { formatDate, formatNumber } from '#shared/format.ts'
import { Skeleton } from '#shared/ui/states.tsx'
import { CONVERSA_STATUS_LABEL } from './lista/filters.ts'
import { OficialJanela } from './janela-oficial.tsx'

const EarlierConversa = lazy(async () => ({ default: (await import('./conversa-anterior.tsx')).EarlierConversa }))

type EarlierSummary = FichaDoCliente['anteriores'][number]

function EarlierRating({ nota }: { nota: number }) {
  return (
    <span className="inline-flex items-center gap-0.5 font-semibold tabular-nums">
      <Star size={13} aria-hidden className="fill-accent text-accent" />
      <span className="sr-only">nota </span>
      {formatNumber(nota)}
    </span>
  )
}

function EarlierRow({ anterior, onLer }: { anterior: EarlierSummary; onLer: () => void }) {
  const { iniciadoEm, protocolo, status, operador, nota } = anterior
  return (
    <li>
      <button
        type="button"
        className="block min-h-11 w-full rounded-lg px-2 py-1.5 text-left text-sm hover:bg-sunken"
        onClick={onLer}
      >
        <span className="flex items-center justify-between gap-2">
          <span className="font-semibold">{formatDate(iniciadoEm)}</span>
          {nota !== undefined && <EarlierRating nota={nota} />}
        </span>
        <span className="block truncate text-xs text-muted">
          {protocolo} · {operador ?? CONVERSA_STATUS_LABEL[status]}
        </span>
      </button>
    </li>
  )
}

export function CustomerFicha({ conversa }: { conversa: Conversa }) {
  const conversaId = conversa.id
  const [parsed, setLida] = useState<EarlierSummary | null>(null)
  const ultima = conversa.mensagens.findLast(({ tipo }) => tipo === 'recebida')?.id
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['atendimento', 'ficha', conversaId],
    queryFn: async ({ signal }) => {
      const ficha = await call(fichaDoClienteRoute, { params: { id: conversaId }, signal })
      return { ...ficha, ultima }
    },
  })
  // A new mensagem of the customer may have reopened the 24 h window.
  const old = data?.janelaAte !== undefined && data.ultima !== ultima
  useEffect(() => {
    if (old) void refetch()
  }, [old, ultima, refetch])
  if (isPending) {
    return (
      <div role="status" aria-label="Carregando o histórico" aria-busy="true" className="grid gap-2">
        <Skeleton className="h-4 w-1/2" />
        <Skeleton className="h-10 w-full" />
      </div>
    )
  }
  if (data === undefined) {
    return (
      <p role="alert" className="text-sm text-muted">
        {error.message}{' '}
        <button type="button" className="min-h-8 font-semibold underline" onClick={() => void refetch()}>
          Tentar de novo
        </button>
      </p>
    )
  }
  const { anteriores, totalAnteriores, avaliacoes, janelaAte } = data
  return (
    <>
      {janelaAte !== undefined && <OficialJanela conversa={conversa} janelaAte={janelaAte} />}
      <section aria-labelledby="avaliacoes-do-cliente">
        <h3 id="avaliacoes-do-cliente" className="text-sm text-muted">
          Avaliações
        </h3>
        <p className="text-sm font-semibold">
          {avaliacoes.notaMedia === null ? (
            'Nenhuma ainda'
          ) : (
            <>
              <EarlierRating nota={avaliacoes.notaMedia} /> de média em {formatNumber(avaliacoes.total)}
            </>
          )}
        </p>
      </section>
      <section aria-labelledby="conversas-anteriores">
        <h3 id="conversas-anteriores" className="text-sm text-muted">
          Conversas anteriores{totalAnteriores > 0 && ` (${formatNumber(totalAnteriores)})`}
        </h3>
        {anteriores.length === 0 ? (
          <p className="text-sm font-semibold">Primeira conversa com uma pessoa</p>
        ) : (
          <ul className="-mx-2">
            {anteriores.map((previous) => (
              <EarlierRow key={previous.id} anterior={previous} onLer={() => setLida(previous)} />
            ))}
          </ul>
        )}
      </section>
      <Suspense>
        {parsed !== null && (
          <EarlierConversa id={parsed.id} protocolo={parsed.protocolo} onClose={() => setLida(null)} />
        )}
      </Suspense>
    </>
  )
}
