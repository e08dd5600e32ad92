import type { AvaliacaoStats, Avaliacao } from '@balcao/contract/entities/avaliacao'
import { avaliacoesRoute } from '@balcao/contract/routes/atendimento-conversa'
import { useQuery } from '@tanstack/react-query'
import { FlaskConical, Star } from 'lucide-react'
import { useState } from 'react'
import { call } from '#shared/api-client.ts'
import { formatNumber, formatDateTime, customerContact, formatPercent } from '#shared/format.ts'
import { Button } from '#shared/ui/button.tsx'
import { Card } from '#shared/ui/card.tsx'
import { SetorNameChip } from '#shared/ui/setor-chip.tsx'
import { EmptyState, QueryState, Skeleton } from '#shared/ui/states.tsx'
import {
  Stars,
  formatNota,
  notaWord,
  NOTA_WORDS,
  type ReportColumn,
  ReportTable,
} from '#features/equipe/page-parts.tsx'
import { AvaliacaoSwitch, TestAvaliacao } from './avaliacao-question.tsx'
import { findSetor, useSetores } from '#features/equipe/setores.tsx'
import type { Setor } from '@balcao/contract/entities/config'
import clsx from 'clsx'
import { Meter } from '#shared/ui/meter.tsx'

const avaliacaoCount = (count: number): string => (count === 1 ? '1 avaliação' : `${formatNumber(count)} avaliações`)

interface Mean {
  readonly total: number
  readonly notaMedia: number
}

const COLUMNS: readonly ReportColumn<Mean>[] = [
  { title: 'Avaliações', value: ({ total }) => formatNumber(total) },
  {
    title: 'Média',
    value: ({ notaMedia }) => (
      <span className="inline-flex items-center gap-2 font-semibold">
        {formatNota(notaMedia)} <Stars nota={notaMedia} size={14} className="max-sm:hidden" />
      </span>
    ),
  },
]

function AvaliacoesSkeleton() {
  return (
    <div role="status" aria-label="Carregando as avaliações" aria-busy="true" className="grid gap-4 lg:grid-cols-2">
      <Skeleton className="h-56 rounded-card" />
      <Skeleton className="h-56 rounded-card" />
      <Skeleton className="h-72 rounded-card lg:col-span-2" />
    </div>
  )
}

function AvaliacoesSummary({ notaMedia, total }: { notaMedia: number; total: number }) {
  return (
    <section
      aria-label="Nota média"
      className="card grid place-content-center justify-items-center gap-2 p-6 text-center"
    >
      <p className="text-6xl font-extrabold tracking-tight tabular-nums">
        {formatNota(notaMedia)}
        <span className="text-2xl font-bold text-muted"> de 5</span>
      </p>
      <Stars nota={notaMedia} size={28} />
      <p className="text-lg font-bold">{notaWord(notaMedia)}</p>
      <p className="text-muted">{avaliacaoCount(total)}</p>
    </section>
  )
}

function AvaliacoesFigures({ stats }: { stats: AvaliacaoStats }) {
  const setores = useSetores()
  const { totalAvaliacoes, notaMedia, distribuicaoNotas, ultimasAvaliacoes, porSetor, porOperador } = stats
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
        <AvaliacoesSummary notaMedia={notaMedia ?? 0} total={totalAvaliacoes} />
        <Card heading="Como as notas se dividem">
          <NotaDistribution distribuicao={distribuicaoNotas} total={totalAvaliacoes} />
        </Card>
      </div>
      <Card heading="Últimas avaliações">
        <LatestAvaliacoes latest={ultimasAvaliacoes} setores={setores} />
      </Card>
      {(porSetor.length > 0 || porOperador.length > 0) && (
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-2">
          {porSetor.length > 0 && (
            <Card heading="Por setor">
              <ReportTable
                caption="Avaliações por setor"
                rows={porSetor}
                keyOf={({ setor }) => setor}
                nameOf={{ titulo: 'Setor', valor: ({ setor }) => <SetorNameChip setor={findSetor(setores, setor)} /> }}
                columns={COLUMNS}
              />
            </Card>
          )}
          {porOperador.length > 0 && (
            <Card heading="Por pessoa">
              <ReportTable
                caption="Avaliações por pessoa"
                rows={porOperador}
                keyOf={({ operadorId }) => operadorId}
                nameOf={{
                  titulo: 'Pessoa',
                  valor: ({ operador }) => <span className="block truncate">{operador}</span>,
                }}
                columns={COLUMNS}
              />
            </Card>
          )}
        </div>
      )}
    </>
  )
}

export function AvaliacoesPage() {
  const query = useQuery({
    queryKey: ['atendimento', 'avaliacoes'],
    queryFn: ({ signal }) => call(avaliacoesRoute, { signal }),
    networkMode: 'always',
  })
  const [testing, setTesting] = useState(false)
  const test = (
    <Button className="min-h-11" onClick={() => setTesting(true)}>
      <FlaskConical size={18} aria-hidden /> Testar avaliação
    </Button>
  )
  return (
    <>
      <AvaliacaoSwitch />
      <QueryState drawCard query={query} skeleton={<AvaliacoesSkeleton />}>
        {(stats) =>
          stats.totalAvaliacoes === 0 ? (
            <div className="card">
              <EmptyState title="Nenhuma avaliação ainda" icon={<Star size={22} aria-hidden />} action={test}>
                Quando você finaliza uma conversa, o bot pede ao cliente uma nota de 0 a 5. As respostas aparecem aqui.
              </EmptyState>
            </div>
          ) : (
            <>
              <AvaliacoesFigures stats={stats} />
              <Card heading="Testes" actions={test}>
                <p className="text-sm text-muted">
                  Simula a pergunta da nota. A nota do teste entra nos números acima.
                </p>
              </Card>
            </>
          )
        }
      </QueryState>
      {testing && <TestAvaliacao onClose={() => setTesting(false)} />}
    </>
  )
}

const NOTA_COLOR = [
  'bg-danger-soft text-danger-ink',
  'bg-danger-soft text-danger-ink',
  'bg-danger-soft text-danger-ink',
  'bg-warn-soft text-warn-ink',
  'bg-brand-soft text-brand-ink',
  'bg-brand-soft text-brand-ink',
] as const

function LatestAvaliacoes({ latest, setores }: { latest: readonly Avaliacao[]; setores: readonly Setor[] }) {
  return (
    <ul aria-label="Últimas avaliações" className="-my-3 divide-y">
      {latest.map(({ id, nota, cliente, protocolo, setor, operador, criadaEm }) => (
        <li key={id} className="flex items-start gap-3 py-3">
          <span
            className={clsx(
              'grid size-11 flex-none place-items-center rounded-xl text-lg font-extrabold',
              NOTA_COLOR[nota],
            )}
          >
            <span className="sr-only">Nota </span>
            {nota}
          </span>
          <div className="min-w-0 flex-1">
            <div className="flex flex-wrap items-baseline justify-between gap-x-3">
              <p className="min-w-0 font-bold break-words">{cliente.nome}</p>
              <time dateTime={criadaEm} className="text-sm text-muted tabular-nums">
                {formatDateTime(criadaEm)}
              </time>
            </div>
            <p className="text-sm text-muted">
              {[NOTA_WORDS[nota], customerContact(cliente)].filter(Boolean).join(' · ')}
              {operador !== undefined && ` · quem atendeu: ${operador}`}
            </p>
            {(setor !== undefined || protocolo !== undefined) && (
              <p className="mt-1.5 flex flex-wrap items-center gap-2 text-sm text-muted">
                {setor !== undefined && <SetorNameChip setor={findSetor(setores, setor)} />}
                {protocolo !== undefined && <span className="tabular-nums">Protocolo {protocolo}</span>}
              </p>
            )}
          </div>
        </li>
      ))}
    </ul>
  )
}

const NOTAS_DESCENDING = [5, 4, 3, 2, 1, 0] as const

function notaColor(note: number): 'brand' | 'warn' | 'danger' {
  if (note >= 4) return 'brand'
  return note === 3 ? 'warn' : 'danger'
}

interface NotaDistributionProps {
  readonly distribuicao: AvaliacaoStats['distribuicaoNotas']
  readonly total: number
}

function NotaDistribution({ distribuicao, total }: NotaDistributionProps) {
  return (
    <ul className="grid gap-2.5">
      {NOTAS_DESCENDING.map((note) => {
        const count = distribuicao[note]
        const percent = total === 0 ? 0 : (count * 100) / total
        return (
          <li key={note} className="grid grid-cols-[6.5rem_minmax(0,1fr)_5.5rem] items-center gap-3 text-sm">
            <span className="whitespace-nowrap">
              <b className="tabular-nums">{note}</b> <span className="text-muted">{NOTA_WORDS[note]}</span>
            </span>
            <Meter label={`Nota ${note}`} percent={percent} color={notaColor(note)} />
            <span className="text-right whitespace-nowrap tabular-nums">
              <b>{formatNumber(count)}</b> <span className="text-muted">({formatPercent(Math.round(percent))})</span>
            </span>
          </li>
        )
      })}
    </ul>
  )
}
