import type { ReactNode } from 'react'
import { formatNumber, formatPercent } from '#shared/format.ts'
import { Meter } from '#shared/ui/meter.tsx'
import { ErrorState, Skeleton } from '#shared/ui/states.tsx'
import { useUsuarioStats } from '#features/admin/admin-queries.ts'
import { planUsageTone } from './usuario-parts.tsx'

export function UsuarioUsage({ id, children }: { id: string; children?: ReactNode }) {
  const { data, error, refetch, isPending } = useUsuarioStats(id)
  return (
    <section aria-labelledby="uso" aria-busy={isPending} className="rounded-card border border-line p-4">
      <h3 id="uso" className="font-bold">
        Estatísticas de uso
      </h3>
      {error !== null && data === undefined && <ErrorState message={error.message} onRetry={() => void refetch()} />}
      {isPending && <Skeleton className="mt-3 h-24 w-full" />}
      {data !== undefined && (
        <>
          <dl className="mt-3 grid grid-cols-2 gap-3">
            <Figure nome="Mensagens hoje" valor={formatNumber(data.mensagensHoje)} />
            <Figure
              nome="Limite diário"
              valor={data.limiteDiario === null ? 'Sem limite' : formatNumber(data.limiteDiario)}
            />
            <Figure nome="Uso do limite" valor={data.limiteDiario === null ? '—' : formatPercent(data.percentualUso)} />
            <Figure nome="Total no mês" valor={formatNumber(data.mensagemesTotalMes)} />
          </dl>
          {data.limiteDiario !== null && (
            <div className="mt-3">
              <Meter
                label="Uso do limite diário"
                percent={data.percentualUso}
                color={planUsageTone(data.percentualUso)}
              />
            </div>
          )}
          {children}
        </>
      )}
    </section>
  )
}

function Figure({ nome, valor }: { nome: string; valor: string }) {
  return (
    <div>
      <dt className="text-sm text-muted">{nome}</dt>
      <dd className="text-lg font-extrabold tabular-nums">{valor}</dd>
    </div>
  )
}
