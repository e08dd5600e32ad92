import type { ReactNode } from 'react'
import { formatNumber, formatPercent } from '#shared/format.ts'
import { Meter } from '#shared/ui/meter.tsx'
import { ErrorState, Skeleton } from '#shared/ui/states.tsx'
import { useEstatisticasDe } from './dados.ts'
import { corDoUso } from './usuario-na-lista.tsx'

export function UsoDoUsuario({ id, children }: { id: string; children?: ReactNode }) {
  const { data, error, refetch, isPending } = useEstatisticasDe(id)
  return (
    <section aria-labelledby="uso" aria-busy={isPending} className="rounded-card border border-line p-4">
      <h3 id="uso" className="font-bold">
        Estatísticas de uso
      </h3>
      {error !== null && data === undefined && <ErrorState mensagem={error.message} onTentar={() => void refetch()} />}
      {isPending && <Skeleton className="mt-3 h-24 w-full" />}
      {data !== undefined && (
        <>
          <dl className="mt-3 grid grid-cols-2 gap-3">
            <Numero nome="Mensagens hoje" valor={formatNumber(data.mensagensHoje)} />
            <Numero
              nome="Limite diário"
              valor={data.limiteDiario === null ? 'Sem limite' : formatNumber(data.limiteDiario)}
            />
            <Numero nome="Uso do limite" valor={data.limiteDiario === null ? '—' : formatPercent(data.percentualUso)} />
            <Numero nome="Total no mês" valor={formatNumber(data.mensagemesTotalMes)} />
          </dl>
          {data.limiteDiario !== null && (
            <div className="mt-3">
              <Meter rotulo="Uso do limite diário" percentual={data.percentualUso} cor={corDoUso(data.percentualUso)} />
            </div>
          )}
          {children}
        </>
      )}
    </section>
  )
}

function Numero({ nome, valor }: { nome: string; valor: string }) {
  return (
    <div>
      <dt className="text-sm text-muted">{nome}</dt>
      <dd className="text-lg font-extrabold tabular-nums">{valor}</dd>
    </div>
  )
}
